import { batch, signal } from '@preact/signals';
import type { Connection, ConnectionEvents, LineState } from '../connection/connection.ts';
import { Refusal } from '../connection/outbox.ts';
import { SUBPROTOCOL, type FrameOf, type LobbyFrame } from '../protocol/frames.ts';
import type { BotList, CreateTable, QuickJoin, QuickJoined, Session, TableCreated, TableId, TableSummary, UserView } from '../protocol/generated.ts';
import type { Api } from './api.ts';
import { BUILT_IN } from './bot-choices.ts';
import { foldLobby, type LobbyState } from './lobby.ts';
import { Mutes } from './mutes.ts';
import { isSameNotice, type Notice, type NoticeContent } from './notices.ts';
import type { Persistence } from './persistence.ts';
import { keptPreferences, type Preferences } from './preferences.ts';

/** A handover by its secret, whom it names, and who this browser is. */
export interface HandoverOffer {
  readonly secret: string;
  readonly user: UserView;
  readonly you: UserView;
}

/** The time for which a notice is shown, in milliseconds. */
const NOTICE_MS = 7_000;
/** The wait before a failed request for a session is repeated, in milliseconds. */
const SESSION_AGAIN_MS = 2_000;

/** The state that the whole page shares: the user, the connection, the lobby, notices. */
export class Client implements ConnectionEvents {
  readonly api: Api;
  readonly connection: Connection;
  /** The data that this browser stores for the user. */
  readonly persistence: Persistence;
  /** Users whose messages are hidden. */
  readonly mutes: Mutes;
  /** The preferences of the user. */
  readonly preferences: Preferences;
  readonly lineState = signal<LineState>('connecting');
  readonly user = signal<UserView | null>(null);
  /** The user that this browser was before a handover, and can become again. */
  readonly previousUser = signal<UserView | null>(null);
  /** A handover to another user than this browser is, until somebody has decided about it. */
  readonly offer = signal<HandoverOffer | null>(null);
  readonly publicTables = signal<LobbyState>(null);
  /**
   * Unfinished tables of the user, as of the server's last answer; the lobby's frames are newer for
   * those in its window.
   */
  readonly ownTables = signal<readonly TableSummary[]>([]);
  /** The bots this server has. */
  readonly bots = signal<BotList>(BUILT_IN);
  readonly notices = signal<readonly Notice[]>([]);
  /** The server has another version than when this page was loaded: a reload would bring the client that fits. */
  readonly outdated = signal(false);
  /** A session has begun, and no line has come with its cookie yet. */
  #unproven = false;
  #version: string | undefined;
  #learning: Promise<void> | undefined;
  #nextNotice = 1;
  /** Settled once the server has said who one is, or has refused to. */
  readonly #introduced: Promise<void>;
  #introduce: () => void = () => {};

