import { pluralForms } from '../plural.ts';

const form = pluralForms('en');

/** The page for operators about pairs of players who spare each other. */
export const pairs = {
  hint: 'In rated matches of four players, these pairs capture and check each other less often than their play against others suggests. That is a reason to look at their matches, but no proof. The score is the number of standard deviations below what is expected.',
  none: 'No pair is conspicuous.',
  score: (points: string) => `Score ${points}`,
  matches: (count: number) => form(count, { one: '1 match together', other: `${count} matches together` }),
  last: (day: string) => `last on ${day}`,
  together: 'Matches together',
  against: (name: string) => `against ${name}`,
  action: 'Action',
  actual: 'Actual',
  expected: 'Expected',
  actions: { captures: 'Captures', checks: 'Checks', eliminations: 'Mates' },
};
