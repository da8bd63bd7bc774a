import type { FrameOf, TableFrame } from '../protocol/frames.ts';
import type { ClientFrame, Head, TableId } from '../protocol/generated.ts';
import { Subscription, type Follower } from './follower.ts';
import type { Topic } from './overlap.ts';

/** All that the page follows: tables, the lobby, and the user's own tables. */
export class Subscriptions {
  readonly #send: (frame: ClientFrame) => void;
  readonly #tables = new Map<TableId, Subscription>();
  /** The number of followers of the lobby. */
  #lobbyFollowers = 0;
  #followsOwnTables = false;

  constructor(send: (frame: ClientFrame) => void) {
    this.#send = send;
  }

  /** Follows a table until the returned function is called. */
  follow(table: TableId, follower: Follower): () => void {
    const subscription = new Subscription(table, follower, this.#send);
    this.#tables.set(table, subscription);
    subscription.watch();
    return () => {
      subscription.stopWaiting();
      if (this.#tables.get(table) !== subscription) return;
      this.#tables.delete(table);
      this.#send({ t: 'unwatch', table });
    };
  }

  /** Follows the lobby until the returned function is called. */
  followLobby(): () => void {
    this.#lobbyFollowers += 1;
    if (this.#lobbyFollowers === 1) this.#send({ t: 'watch_lobby' });
    return () => {
      this.#lobbyFollowers -= 1;
      if (this.#lobbyFollowers === 0) this.#send({ t: 'unwatch_lobby' });
    };
  }

  /** Follows the own tables of the user whom the server has welcomed, or of nobody. */
  followOwnTables(hasUser: boolean): void {
    this.#followsOwnTables = hasUser;
    if (hasUser) this.#send({ t: 'watch_own_tables' });
  }

  /** Subscribes to the lobby and the tables again, from the last received events. */
  renew(): void {
    this.stopWaiting();
    if (this.#lobbyFollowers > 0) this.#send({ t: 'watch_lobby' });
    for (const subscription of this.#tables.values()) subscription.watch();
  }

  /** Subscribes to the own tables again. */
  renewOwnTables(): void {
    this.followOwnTables(this.#followsOwnTables);
  }

  /** Returns the subjects of all subscriptions. */
  topics(): Topic[] {
    const topics: Topic[] = [...this.#tables.keys()];
    if (this.#lobbyFollowers > 0) topics.push('lobby');
    if (this.#followsOwnTables) topics.push('own_tables');
    return topics;
  }

  /** Delivers a frame to the follower of its table. */
  deliver(frame: TableFrame): void {
    this.#tables.get(frame.table)?.deliver(frame);
  }

  /** Reports that the server has refused to show a table. */
  refuse(table: TableId, { code, message }: FrameOf<'refused'>): void {
    this.#tables.get(table)?.onRefused(code, message);
  }

  /** Requests the missing events of each table whose last event at the server is a later one. */
  compareHeads(heads: Readonly<Record<TableId, Head>>): void {
    for (const [table, subscription] of this.#tables) subscription.compareHead(heads[table]);
  }

  /** Stops waiting for missing events, after the connection is lost. */
  stopWaiting(): void {
    for (const subscription of this.#tables.values()) subscription.stopWaiting();
  }
}
