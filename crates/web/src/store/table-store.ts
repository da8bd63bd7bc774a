import { batch, computed, signal } from '@preact/signals';
import type { Delivery, Follower } from '../connection/follower.ts';
import type { CommandBody, TableFrame } from '../protocol/frames.ts';
import type {
  BotChoice,
  Color,
  Head,
  LinkCreated,
  LinkView,
  Move,
  RefusalCode,
  Request,
  RequestAction,
  Room,
  TableId,
  UserId,
  ChatMessage,
} from '../protocol/generated.ts';
import { roomOf } from './chat.ts';
import { mayClaimWithMove } from './claims.ts';
import type { Client } from './client.ts';
import type { TableSecrets } from './table-secrets.ts';
import { askingSeat } from './own-seats.ts';
import type { NoticeContent } from './notices.ts';
import { LegalMoves, withMoveMade, type MoveParts, type Playable } from './moves.ts';
import type { Pieces } from './pieces.ts';
import { fateOf, PremoveOptions, premoveColor, type Premove } from './premove.ts';
import { foldTable, type TableState } from './table.ts';

/** A move that was sent and is not yet part of the match. */
export interface PendingMove {
  readonly mv: Move;
  /** The number of the last event at that time. */
  readonly at: number;
}

/** Reason why a table cannot be shown. */
export interface Unavailable {
  readonly code: RefusalCode;
  readonly message: string;
}

/** A table that this page follows: its state, what the user may do, and the commands. */
export class TableStore implements Follower {
  readonly table: TableId;
  readonly isPreview: boolean;
  readonly state = signal<TableState | null>(null);
  readonly unavailable = signal<Unavailable | null>(null);
  readonly pending = signal<PendingMove | null>(null);
  /** The premove, if there is one. */
  readonly premove = signal<Premove | null>(null);
  /** Set to claim a draw with the next move. */
  readonly claiming = signal(false);
  /** A premove whose turn has come, but whose promotion is not chosen yet. */
  readonly undecided = signal<MoveParts | null>(null);
  /** The moves that may be played now; none while a move is under way or the match is paused. */
  readonly legal = computed(() => {
    const state = this.state.value;
    const mayMove = state !== null && this.pending.value === null && state.state.suspension === undefined;
    return new LegalMoves(mayMove ? state.legal : []);
  });
  /** The pieces as they are shown: a move under way is shown as made. */
  readonly pieces = computed((): Pieces => withMoveMade(this.state.value?.pieces ?? {}, this.pending.value?.mv ?? null));
  /** The choices on the board: the user's legal moves or, on others' turns, premoves. */
  readonly playable = computed((): Playable => {
    const state = this.state.value;
    const color = state === null ? null : premoveColor(state);
    const held = color !== null && this.#client.preferences.premove.value;
    return state === null || !held ? this.legal.value : new PremoveOptions(state.pieces, color);
  });
  /** Set if bystanders' chat was withheld while the user played; a new snapshot brings it. */
  #missedChat = false;
  /** The user that the last snapshot was for; another user sees other data. */
  #snapshotViewer: UserId | null = null;
  readonly #client: Client;
  readonly #keys: TableSecrets;

  constructor(client: Client, table: TableId, keys: TableSecrets, mode: 'visit' | 'preview' = 'visit') {
    this.#client = client;
    this.table = table;
    this.isPreview = mode === 'preview';
    this.#keys = keys;
  }

  /** Follows the table until the returned function is called. */
  follow(): () => void {
    return this.#client.connection.follow(this.table, this);
  }

