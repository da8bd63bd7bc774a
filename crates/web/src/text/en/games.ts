import { number, remaining } from './amounts.ts';

/** The user's unfinished matches. */
export const games = {
  title: 'Your games',
  groups: {
    yourMove: 'Your move',
    theirMove: 'Waiting for others',
    hosted: 'You are the host',
    open: 'Not started yet',
  },
  waiting: (count: number) => {
    if (count === 0) return 'It is not your turn in any game.';
    return count === 1 ? 'It is your turn in 1 game.' : `It is your turn in ${number(count)} games.`;
  },
  left: (left_ms: number) => `${remaining(left_ms)} left`,
  toMove: (name: string) => (name === '' ? 'In progress' : `${name} to move`),
  next: 'Next game',
  nextOfWaiting: (count: number) => (count === 1 ? 'Next game: it is your turn in 1 game.' : `Next game: it is your turn in ${number(count)} games.`),
  nextAfter: (place: number, count: number) => `Next game: this is ${number(place)} of ${number(count)} where it is your turn.`,
  none: 'You are not playing any games right now.',
  start: 'Start a game',
  loading: 'Loading your games…',
  all: 'All your games',
};
