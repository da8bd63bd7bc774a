import type { ReportOutcome } from '../../protocol/generated.ts';
import { withFallback } from '../with-fallback.ts';

/** The reports about users, for operators. */
export const reports = {
  title: (count: number) => `Report ${count}`,
  none: { open: 'There are no open reports.', closed: 'No report has been closed yet.' },
  about: (name: string, reason: string) => `${name}: ${reason}`,
  from: (name: string) => `reported by ${name}`,
  facts: { reported: 'Reported user', text: 'Details', reporter: 'Reported by', created: 'Date', all: 'Reports about the user', match: 'Match' },
  formerName: (name: string) => `${name} at the time of the report`,
  counts: (all: number, count: number) => `${all} in all, ${count} open`,
  openMatch: 'Open the match at this moment',
  notation: 'Moves of the match',
  reportedMessage: 'Reported',
  closeTable: 'Close table',
  closeTableTitle: 'Close the table?',
  closeTableHint: 'A running match is aborted, and nobody can sit or write at the table any more.',
  closeTableReason: 'Everybody at the table sees this reason.',
  close: 'Close report',
  outcome: 'Outcome',
  outcomes: withFallback<ReportOutcome, string>(
    {
      no_action: 'No action',
      warned: 'User warned',
      suspended: 'User suspended',
      renamed: 'User renamed',
      table_closed: 'Table closed',
      other: 'Something else',
    },
    'Something else',
  ),
  note: 'Note for operators (optional)',
  closedBy: (name: string, moment: string) => `Closed by ${name}, ${moment}`,
};
