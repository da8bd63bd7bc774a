import type { ClientFrame, Entry, ServerFrame } from './generated.ts';

/** The WebSocket subprotocol this client speaks. */
export const SUBPROTOCOL = 'quadrex.v1';

/** A frame of one kind, by its `t`. */
export type FrameOf<T extends ServerFrame['t']> = Extract<ServerFrame, { t: T }>;

/** Frames about one watched table. */
export type TableFrame = FrameOf<'snapshot' | 'event' | 'skip' | 'presence'>;
/** Frames about the public tables. */
export type LobbyFrame = FrameOf<'lobby' | 'lobby_table' | 'lobby_removed' | 'lobby_preview'>;

/** A client frame that is answered by `ack` or `refused`. */
export type Command = Extract<ClientFrame, { cmd: string }>;
/** A command that has no name yet. */
export type CommandBody = Command extends infer C ? (C extends Command ? Omit<C, 'cmd'> : never) : never;

/** Returns the entry that an event frame adds to a match's history. */
export function entryOf(frame: FrameOf<'event'>): Entry {
  const { t: _, table: __, match: ___, state: ____, legal_moves: _____, ...entry } = frame;
  return entry;
}

const KINDS: Record<ServerFrame['t'], true> = {
  welcome: true,
  lobby: true,
  lobby_table: true,
  lobby_removed: true,
  lobby_preview: true,
  snapshot: true,
  watching: true,
  event: true,
  skip: true,
  ack: true,
  refused: true,
  presence: true,
  pong: true,
  closing: true,
};

/** Reads a text frame; `null` for what this client does not know, which is dropped and never guessed at. */
export function readFrame(text: string): ServerFrame | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isServerFrame(value) ? value : null;
}

/** The server's frames are trusted to have the fields their `t` promises. */
function isServerFrame(value: unknown): value is ServerFrame {
  if (typeof value !== 'object' || value === null || !('t' in value)) return false;
  return typeof value.t === 'string' && Object.hasOwn(KINDS, value.t);
}
