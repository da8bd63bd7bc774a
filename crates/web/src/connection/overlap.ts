import type { ServerFrame, TableId } from '../protocol/generated.ts';
import { isTransient } from './follower.ts';
import type { Socket } from './socket.ts';

/** The subject of a subscription: a table, the lobby, or the user's own tables. */
export type Topic = TableId | 'lobby' | 'own_tables';

/**
 * The time in which a socket has been replaced by the current one and is still open. The frames of a
 * topic are taken from the replaced socket until the current one has answered the subscription, and
 * then only from the current one. So no event is missed, and no older state replaces a newer one.
 */
export class Overlap {
  readonly replaced: Socket;
  readonly #answered = new Set<Topic>();

  constructor(replaced: Socket) {
    this.replaced = replaced;
  }

  /** Records the topic of a frame that the current socket has received. */
  recordAnswer(frame: ServerFrame): void {
    const isRetried = frame.t === 'refused' && isTransient(frame.code);
    const topic = topicOf(frame);
    if (topic !== null && !isRetried) this.#answered.add(topic);
  }

  /**
   * Returns whether a frame of the replaced socket is needed. A refused command is not: it has been
   * sent again on the current socket, whose answer counts.
   */
  needs(frame: ServerFrame): boolean {
    const topic = topicOf(frame);
    return frame.t === 'ack' || (topic !== null && !this.#answered.has(topic));
  }

  /** Returns whether the current socket has answered the subscriptions to all these topics. */
  isOver(topics: readonly Topic[]): boolean {
    return topics.every((topic) => this.#answered.has(topic));
  }
}

/** Returns the subject of a frame, or `null` for a frame that belongs to no subscription. */
function topicOf(frame: ServerFrame): Topic | null {
  switch (frame.t) {
    case 'lobby':
    case 'lobby_table':
    case 'lobby_removed':
    case 'lobby_preview':
      return 'lobby';
    case 'own_tables':
    case 'own_table':
    case 'own_table_removed':
    case 'invitations':
      return 'own_tables';
    case 'snapshot':
    case 'watching':
    case 'event':
    case 'skip':
    case 'presence':
      return frame.table;
    case 'refused':
      return frame.cmd === undefined ? (frame.table ?? null) : null;
    case 'welcome':
    case 'ack':
    case 'pong':
    case 'closing':
      return null;
  }
}
