import type { ReportOutcome } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';

export const reports: Catalogue['reports'] = {
  title: (count) => `Meldung ${count}`,
  none: { open: 'Es gibt keine offenen Meldungen.', closed: 'Noch ist keine Meldung erledigt.' },
  about: (name, reason) => `${name}: ${reason}`,
  from: (name) => `gemeldet von ${name}`,
  facts: { reported: 'Gemeldeter Benutzer', text: 'Einzelheiten', reporter: 'Gemeldet von', created: 'Datum', all: 'Meldungen über den Benutzer', match: 'Partie' },
  formerName: (name) => `bei der Meldung: ${name}`,
  counts: (all, count) => `${all} insgesamt, ${count} offen`,
  openMatch: 'Partie in diesem Augenblick öffnen',
  notation: 'Züge der Partie',
  reportedMessage: 'Gemeldet',
  closeTable: 'Tisch schließen',
  closeTableTitle: 'Tisch schließen?',
  closeTableHint: 'Eine laufende Partie wird abgebrochen, und niemand kann sich mehr an den Tisch setzen oder dort schreiben.',
  closeTableReason: 'Alle am Tisch sehen diesen Grund.',
  close: 'Meldung abschließen',
  outcome: 'Ergebnis',
  outcomes: withFallback<ReportOutcome, string>(
    {
      no_action: 'Keine Maßnahme',
      warned: 'Benutzer verwarnt',
      suspended: 'Benutzer gesperrt',
      renamed: 'Benutzer umbenannt',
      table_closed: 'Tisch geschlossen',
      other: 'Etwas anderes',
    },
    'Etwas anderes',
  ),
  note: 'Notiz für Operatoren (freiwillig)',
  closedBy: (name, moment) => `Abgeschlossen von ${name}, ${moment}`,
};
