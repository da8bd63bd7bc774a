/** By how much one of two stands better. */
const BETTER = ['slightly better', 'clearly better', 'winning'];

/** What the server's engine thinks of a position. */
export const engine = {
  title: 'Engine',
  hint: 'What the server’s engine thinks of this position.',
  looking: 'Looking…',
  over: 'The game is over here.',
  unknown: 'Chances not known yet',
  even: 'Even',
  /** The degree is 1 to 3. */
  better: (color: string, degree: number) => `${color} is ${BETTER[degree - 1] ?? 'better'}`,
  ahead: (color: string, percent: string) => `${color} is ahead: ${percent}`,
  mates: (color: string, moves: number) => `${color} mates in ${moves}`,
  chance: (color: string, percent: string) => `${color} ${percent}`,
  chances: (list: string) => `Chances: ${list}`,
  depth: (plies: number) => `Depth ${plies}`,
  best: (move: string) => `Best move ${move}`,
  say: 'Say how it stands',
};
