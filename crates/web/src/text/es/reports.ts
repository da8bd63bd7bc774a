import type { ReportOutcome } from '../../protocol/generated.ts';
import type { Catalogue } from '../index.ts';
import { withFallback } from '../with-fallback.ts';

export const reports: Catalogue['reports'] = {
  title: (count) => `Denuncia ${count}`,
  none: { open: 'No hay denuncias abiertas.', closed: 'Todavía no se ha cerrado ninguna denuncia.' },
  about: (name, reason) => `${name}: ${reason}`,
  from: (name) => `denuncia de ${name}`,
  facts: { reported: 'Usuario denunciado', text: 'Detalles', reporter: 'Denunciante', created: 'Fecha', all: 'Denuncias sobre el usuario', match: 'Partida' },
  formerName: (name) => `entonces se llamaba ${name}`,
  counts: (all, count) => `${all} en total, ${count} sin resolver`,
  openMatch: 'Abrir la partida en este momento',
  notation: 'Jugadas de la partida',
  reportedMessage: 'Denunciado',
  closeTable: 'Cerrar la mesa',
  closeTableTitle: '¿Cerrar la mesa?',
  closeTableHint: 'Se aborta la partida en curso, y nadie puede sentarse ni escribir más en la mesa.',
  closeTableReason: 'Todos los que están en la mesa ven este motivo.',
  close: 'Cerrar la denuncia',
  outcome: 'Resultado',
  outcomes: withFallback<ReportOutcome, string>(
    {
      no_action: 'Sin medidas',
      warned: 'Usuario advertido',
      suspended: 'Usuario suspendido',
      renamed: 'Nombre cambiado',
      table_closed: 'Mesa cerrada',
      other: 'Otra cosa',
    },
    'Otra cosa',
  ),
  note: 'Nota para operadores (opcional)',
  closedBy: (name, moment) => `Cerrada por ${name}, ${moment}`,
};
