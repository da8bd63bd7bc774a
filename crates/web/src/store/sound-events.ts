import type { Entry } from '../protocol/generated.ts';
import type { TableState } from './table.ts';

/** Something at a table that is worth a sound. */
export type SoundEvent = 'start' | 'move' | 'capture' | 'check' | 'out' | 'end' | 'turn' | 'low';

/** The sounds by priority: when several things happen at once, only the first of these is heard, then the viewer's turn. */
const BY_PRIORITY: readonly SoundEvent[] = ['end', 'out', 'check', 'capture', 'move', 'start'];

/** Returns the sounds of a change of state. A client that has just joined, or returns after a long absence, plays none for past events. */
export function soundEventsBetween(before: TableState | null, after: TableState): SoundEvent[] {
  if (before === null || before.match !== after.match || after.seq <= before.seq) return [];
  const found = new Set(after.history.filter(({ seq }) => seq > before.seq).map((entry) => soundEventOf(entry, after)));
  const loudest = BY_PRIORITY.find((sound) => found.has(sound));
  const sounds: SoundEvent[] = loudest === undefined ? [] : [loudest];
  if (viewersTurnBegins(before, after)) sounds.push('turn');
  return sounds;
}

/** Returns whether the viewer's turn has just begun. */
export function viewersTurnBegins(before: TableState | null, after: TableState): boolean {
  return isViewersTurn(after) && (before === null || !isViewersTurn(before));
}

function isViewersTurn(table: TableState): boolean {
  const { turn, phase } = table.state;
  return phase === 'running' && turn !== undefined && turn === table.you;
}

function soundEventOf({ event, seq, checks = [] }: Entry, { plies }: TableState): SoundEvent | null {
  switch (event.type) {
    case 'started':
      return 'start';
    case 'moved':
      if (checks.length > 0) return 'check';
      return plies.findLast((ply) => ply.seq === seq)?.captured ? 'capture' : 'move';
    case 'eliminated':
      return 'out';
    case 'ended':
    case 'aborted':
      return 'end';
    default:
      return null;
  }
}
