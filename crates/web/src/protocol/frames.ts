import type { ClientFrame, Entry, ServerFrame } from './generated.ts';

/** The WebSocket subprotocol of this client. */
export const SUBPROTOCOL = 'quadrex.v1';

/** The server frames with a given `t`. */
export type FrameOf<T extends ServerFrame['t']> = Extract<ServerFrame, { t: T }>;

/** The frames about one followed table. */
export type TableFrame = FrameOf<'snapshot' | 'event' | 'skip' | 'presence'>;
/** The frames about the lobby. */
export type LobbyFrame = FrameOf<'lobby' | 'lobby_table' | 'lobby_removed' | 'lobby_preview'>;
/** Frames about the user's own tables. */
export type OwnTablesFrame = FrameOf<'own_tables' | 'own_table' | 'own_table_removed'>;

/** A client frame that the server answers with `ack` or `refused`. */
export type Command = Extract<ClientFrame, { cmd: string }>;
/** A command without its id. */
export type CommandBody = Command extends infer C ? (C extends Command ? Omit<C, 'cmd'> : never) : never;

/** Returns the entry that an event frame adds to a match's history. */
export function entryOf(frame: FrameOf<'event'>): Entry {
  const { t: _, table: __, match: ___, state: ____, legal_moves: _____, hints: ______, ...entry } = frame;
  return entry;
}

const SERVER_FRAME_TYPES: Record<ServerFrame['t'], true> = {
  welcome: true,
  own_tables: true,
  own_table: true,
  own_table_removed: true,
  invitations: true,
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

/** Parses a text frame. Returns `null` for a frame of an unknown type, which the client ignores. */
export function readFrame(text: string): ServerFrame | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isServerFrame(value) ? value : null;
}

/** Returns whether a value has the `t` of a server frame. Its other fields are trusted. */
function isServerFrame(value: unknown): value is ServerFrame {
  if (typeof value !== 'object' || value === null || !('t' in value)) return false;
  return typeof value.t === 'string' && Object.hasOwn(SERVER_FRAME_TYPES, value.t);
}
