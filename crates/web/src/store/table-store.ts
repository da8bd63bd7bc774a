import { batch, computed, signal, type Signal } from '@preact/signals';
import type { Delivery, Follower } from '../connection/follower.ts';
import { Refusal } from '../connection/outbox.ts';
import type { CommandBody, TableFrame } from '../protocol/frames.ts';
import type {
  BotChoice,
  Color,
  Head,
  LinkView,
  Move,
  RefusalCode,
  Request,
  RequestAction,
  Room,
  SeatView,
  TableId,
  UserId,
  ChatMessage,
} from '../protocol/generated.ts';
import { ownRoom } from './chat.ts';
import { mayClaimDrawWithMove } from './claims.ts';
import type { Client } from './client.ts';
import { createOpenInvite, forgetInvite, storedInvite, linkTo } from './invite-links.ts';
import type { TableSecrets } from './table-secrets.ts';
import { requestingSeat } from './own-seats.ts';
import type { NoticeContent } from './notices.ts';
import { LegalMoves, withMoveMade, type MoveParts, type PlayableMoves } from './moves.ts';
import type { Pieces } from './pieces.ts';
import { premoveFate, PremoveOptions, premoveColor, type Premove } from './premove.ts';
import { foldTable, freeSeats, type TableState } from './table.ts';

/** A move that was sent and is not part of the match yet. */
export interface PendingMove {
  readonly mv: Move;
  /** The number of the last event when the move was sent. */
  readonly after_seq: number;
}

/** The reason why a table cannot be shown. */
export interface Unavailable {
  readonly code: RefusalCode;
  readonly message: string;
}

/** A table that this page follows: its state, what the user can do there, and the commands. */
export class TableStore implements Follower {
  readonly table: TableId;
  readonly isPreview: boolean;
  readonly state = signal<TableState | null>(null);
  readonly unavailable = signal<Unavailable | null>(null);
  readonly pendingMove = signal<PendingMove | null>(null);
  /** The premove, which is sent on its turn. */
  readonly premove = signal<Premove | null>(null);
  /** Set to claim a draw together with the next move. */
  readonly claimsWithMove = signal(false);
  /** A premove whose turn has come while its promotion is not chosen yet. */
  readonly pendingPromotion = signal<MoveParts | null>(null);
  /** The invite for all free seats that this tab has created; `null` if it has created none. */
  readonly inviteLink: Signal<string | null>;
  /** The reason why the invite that was just opened gave no seat. */
  readonly seatRefusal = signal<RefusalCode | null>(null);
  /** The state of the invite that was just opened. */
  readonly #invitation = signal<'unused' | 'sitting' | 'used'>('unused');
  /** Counts the requests to watch the table. */
  readonly watchAttempt = signal(1);
  /** The legal moves. There are none while a sent move is unconfirmed or the match is paused. */
  readonly legalMoves = computed(() => {
    const state = this.state.value;
    const mayMove = state !== null && this.pendingMove.value === null && state.state.suspension === undefined;
    return new LegalMoves(mayMove ? state.legalMoves : []);
  });
  /** The displayed pieces. A move that the server has not confirmed yet is already made. */
  readonly pieces = computed((): Pieces => withMoveMade(this.state.value?.pieces ?? {}, this.pendingMove.value?.mv ?? null));
  /** The possible moves on the board: the legal moves or, on another player's turn, premoves. */
  readonly playable = computed((): PlayableMoves => {
    const state = this.state.value;
    const color = state === null ? null : premoveColor(state);
    const mayPremove = color !== null && this.#client.preferences.premove.value;
    return state === null || !mayPremove ? this.legalMoves.value : new PremoveOptions(state.pieces, color);
  });
  /**
   * Set if the server withheld the spectators' chat while the user played. A new snapshot contains
   * this chat.
   */
  #missedChat = false;
  /**
   * The user for whom the server made the last snapshot. A snapshot for another user contains other
   * data.
   */
  #snapshotViewer: UserId | null = null;
  readonly #client: Client;
  readonly #secrets: TableSecrets;

  constructor(client: Client, table: TableId, secrets: TableSecrets, mode: 'visit' | 'preview' = 'visit') {
    this.#client = client;
    this.table = table;
    this.isPreview = mode === 'preview';
    this.#secrets = secrets;
    this.inviteLink = signal(storedInvite(table));
  }

  /** Follows the table until the returned function is called. */
  follow(): () => void {
    return this.#client.connection.follow(this.table, this);
  }

