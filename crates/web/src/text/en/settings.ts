import type { Absence } from '../../protocol/generated.ts';
import { span } from './amounts.ts';

/** What a table was opened with. */
export const settings = {
  labels: {
    time: 'Clocks',
    rated: 'Ratings',
    seating: 'Seats',
    limit: 'Time for a move',
    absence: 'If a player stays away',
    draws: 'Repetition and move count',
    chat: 'Players’ chat',
    watchers: 'Who may watch',
    admission: 'Who may sit',
    hotseat: 'Hotseat',
    setup: 'Start position',
    host: 'Host',
  },
  casual: 'Casual',
  rated: 'Rated',
  seating: { chosen: 'As one takes them', drawn: 'Drawn by lot' },
  limit: (ms: number | undefined) => (ms === undefined || ms === 0 ? 'No limit' : `At most ${span(ms)}`),
  absence: { eliminate: 'It is out', wait: 'The others wait', bot: 'A bot plays on' } satisfies Record<Absence, string>,
  draws: { claim: 'Drawn when claimed', automatic: 'Drawn at once' },
  chat: { on: 'On', phrases: 'Ready phrases only', off: 'Off' },
  watchers: { everybody: 'Everybody', link: 'By link', nobody: 'Nobody' },
  admission: { open: 'Everybody', invite: 'By invite' },
  limitShort: (ms: number) => `${span(ms)} a move`,
  drawnSeats: 'Seats by lot',
  ownSetup: 'Own start position',
  oneScreen: 'Hotseat',
  hotseat: { no: 'One seat each', yes: 'Several seats at this screen' },
  yes: 'Yes',
  title: 'Table settings',
};
