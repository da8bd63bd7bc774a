import type { Catalogue } from '../../src/text/index.ts';

const COLORS = ['white', 'black', 'red', 'blue', 'yellow', 'green'];
const COLOR_LISTS = [['red'], ['blue', 'green'], ['red', 'blue', 'yellow', 'green']];
const ROLES = ['P', 'N', 'B', 'R', 'Q', 'K'];
const COUNTS = [0, 1, 2, 5];
const TIMES = [1_000, 45_000, 60_000, 5_400_000, 86_400_000, 172_800_000];
const NAMES = ['Ada'];
const SQUARES = ['e4'];

/** Sample values of the parameters of texts, by the parameters' names. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  ago: ['2 hours ago'],
  ahead: COUNTS,
  all: [1, 2, 4],
  among: COLOR_LISTS,
  bot: NAMES,
  by: [...COLOR_LISTS, []],
  cause: ['mate', 'resign', 'time', 'absence'],
  checked: COLOR_LISTS,
  chosen: NAMES,
  clock: ['12:30'],
  code: [],
  color: COLORS,
  column: [7],
  count: COUNTS,
  counts: ['2'],
  day: ['12/24/2026'],
  degree: [1, 2, 3],
  done: COUNTS,
  elo: [1_500, undefined],
  example: ['c: x'],
  facing: COLOR_LISTS,
  format: ['FEN4'],
  from: SQUARES,
  held: COUNTS,
  highest: ['1640'],
  hidden: COUNTS,
  key: ['k9-z'],
  items: [['Ada'], ['Ada', 'Ben'], ['Ada', 'Ben', 'Cleo']],
  kind: ['k'],
  left: ['9:59'],
  left_ms: TIMES,
  until_ms: TIMES,
  level: [1, 2, 3, 4, 5, 6, 7, 8],
  line: [3],
  link: ['https://x'],
  list: ['Ada 1'],
  lowest: ['1480'],
  message: ['m: x'],
  moment: ['Nov 24, 10:00'],
  move: ['e2e4'],
  moves: COUNTS,
  ms: TIMES,
  name: NAMES,
  of: [1, 2, 5],
  others: [[], ['Ada'], ['Ada', 'Ben']],
  part: [0, 0.31, 1],
  percent: ['31 %'],
  piece: ['p'],
  place: ['2'],
  players: [2, 3, 4],
  plies: COUNTS,
  ply: [1, 2],
  points: [-150, 0, 25],
  rating: [1_512],
  reason: ['r'],
  rank: [1, 2, 3, 4],
  result: ['1-0'],
  role: ROLES,
  seconds: COUNTS,
  side: ['short', 'long'],
  speed: ['bullet', 'correspondence'],
  square: SQUARES,
  step: [1],
  taken: [0, 1, 3],
  text: ['x9'],
  through: SQUARES,
  to: ['e5'],
  value: [0, 1, 2.5, 12_345],
  variant: ['classic', 'dilkel', 'dilkel-compact'],
  waiting: COLOR_LISTS,
  why: ['w'],
  word: ['Zz9'],
  you: [null, 'red', 'blue'],
};

/** Sample values of single parameters, by the text and the parameter's name or number. */
const BY_TEXT: Readonly<Record<string, readonly unknown[]>> = {
  'bots.choice.bot': [
    { kind: 'built_in', level: 3 },
    { kind: 'uci', engine: 'Fish', elo: 1_500 },
  ],
  'newTableDialog.preset.0': ['none', 'fischer', 'delay', 'correspondence'].map((clock) => ({ clock, base_minutes: 10, extra_seconds: 5 })),
  'newTableDialog.presetHint.0': ['none', 'fischer', 'delay', 'correspondence'].map((clock) => ({ clock })),
  'events.resuming.color': ['red', null],
  'play.promotion.left': [0, 1, 2, null],
  'review.best.line': ['e2e4 e7e5'],
  'settings.limit.ms': [...TIMES, 0, undefined],
  'settings.ratingRange.0': [{ min: 1_400, max: 1_700 }, { min: 1_400 }, { max: 1_700 }],
  'conditional.step.move': ['e2–e4', null],
  'suspension.resumingHint.color': ['red', null],
  'table.boardView.isOwn': [true, false],
  'table.boardWith.counts': [[['red', 1]], [['red', 1], ['blue', 2]]],
  'time.setting': [
    { kind: 'none' },
    { kind: 'fischer', base_ms: 150_000, increment_ms: 2_000 },
    { kind: 'delay', base_ms: 60_000, delay_ms: 15_000 },
    { kind: 'correspondence', days: 1 },
    { kind: 'correspondence', days: 3 },
  ],
};

/** A function of a catalogue. */
export type TextFunction = (...values: readonly unknown[]) => unknown;

/** Returns all texts of a catalogue by their paths: strings and functions. */
export function textsOf(catalogue: Catalogue): Map<string, string | TextFunction> {
  const texts = new Map<string, string | TextFunction>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string' || typeof value === 'function') texts.set(path, value as string | TextFunction);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) walk(part, path === '' ? name : `${path}.${name}`);
    } else throw new Error(`${path} is no text: ${String(value)}`);
  };
  walk(catalogue, '');
  return texts;
}

/**
 * Returns all combinations of sample values for the text at a path. `english` is its function in
 * English, whose parameters' names say what they mean.
 */
export function samplesFor(path: string, english: TextFunction, codes: readonly string[]): (readonly unknown[])[] {
  const parameters = parametersOf(english);
  return parameters.reduce<(readonly unknown[])[]>(
    (begun, name, index) => {
      const plain = name.replace(/^_/, '');
      const values = plain === 'code' ? codes : (BY_TEXT[`${path}.${index}`] ?? BY_TEXT[`${path}.${plain}`] ?? BY_NAME[plain]);
      if (values === undefined) throw new Error(`add sample values for the parameter ${name} of ${path} to test/support/samples.ts`);
      return begun.flatMap((one) => values.map((value) => one.concat([value])));
    },
    [[]],
  );
}

/** Returns the names of a function's parameters. */
function parametersOf(english: TextFunction): string[] {
  const source = english.toString();
  const begin = source.indexOf('(');
  let depth = 0;
  let name = '';
  const names: string[] = [];
  for (const character of source.slice(begin)) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth === 0 || (depth === 1 && character === ',')) {
      if (name.trim() !== '') names.push(name.trim());
      name = '';
      if (depth === 0) return names;
    } else if (depth > 1 || character !== '(') name += character;
  }
  throw new Error(`no parameters in ${source}`);
}
