import type { Absence, RatingRange } from '../../protocol/generated.ts';
import { withFallback } from '../with-fallback.ts';
import { span } from './amounts.ts';

/** The settings of a table. */
export const settings = {
  labels: {
    time: 'Clocks',
    rated: 'Ratings',
    ratingRange: 'Rating range',
    seating: 'Seats',
    limit: 'Time limit per move',
    absence: 'When a player disconnects',
    draws: 'Repetition and 50-move rule',
    chat: 'Players’ chat',
    watchers: 'Who may watch',
    admission: 'Who may sit',
    hotseat: 'Hotseat',
    setup: 'Start position',
    host: 'Host',
  },
  casual: 'Casual',
  rated: 'Rated',
  ratingRange: ({ min, max }: RatingRange) =>
    min !== undefined && max !== undefined ? `${min}–${max}` : min !== undefined ? `from ${min}` : `up to ${max ?? ""}`,
  seating: withFallback({ chosen: 'First come, first served', drawn: 'Random' }, 'Other'),
  limit: (ms: number | undefined) => (ms === undefined || ms === 0 ? 'No limit' : `${span(ms)}`),
  absence: withFallback<Absence, string>({ eliminate: 'Eliminate', wait: 'Wait', bot: 'Bot takes over' }, 'Other'),
  draws: withFallback({ claim: 'On claim', automatic: 'Automatic' }, 'Other'),
  chat: withFallback({ on: 'On', phrases: 'Quick phrases only', off: 'Off' }, 'Other'),
  watchers: withFallback({ everybody: 'Everyone', link: 'By link', nobody: 'Nobody' }, 'Other'),
  admission: withFallback({ open: 'Everyone', invite: 'By invite' }, 'Other'),
  limitShort: (ms: number) => `${span(ms)} a move`,
  drawnSeats: 'Random seats',
  ownSetup: 'Custom start position',
  oneScreen: 'Hotseat',
  hotseat: { no: 'One seat per player', yes: 'Several seats on this screen' },
  yes: 'Yes',
  title: 'Table settings',
};