  /** The connection needs somebody to report to and the client needs the connection, so the client makes it. */
  constructor(api: Api, persistence: Persistence, connect: (events: ConnectionEvents) => Connection) {
    this.api = api;
    this.persistence = persistence;
    this.mutes = new Mutes(persistence);
    this.preferences = keptPreferences(persistence);
    this.connection = connect(this);
    this.#introduced = new Promise((resolve) => {
      this.#introduce = resolve;
    });
  }

  /** Becomes somebody (a guest on the first visit, with a handover who one is elsewhere), then opens the line as that user. */
  async start(handover?: string): Promise<void> {
    try {
      this.#begin(await this.#become(handover));
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'internal') this.notify({ kind: 'error', error });
      else return this.#later(() => this.start(handover));
    }
    this.#introduce();
    this.connection.reopen();
  }

  /**
   * Takes a handover from the address. A browser that is nobody, or the same user, becomes that user at once; one that is
   * somebody else stays so until the user has decided.
   */
  async receive(handover: string): Promise<void> {
    try {
      const { user, you } = await this.api.previewHandover(handover);
      if (you === undefined || you.id === user.id) return await this.start(handover);
      this.offer.value = { secret: handover, user, you };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'internal') return this.#later(() => this.receive(handover));
      this.notify({ kind: 'error', error });
    }
    if (this.user.value === null) await this.start();
  }

  /** Takes the handover that is offered, or leaves it. */
  async decide(takes: boolean): Promise<void> {
    const offer = this.offer.value;
    this.offer.value = null;
    if (takes && offer !== null) await this.start(offer.secret);
  }

  /** Becomes the user again that a handover took the place of. */
  async goBack(): Promise<void> {
    try {
      this.#begin(await this.api.goBack());
      this.connection.reopen();
    } catch (error) {
      this.report(error);
    }
  }

  /** Makes a table. Who presses before the page is somebody waits for that. */
  createTable(wish: CreateTable): Promise<TableCreated> {
    return this.#onceSomebody(() => this.api.createTable(wish));
  }

  /** Takes a seat at any table that fits; waits as `createTable` does. */
  quickJoin(wish: QuickJoin): Promise<QuickJoined> {
    return this.#onceSomebody(() => this.api.quickJoin(wish));
  }

  line(state: LineState): void {
    this.lineState.value = state;
  }

  welcome(frame: FrameOf<'welcome'>): void {
    const known = this.user.value;
    batch(() => {
      this.#version ??= frame.version;
      this.outdated.value = frame.version !== this.#version || frame.protocol !== SUBPROTOCOL;
      if (frame.user !== null) this.user.value = frame.user;
    });
    if (frame.user === null && known !== null) {
      this.user.value = null;
      // Nobody comes of a cookie that the browser does not keep, however often it is asked for.
      if (this.#unproven) this.notify({ kind: 'cookies_blocked' }, null);
      // The server no longer knows this browser's cookie (a new database, say): become somebody again.
      else void this.start();
    }
    if (frame.user !== null) this.#unproven = false;
    // This browser has become somebody else in another tab: what is followed was asked for as who one was.
    if (frame.user !== null && known !== null && frame.user.id !== known.id) this.connection.reopen();
  }

  lobby(frame: LobbyFrame): void {
    this.publicTables.value = foldLobby(this.publicTables.value, frame);
    // It is over, or has no place in the window any more: only one's own list tells which.
    if (frame.t === 'lobby_removed' && this.ownTables.value.some(({ table }) => table === frame.table)) void this.refreshOwnTables();
  }

  /** Returns whether the server publishes a public table unasked. */
  isLive(table: TableId): boolean {
    return this.publicTables.value?.tables.some((summary) => summary.table === table) === true;
  }

  /**
   * Requests the user's own tables; private ones, and public ones outside the window, are published
   * nowhere else.
   */
  async refreshOwnTables(): Promise<void> {
    try {
      const { tables } = await this.api.me();
      this.ownTables.value = tables;
    } catch {
      // Nobody yet, or the server is away: the line's state shows it.
    }
  }

  /** Asks which bots there are, once; a server that does not say has those that all have. */
  learnBots(): Promise<void> {
    this.#learning ??= this.api.bots().then(
      (bots) => {
        this.bots.value = bots;
      },
      () => {
        // Asked again when they are wanted next.
        this.#learning = undefined;
      },
    );
    return this.#learning;
  }

  /** Shows a notice for a while, or with `null` until the user dismisses it. */
  notify(content: NoticeContent, shown_ms: number | null = NOTICE_MS): void {
    const notice: Notice = { id: this.#nextNotice, content };
    this.#nextNotice += 1;
    const others = this.notices.value.filter((shown) => !isSameNotice(shown.content, content));
    this.notices.value = [...others.slice(-2), notice];
    if (shown_ms !== null) setTimeout(() => this.dismiss(notice.id), shown_ms);
  }

  /** Takes a notice away. */
  dismiss(id: number): void {
    this.notices.value = this.notices.value.filter((notice) => notice.id !== id);
  }

  /** Shows why something was refused. */
  report(error: unknown): void {
    if (error instanceof Error) this.notify({ kind: 'error', error });
    else throw error;
  }

  #onceSomebody<T>(ask: () => Promise<T>): Promise<T> {
    return this.user.value === null ? this.#introduced.then(ask) : ask();
  }

  /** A handover that is no longer good is said to be so, and one stays who one is. */
  async #become(handover: string | undefined): Promise<Session> {
    if (handover === undefined) return this.api.session();
    try {
      return await this.api.session(handover);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'internal') throw error;
      this.notify({ kind: 'error', error });
      return this.api.session();
    }
  }

  #begin({ user, previous_user }: Session): void {
    batch(() => {
      this.user.value = user;
      this.previousUser.value = previous_user ?? null;
    });
    this.#unproven = true;
  }

  #later(again: () => Promise<void>): void {
    setTimeout(() => void again(), SESSION_AGAIN_MS);
  }
}
