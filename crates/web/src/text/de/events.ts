import type { Catalogue } from '../index.ts';
import { capitalize } from '../capitalize.ts';
import { withFallback } from '../with-fallback.ts';
import { day, list } from './amounts.ts';
import { colors, piece, seat, thePiece, to } from './game.ts';

const out = withFallback(
  {
    mate: 'ist matt: Die Armee verlässt das Brett',
    resign: 'gibt auf',
    time: 'hat keine Zeit mehr',
    absence: 'scheidet wegen Abwesenheit aus',
  },
  'scheidet aus',
);

export const events: Catalogue['events'] = {
  move: (color, role, from, target) => `${capitalize(piece(color, role))} ${from} nach ${target}`,
  castles: (color, side) => `${colors[color]} rochiert ${side === 'short' ? 'kurz' : 'lang'}`,
  captures: (color, role) => `schlägt ${thePiece(color, role)}`,
  promotes: (role) => `wird ${to(role)}`,
  check: (checked, you) => `Schach für ${list(checked.map((color) => (color === you ? 'dich' : colors[color])))}`,
  seated: (color, name) => `${name} setzt sich als ${colors[color]}`,
  vacated: (color) => `${capitalize(seat(color))} ist wieder frei`,
  host: (name) => `${name} ist jetzt Gastgeber`,
  rematchAgreed: (color) => `${colors[color]} möchte auch eine Revanche`,
  rematched: 'Die nächste Partie beginnt',
  closed: 'Der Tisch ist geschlossen',
  closedByModerator: (reason: string) => `Die Moderation hat den Tisch geschlossen: ${reason}`,
  started: (color) => `${colors[color]} beginnt`,
  eliminated: (color, cause) => `${colors[color]} ${out[cause]}`,
  takenBack: (plies) => (plies === 1 ? 'Ein Zug wurde zurückgenommen' : `${plies} Züge wurden zurückgenommen`),
  paused: 'Die Partie ist pausiert',
  waiting: (color) => `Warten auf ${colors[color]}`,
  resuming: (color) =>
    color === null ? 'Die Pause ist vorbei; weiter in 10 s' : `${colors[color]} beendet die Pause; weiter in 10 s`,
  resumed: 'Es geht weiter',
  vacationStarted: (color, until_ms) => `${colors[color]} hat Urlaub bis ${day(until_ms)}`,
  vacationEnded: (color) => `${colors[color]} ist aus dem Urlaub zurück`,
  stoodIn: (color, name) => `${name} spielt für ${colors[color]}`,
  returned: (color) => `${colors[color]} ist zurück und spielt wieder selbst`,
  aborted: (reason) => `Abgebrochen: ${reason}`,
  noFirstMove: (color) => `${colors[color]} machte den ersten Zug nicht rechtzeitig`,
};
