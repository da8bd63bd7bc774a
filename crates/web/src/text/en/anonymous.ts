/** Matches in which the names of the players are hidden. */
export const anonymous = {
  label: 'Player names',
  choices: { no: 'Shown', yes: 'Hidden until the match is over' },
  short: 'Anonymous',
  spectator: 'Spectator',
};