  get #viewer(): UserId | null {
    return this.#client.user.value?.id ?? null;
  }

  get accessSecret(): string | undefined {
    return this.#keys.invite ?? this.#keys.watch;
  }

  /** True if this tab has an invite to the table. */
  get invited(): boolean {
    return this.#keys.invite !== undefined;
  }

  /** True if the user is the host. */
  get isHost(): boolean {
    const user = this.#client.user.value;
    return user !== null && this.state.value?.host.id === user.id;
  }

  /**
   * True if the user may take an open seat: everybody if admission is open, otherwise the host and users with
   * an invite. A seated user may take another seat only at a hotseat table.
   */
  get maySit(): boolean {
    const state = this.state.value;
    if (state === null || state.state.phase !== 'open') return false;
    if (state.yours.length > 0) return state.settings.hotseat;
    return state.settings.admission === 'open' || this.invited || this.isHost;
  }

  position(): Head | null {
    const state = this.state.value;
    const isForOther = this.#snapshotViewer !== this.#viewer;
    return state === null || isForOther || this.#missedChat ? null : { match: state.match, seq: state.seq };
  }

  deliver(frame: TableFrame): Delivery {
    const context = { viewer: this.#viewer, now_ms: performance.now() };
    const result = foldTable(this.state.value, frame, context);
    if (result.kind === 'gap') return 'gap';
    if (result.kind === 'changed') {
      const hadSkipped = this.state.value?.skipped === true && roomOf(this.state.value) === 'seated';
      batch(() => {
        this.state.value = result.state;
        this.unavailable.value = null;
        if (settles(frame, this.pending.value, result.state.yours)) this.pending.value = null;
        this.#judgePremove(result.state);
      });
      // A snapshot has the bystanders' chat that was withheld so far.
      if (frame.t === 'snapshot') {
        this.#missedChat = false;
        this.#snapshotViewer = context.viewer;
      } else if (hadSkipped && readsAll(result.state)) this.#missedChat = true;
    }
    return this.#missedChat && frame.t !== 'presence' ? 'gap' : 'taken';
  }

  refused(code: RefusalCode, message: string): void {
    this.unavailable.value = { code, message };
  }

  /** Takes the given seat, or any that the invite allows. A seated user needs no invite. */
  sit(seat: Color | null): Promise<void> {
    const { invite } = this.#keys;
    const sits = this.state.value !== null && this.state.value.yours.length > 0;
    return this.#command({
      t: 'sit',
      table: this.table,
      ...(seat === null ? {} : { seat }),
      ...(invite === undefined || sits ? {} : { invite }),
    });
  }

  /** Gives up a seat before the start, or all of the user's; after the end, leaves the table. */
  leave(seat: Color | null = null): Promise<void> {
    return this.#command({ t: 'leave', table: this.table, ...(seat === null ? {} : { seat }) });
  }

  /** Kicks a user from all seats, or a bot from one, before the start; host only. */
  kick(color: Color): Promise<void> {
    return this.#command({ t: 'kick', table: this.table, color });
  }

  /** Adds a bot to an open seat before the start; host only. */
  addBot(seat: Color, bot: BotChoice): Promise<void> {
    return this.#command({ t: 'add_bot', table: this.table, seat, bot });
  }

  /** Makes a move. It is shown at once and taken back if the server refuses it. */
  async move(mv: Move): Promise<void> {
    const state = this.state.value;
    if (state === null || this.pending.value !== null) return;
    const pending: PendingMove = { mv, at: state.seq };
    this.pending.value = pending;
    const claim = this.claiming.value && mayClaimWithMove(state);
    this.claiming.value = false;
    const body = { t: 'move', table: this.table, after: state.seq, move: mv } as const;
    const done = await this.#attempt(claim ? { ...body, claim_draw: true } : body);
    if (!done && this.pending.value === pending) this.pending.value = null;
  }

  /** Sets the premove and replaces any other. Returns whether it was accepted. */
  setPremove(parts: MoveParts): boolean {
    const state = this.state.value;
    const color = state === null ? null : premoveColor(state);
    if (state === null || color === null || !this.playable.value.canGo(parts.from, parts.to)) return false;
    this.premove.value = { ...parts, color, match: state.match, after: state.seq };
    return true;
  }

  /** Clears the premove. */
  cancelPremove(): void {
    this.premove.value = null;
  }

  /** Resigns a seat. */
  resign(seat: Color): Promise<void> {
    return this.#command({ t: 'resign', table: this.table, ...this.#named(seat) });
  }

  /** Asks the remaining players for their consent, or answers such a request for all of the user's seats. */
  request(request: Request, action: RequestAction): Promise<void> {
    const state = this.state.value;
    const seat = action !== 'ask' || state === null ? null : askingSeat(state, request);
    return this.#command({ t: 'request', table: this.table, request, action, ...this.#named(seat) });
  }

  /** Resumes a paused match, after a countdown. */
  resume(): Promise<void> {
    return this.#command({ t: 'resume', table: this.table });
  }

  /** Asks the players of this match for a rematch, or answers. */
  rematch(action: RequestAction): Promise<void> {
    return this.#command({ t: 'rematch', table: this.table, action });
  }

  /** Sends a chat message to a room. Returns whether it was accepted. */
  say(room: Room, message: ChatMessage): Promise<boolean> {
    return this.#attempt({ t: 'chat', table: this.table, room, message });
  }

  /** Claims a draw by repetition or move count. */
  claimDraw(): Promise<void> {
    return this.#command({ t: 'claim_draw', table: this.table });
  }

  /** Creates an invite to one seat (single use) or to any seat (until it expires); host only. */
  async createInvite(seat: Color | null): Promise<string> {
    const body = seat === null ? ({ uses: 'open' } as const) : ({ seat, uses: 'single' } as const);
    return this.#link('invite', await this.#client.api.createInvite(this.table, body));
  }

  /** Creates a watch link; host only. */
  async createWatchLink(): Promise<string> {
    return this.#link('watch', await this.#client.api.createWatchLink(this.table));
  }

  /** Returns the links to this table that have not expired; host only. */
  async links(): Promise<LinkView[]> {
    return (await this.#client.api.links(this.table)).links;
  }

  /** Revokes a link, which ends what is watched by it. */
  revoke(link: LinkView): Promise<void> {
    return this.#client.api.revokeLink(this.table, link.id);
  }

  /** Returns the field `seat`, which is needed only by users with several seats. */
  #named(seat: Color | null): { seat?: Color } {
    const several = (this.state.value?.yours.length ?? 0) > 1;
    return seat !== null && several ? { seat } : {};
  }

  #link(kind: 'invite' | 'watch', { secret }: LinkCreated): string {
    return `${location.origin}/t/${this.table}#${kind}=${secret}`;
  }

  /** Plays the premove that is due, asks for its promotion, or reports that it was dropped. */
  #judgePremove(state: TableState): void {
    const premove = this.premove.value;
    if (premove === null || this.pending.value !== null) return;
    const fate = fateOf(premove, state);
    if (fate.kind === 'wait') return;
    this.premove.value = null;
    if (fate.kind === 'play') void this.move(fate.mv);
    else if (fate.kind === 'choose') this.undecided.value = premove;
    else if (fate.kind === 'dropped') this.#client.notify(droppedPremove(premove, state));
  }

  async #command(body: CommandBody): Promise<void> {
    await this.#attempt(body);
  }

  async #attempt(body: CommandBody): Promise<boolean> {
    try {
      // If a new match starts while the client is offline, it must not receive a command meant for this one.
      const match = this.state.peek()?.match;
      await this.#client.connection.command(match === undefined ? body : { ...body, match });
      return true;
    } catch (error) {
      this.#client.report(error);
      return false;
    }
  }
}

/**
 * Returns the notice about a dropped premove. A premove onto an own piece is a recapture: if that
 * piece was not captured, the premove was not needed.
 */
function droppedPremove({ from, to, color }: Premove, { pieces }: TableState): NoticeContent {
  const isOwn = new PremoveOptions(pieces, color).canMove(to);
  return { kind: isOwn ? 'premove_not_needed' : 'premove_illegal', from, to };
}

/** Returns whether the viewer now receives all chat of the table. */
function readsAll(state: TableState): boolean {
  return state.state.phase !== 'running' || roomOf(state) === 'bystanders';
}

/** Returns whether a pending move is settled: it is on the board, or never will be. */
function settles(frame: TableFrame, pending: PendingMove | null, yours: readonly Color[]): boolean {
  if (pending === null || frame.t === 'presence' || frame.t === 'skip') return false;
  if (frame.t === 'snapshot') return frame.seq > pending.at;
  const { event } = frame;
  return event.type === 'ended' || ((event.type === 'moved' || event.type === 'eliminated') && yours.includes(event.color));
}