  get #viewer(): UserId | null {
    return this.#client.user.value?.id ?? null;
  }

  get accessSecret(): string | undefined {
    return this.#secrets.invite ?? this.#secrets.watch;
  }

  /** Returns whether this tab has an invite to the table. */
  get hasInvite(): boolean {
    return this.#secrets.invite !== undefined;
  }

  /** Set if a guest could take a seat here with an account, because the table is rated. */
  readonly needsAccount = computed((): boolean => this.#isAdmitted.value && this.#lacksAccount.value);

  /** Set while an invite was just opened and the user has not been seated by it yet. */
  readonly awaitsInvitedSeat = computed((): boolean => {
    const state = this.state.value;
    const isVisitor = state !== null && this.#client.user.value !== null && state.ownSeats.length === 0 && !state.isKicked;
    const isRefused = state === null && this.unavailable.value?.code === 'forbidden';
    if (!this.hasInvite && state?.settings.admission !== 'open') return false;
    if (this.#lacksAccount.value) return false;
    return (isVisitor || isRefused) && this.#secrets.isNewInvite === true && this.#invitation.value !== 'used';
  });

  readonly #maySit = computed((): boolean => this.#isAdmitted.value && !this.#lacksAccount.value);

  /** Set for a guest at a rated table, whose seats are for users with an account. */
  readonly #lacksAccount = computed((): boolean => {
    const user = this.#client.user.value;
    return user !== null && user.account !== true && this.state.value?.settings.rated === true;
  });

  /** Set if the table admits the user to its free seats. */
  readonly #isAdmitted = computed((): boolean => {
    const state = this.state.value;
    if (state === null || state.state.phase !== 'open') return false;
    if (state.isKicked) return false;
    if (state.ownSeats.length > 0) return state.settings.hotseat;
    return state.settings.admission === 'open' || this.hasInvite || this.isHost;
  });

  readonly #isHost = computed((): boolean => {
    const user = this.#client.user.value;
    return user !== null && this.state.value?.host.id === user.id;
  });

  /** Returns whether the user is the host. */
  get isHost(): boolean {
    return this.#isHost.value;
  }

  /**
   * Returns whether the user may take an open seat. With open admission everybody may take one.
   * Otherwise only the host and users with an invite may. A seated user may take another seat only
   * at a hotseat table.
   */
  get maySit(): boolean {
    return this.#maySit.value;
  }

  head(): Head | null {
    const state = this.state.value;
    const isForOther = this.#snapshotViewer !== this.#viewer;
    return state === null || isForOther || this.#missedChat ? null : { match: state.match, seq: state.seq };
  }

  deliver(frame: TableFrame): Delivery {
    const context = { viewer: this.#viewer, now_ms: performance.now() };
    const result = foldTable(this.state.value, frame, context);
    if (result.kind === 'gap') return 'gap';
    if (result.kind === 'changed') {
      const hadHiddenChat = this.state.value?.hasSkippedEvents === true && ownRoom(this.state.value) === 'seated';
      batch(() => {
        this.state.value = result.state;
        this.unavailable.value = null;
        if (isMoveSettled(frame, this.pendingMove.value, result.state.ownSeats)) this.pendingMove.value = null;
        this.#updatePremove(result.state);
      });
      // A snapshot includes the spectators' chat that was withheld so far.
      if (frame.t === 'snapshot') {
        this.#missedChat = false;
        this.#snapshotViewer = context.viewer;
      } else if (hadHiddenChat && receivesAllChat(result.state)) this.#missedChat = true;
    }
    return this.#missedChat && frame.t !== 'presence' ? 'gap' : 'accepted';
  }

  onRefused(code: RefusalCode, message: string): void {
    this.unavailable.value = { code, message };
  }

  /**
   * Takes the given seat, or any seat that the invite allows. A seated user needs no invite. A user
   * who has not chosen a name is asked for a name first.
   */
  sit(seat: Color | null): Promise<void> {
    const sit = (): Promise<void> => this.#sit(seat);
    if (this.state.value?.settings.hotseat === true) return sit();
    return this.#client.nameQuestion.runWithName(sit).catch((error: unknown) => this.#client.report(error));
  }

  #sit(seat: Color | null): Promise<void> {
    const { invite } = this.#secrets;
    const isSeated = this.state.value !== null && this.state.value.ownSeats.length > 0;
    return this.#sendCommand({
      t: 'sit',
      table: this.table,
      ...(seat === null ? {} : { seat }),
      ...(invite === undefined || isSeated ? {} : { invite }),
    });
  }

  /**
   * Takes the seat of the invite that was just opened, or any free seat. If the user gets no seat,
   * records the reason. A user who has not chosen a name is asked for a name first.
   */
  async sitByInvite(): Promise<void> {
    const { invite } = this.#secrets;
    if (this.#secrets.isNewInvite !== true || this.#invitation.value !== 'unused') return;
    const hasStarted = this.state.value !== null && this.state.value.state.phase !== 'open';
    if (hasStarted) {
      this.#invitation.value = 'used';
      this.seatRefusal.value = this.state.value?.state.phase === 'ended' ? 'ended' : 'already_started';
      return;
    }
    this.#invitation.value = 'sitting';
    try {
      const sit = (): Promise<number> => this.#client.connection.command({ t: 'sit', table: this.table, ...(invite === undefined ? {} : { invite }) });
      await this.#client.nameQuestion.runWithName(sit);
      // Only seated users may watch some tables.
      if (this.state.value === null) {
        this.unavailable.value = null;
        this.watchAttempt.value += 1;
      }
    } catch (error) {
      if (error instanceof Refusal) this.seatRefusal.value = error.code;
      else this.#client.report(error);
    }
    this.#invitation.value = 'used';
  }

  /** Leaves one or all of the user's seats before the start, or the table after the end. */
  leave(seat: Color | null = null): Promise<void> {
    return this.#sendCommand({ t: 'leave', table: this.table, ...(seat === null ? {} : { seat }) });
  }

  /**
   * Kicks a user from all the user's seats, or a bot from one seat, before the start; host only.
   */
  kick(color: Color): Promise<void> {
    return this.#sendCommand({ t: 'kick', table: this.table, color });
  }

  /** Adds a bot to an open seat before the start; host only. */
  addBot(seat: Color, bot: BotChoice): Promise<void> {
    return this.#sendCommand({ t: 'add_bot', table: this.table, seat, bot });
  }

  /**
   * Adds bots to all free seats before the start; host only. When the last free seat is filled, the
   * match starts. A seat that another user takes meanwhile stays with that user.
   */
  async fillWithBots(bot: BotChoice): Promise<void> {
    const seats = this.state.value === null ? [] : freeSeats(this.state.value);
    const add = async ({ color }: SeatView): Promise<void> => {
      try {
        await this.#client.connection.command({ t: 'add_bot', table: this.table, seat: color, bot });
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'seat_taken') this.#client.report(error);
      }
    };
    await Promise.all(seats.map(add));
  }

  /** Sends a move. The board shows it at once and reverts it if the server refuses it. */
  async move(mv: Move): Promise<void> {
    const state = this.state.value;
    if (state === null || this.pendingMove.value !== null) return;
    const pending: PendingMove = { mv, after_seq: state.seq };
    this.pendingMove.value = pending;
    const claim = this.claimsWithMove.value && mayClaimDrawWithMove(state);
    this.claimsWithMove.value = false;
    const body = { t: 'move', table: this.table, after: state.seq, move: mv } as const;
    const done = await this.#tryCommand(claim ? { ...body, claim_draw: true } : body);
    if (!done && this.pendingMove.value === pending) this.pendingMove.value = null;
  }

  /** Sets the premove, which replaces an earlier one. Returns whether it was accepted. */
  setPremove(parts: MoveParts): boolean {
    const state = this.state.value;
    const color = state === null ? null : premoveColor(state);
    if (state === null || color === null || !this.playable.value.canGo(parts.from, parts.to)) return false;
    this.premove.value = { ...parts, color, match: state.match, after_seq: state.seq };
    return true;
  }

  /** Clears the premove. */
  cancelPremove(): void {
    this.premove.value = null;
  }

  /** Resigns a seat. */
  resign(seat: Color): Promise<void> {
    return this.#sendCommand({ t: 'resign', table: this.table, ...this.#seatField(seat) });
  }

  /**
   * Requests the consent of the remaining players, or answers such a request for all of the user's
   * seats.
   */
  request(request: Request, action: RequestAction): Promise<void> {
    const state = this.state.value;
    const seat = action !== 'ask' || state === null ? null : requestingSeat(state, request);
    return this.#sendCommand({ t: 'request', table: this.table, request, action, ...this.#seatField(seat) });
  }

  /** Resumes a paused match, after a countdown. */
  resume(): Promise<void> {
    return this.#sendCommand({ t: 'resume', table: this.table });
  }

  /** Requests a rematch from the players of this match, or answers such a request. */
  rematch(action: RequestAction): Promise<void> {
    return this.#sendCommand({ t: 'rematch', table: this.table, action });
  }

  /** Sends a chat message to a room. Returns whether it was accepted. */
  sendMessage(room: Room, message: ChatMessage): Promise<boolean> {
    return this.#tryCommand({ t: 'chat', table: this.table, room, message });
  }

  /** Claims a draw by repetition or move count. */
  claimDraw(): Promise<void> {
    return this.#sendCommand({ t: 'claim_draw', table: this.table });
  }

  /** Creates an invite to one seat (single use) or to any seat (until it expires); host only. */
  async createInvite(seat: Color | null): Promise<string> {
    const body = seat === null ? ({ uses: 'open' } as const) : ({ seat, uses: 'single' } as const);
    return linkTo(this.table, 'invite', await this.#client.api.createInvite(this.table, body));
  }

  /**
   * Returns the invite for all free seats that this tab has created, and creates one if there is
   * none; host only.
   */
  async inviteForAll(): Promise<string> {
    this.inviteLink.value ??= await createOpenInvite(this.#client.api, this.table);
    return this.inviteLink.value;
  }

  /** Creates a watch link; host only. */
  async createWatchLink(): Promise<string> {
    return linkTo(this.table, 'watch', await this.#client.api.createWatchLink(this.table));
  }

  /** Returns the links to this table that have not expired; host only. */
  async links(): Promise<LinkView[]> {
    return (await this.#client.api.links(this.table)).links;
  }

  /** Revokes a link and ends all subscriptions that were opened by it. */
  async revoke(link: LinkView): Promise<void> {
    await this.#client.api.revokeLink(this.table, link.id);
    if (link.kind === 'watch' || link.seat !== undefined) return;
    // The server does not return the secret of a link, so this may be the invite of this tab. The
    // tab forgets it and creates another invite when it needs one.
    forgetInvite(this.table);
    this.inviteLink.value = null;
  }

  /** Returns the field `seat` of a command. Only users with several seats need it. */
  #seatField(seat: Color | null): { seat?: Color } {
    const hasSeveral = (this.state.value?.ownSeats.length ?? 0) > 1;
    return seat !== null && hasSeveral ? { seat } : {};
  }

  /**
   * Sends the premove if its turn has come, asks for its promotion, or reports that it was dropped.
   */
  #updatePremove(state: TableState): void {
    const premove = this.premove.value;
    if (premove === null || this.pendingMove.value !== null) return;
    const fate = premoveFate(premove, state);
    if (fate.kind === 'wait') return;
    this.premove.value = null;
    if (fate.kind === 'play') void this.move(fate.mv);
    else if (fate.kind === 'choose') this.pendingPromotion.value = premove;
    else if (fate.kind === 'dropped') this.#client.notify(droppedPremove(premove, state));
  }

  async #sendCommand(body: CommandBody): Promise<void> {
    await this.#tryCommand(body);
  }

  async #tryCommand(body: CommandBody): Promise<boolean> {
    try {
      // A rematch may start while the client is offline. It must not receive a command for this
      // match.
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
 * Returns the notice about a dropped premove. A premove onto the square of an own piece is a
 * recapture, which is not needed if the piece was not captured.
 */
function droppedPremove({ from, to, color }: Premove, { pieces }: TableState): NoticeContent {
  const isOwn = new PremoveOptions(pieces, color).canMove(to);
  return { kind: isOwn ? 'premove_not_needed' : 'premove_illegal', from, to };
}

/** Returns whether the viewer now receives all chat of the table. */
function receivesAllChat(state: TableState): boolean {
  return state.state.phase !== 'running' || ownRoom(state) === 'bystanders';
}

/**
 * Returns whether a frame decides what happened to the pending move: the move is part of the match
 * now, or can no longer become part of it.
 */
function isMoveSettled(frame: TableFrame, pendingMove: PendingMove | null, ownSeats: readonly Color[]): boolean {
  if (pendingMove === null || frame.t === 'presence' || frame.t === 'skip') return false;
  if (frame.t === 'snapshot') return frame.seq > pendingMove.after_seq;
  const { event } = frame;
  return event.type === 'ended' || ((event.type === 'moved' || event.type === 'eliminated') && ownSeats.includes(event.color));
}
