import { batch, computed, signal } from '@preact/signals';
import type { Delivery, Follower } from '../connection/follower.ts';
import type { CommandBody, TableFrame } from '../protocol/frames.ts';
import type {
  Color,
  Head,
  LinkCreated,
  Move,
  RefusalCode,
  Request,
  RequestAct,
  TableId,
} from '../protocol/generated.ts';
import type { Client } from './client.ts';
import type { TableKeys } from './keys.ts';
import { LegalMoves, partsOf } from './moves.ts';
import { withChanges, type Pieces } from './pieces.ts';
import { foldTable, type TableState } from './table.ts';

/** A move that was sent and is not yet part of the match. */
export interface PendingMove {
  readonly mv: Move;
  /** The last event when it was made. */
  readonly at: number;
}

/** Why a table cannot be shown. */
export interface Unavailable {
  readonly code: RefusalCode;
  readonly message: string;
}

/** One table as this page follows it: its state, what may be done, and the doing. */
export class TableStore implements Follower {
  readonly table: TableId;
  readonly state = signal<TableState | null>(null);
  readonly unavailable = signal<Unavailable | null>(null);
  readonly pending = signal<PendingMove | null>(null);
  /** What may be played now; nothing while a move is under way. */
  readonly legal = computed(() => new LegalMoves(this.pending.value === null ? (this.state.value?.legal ?? []) : []));
  /** The pieces as they are shown: a move under way is shown as made. */
  readonly pieces = computed((): Pieces => withPending(this.state.value?.pieces ?? {}, this.pending.value));
  readonly #client: Client;
  readonly #keys: TableKeys;

  constructor(client: Client, table: TableId, keys: TableKeys) {
    this.#client = client;
    this.table = table;
    this.#keys = keys;
  }

  /** Follows the table until the returned function is called. */
  follow(): () => void {
    return this.#client.connection.follow(this.table, this);
  }

  get key(): string | undefined {
    return this.#keys.invite ?? this.#keys.watch;
  }

  /** Whether this tab holds an invite to the table. */
  get invited(): boolean {
    return this.#keys.invite !== undefined;
  }

  /** Whether the table is the user's own. */
  get isHost(): boolean {
    const user = this.#client.user.value;
    return user !== null && this.state.value?.host.id === user.id;
  }

  position(): Head | null {
    const state = this.state.value;
    return state === null ? null : { match: state.match, seq: state.seq };
  }

  deliver(frame: TableFrame): Delivery {
    const context = { viewer: this.#client.user.value?.id ?? null, now_ms: performance.now() };
    const result = foldTable(this.state.value, frame, context);
    if (result.kind === 'gap') return 'gap';
    if (result.kind === 'changed') {
      batch(() => {
        this.state.value = result.state;
        this.unavailable.value = null;
        if (settles(frame, this.pending.value, result.state.you)) this.pending.value = null;
      });
    }
    return 'taken';
  }

  refused(code: RefusalCode, message: string): void {
    this.unavailable.value = { code, message };
  }

  /** Takes a seat, or any that the invite opens. */
  sit(seat: Color | null): Promise<void> {
    return this.#command({
      t: 'sit',
      table: this.table,
      ...(seat === null ? {} : { seat }),
      ...(this.#keys.invite === undefined ? {} : { invite: this.#keys.invite }),
    });
  }

  /** Gives the seat back before the start. */
  leave(): Promise<void> {
    return this.#command({ t: 'leave', table: this.table });
  }

  /** Makes a move. It is shown at once and taken back if the server refuses it. */
  async move(mv: Move): Promise<void> {
    const state = this.state.value;
    if (state === null || this.pending.value !== null) return;
    const pending: PendingMove = { mv, at: state.seq };
    this.pending.value = pending;
    const done = await this.#attempt({ t: 'move', table: this.table, at: state.seq, mv });
    if (!done && this.pending.value === pending) this.pending.value = null;
  }

  /** Goes out of the match. */
  resign(): Promise<void> {
    return this.#command({ t: 'resign', table: this.table });
  }

  /** Asks all players still in for their consent, or answers such a request. */
  request(request: Request, act: RequestAct): Promise<void> {
    return this.#command({ t: 'request', table: this.table, request, act });
  }

  /** Claims a draw by repetition or move count. */
  claimDraw(): Promise<void> {
    return this.#command({ t: 'claim_draw', table: this.table });
  }

  /** Makes an invite for one seat (good once) or for any (good until it expires); the host alone may. */
  async createInvite(seat: Color | null): Promise<string> {
    const body = seat === null ? ({ uses: 'open' } as const) : ({ seat, uses: 'single' } as const);
    return this.#link('invite', await this.#client.api.createInvite(this.table, body));
  }

  /** Makes a link for watching; the host alone may. */
  async createWatchLink(): Promise<string> {
    return this.#link('watch', await this.#client.api.createWatchLink(this.table));
  }

  #link(kind: 'invite' | 'watch', { secret }: LinkCreated): string {
    return `${location.origin}/t/${this.table}#${kind}=${secret}`;
  }

  async #command(body: CommandBody): Promise<void> {
    await this.#attempt(body);
  }

  async #attempt(body: CommandBody): Promise<boolean> {
    try {
      await this.#client.connection.command(body);
      return true;
    } catch (error) {
      this.#client.report(error);
      return false;
    }
  }
}

function withPending(pieces: Pieces, pending: PendingMove | null): Pieces {
  const parts = pending === null ? null : partsOf(pending.mv);
  const piece = parts === null ? undefined : pieces[parts.from];
  if (parts === null || piece === undefined) return pieces;
  const shown = parts.promotion === null ? piece : piece.charAt(0) + parts.promotion.toUpperCase();
  return withChanges(pieces, { [parts.from]: null, [parts.to]: shown });
}

/** Whether a move under way is over: it is on the board, or never will be. */
function settles(frame: TableFrame, pending: PendingMove | null, you: Color | null): boolean {
  if (pending === null || frame.t === 'presence' || frame.t === 'skip') return false;
  if (frame.t === 'snapshot') return frame.seq > pending.at;
  const { event } = frame;
  return event.type === 'ended' || ((event.type === 'moved' || event.type === 'eliminated') && event.color === you);
}
