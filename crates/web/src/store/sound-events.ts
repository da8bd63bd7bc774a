import type { Entry } from '../protocol/generated.ts';
import type { TableState } from './table.ts';

/** A kind of event with a sound. */
export type SoundEvent = 'start' | 'move' | 'capture' | 'check' | 'elimination' | 'end' | 'own_turn' | 'low_time';

/**
 * The kinds of events, sorted by priority: if several happen at once, only the sound with the
 * highest priority is played. When the viewer's turn begins, the sound `own_turn` follows it.
 */
const SOUND_PRIORITY: readonly SoundEvent[] = ['end', 'elimination', 'check', 'capture', 'move', 'start'];

/**
 * Returns the sounds for a change of state. The first state of a table and the first state of a
 * new match have no sounds.
 */
export function soundEventsBetween(before: TableState | null, after: TableState): SoundEvent[] {
  if (before === null || before.match !== after.match || after.seq <= before.seq) return [];
  const happened = new Set(after.history.filter(({ seq }) => seq > before.seq).map((entry) => soundEventOf(entry, after)));
  const mostImportant = SOUND_PRIORITY.find((kind) => happened.has(kind));
  const sounds: SoundEvent[] = mostImportant === undefined ? [] : [mostImportant];
  if (viewersTurnBegins(before, after)) sounds.push('own_turn');
  return sounds;
}

/** Returns whether the viewer's turn has just begun. */
export function viewersTurnBegins(before: TableState | null, after: TableState): boolean {
  return isViewersTurn(after) && (before === null || !isViewersTurn(before));
}

function isViewersTurn(table: TableState): boolean {
  const { turn, phase } = table.state;
  return phase === 'running' && turn !== undefined && turn === table.viewerSeat;
}

function soundEventOf({ event, seq, checks = [] }: Entry, { plies }: TableState): SoundEvent | null {
  switch (event.type) {
    case 'started':
      return 'start';
    case 'moved':
      if (checks.length > 0) return 'check';
      return plies.findLast((ply) => ply.seq === seq)?.captured ? 'capture' : 'move';
    case 'eliminated':
      return 'elimination';
    case 'ended':
    case 'aborted':
      return 'end';
    default:
      return null;
  }
}
