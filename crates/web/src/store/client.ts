import { batch, effect, signal } from '@preact/signals';
import type { Connection, ConnectionEvents } from '../connection/connection.ts';
import { Refusal } from '../connection/outbox.ts';
import type { ConnectionState } from '../connection/transport.ts';
import { SUBPROTOCOL, type FrameOf, type LobbyFrame, type OwnTablesFrame } from '../protocol/frames.ts';
import type { BotList, CreateTable, QuickJoin, QuickJoined, NewAccount, Session, TableCreated, UserView } from '../protocol/generated.ts';
import type { Api } from './api.ts';
import type { Credentials } from './credentials.ts';
import { BUILT_IN_BOTS } from './bot-choices.ts';
import { foldLobby, type LobbyState } from './lobby.ts';
import { Invitations } from './invitations.ts';
import { NameDeclined, NameQuestion } from './name-question.ts';
import { isSameNotice, type Notice, type NoticeContent } from './notices.ts';
import { OwnStatus } from './own-status.ts';
import { foldOwnTables, type OwnTables } from './own-tables.ts';
import type { Persistence } from './persistence.ts';
import { loadPreferences, type Preferences } from './preferences.ts';
import { Relations } from './relations.ts';
import { playerCount } from './variants.ts';

/** A handover that names another user than the present one. */
export interface HandoverOffer {
  readonly secret: string;
  readonly user: UserView;
  readonly currentUser: UserView;
}

/** The time for which a notice is shown, in milliseconds. */
const NOTICE_MS = 7_000;
/** The wait before a failed request for a session is sent again, in milliseconds. */
const SESSION_RETRY_MS = 2_000;

/** The state that all pages share: the user, the connection, the lobby and the notices. */
export class Client implements ConnectionEvents {
  readonly api: Api;
  readonly connection: Connection;
  /** The data that this browser stores for the user. */
  readonly persistence: Persistence;
  readonly relations: Relations;
  readonly invitations: Invitations;
  /** The preferences of the user. */
  readonly preferences: Preferences;
  readonly nameQuestion: NameQuestion;
  readonly connectionState = signal<ConnectionState>('connecting');
  readonly user = signal<UserView | null>(null);
  readonly status: OwnStatus;
  /** The user that this browser had before a handover and can return to. */
  readonly previousUser = signal<UserView | null>(null);
  /** The handover to another user, until the person at this browser accepts or declines it. */
  readonly handoverOffer = signal<HandoverOffer | null>(null);
  /** The user as whom this browser was signed in, from a sign-out until another session starts. */
  readonly signedOutUser = signal<UserView | null>(null);
  /** Set if that user was deleted. */
  readonly isDeleted = signal(false);
  /** Set while the page shows that this browser was signed out. */
  readonly isSignOutShown = signal(false);
  readonly publicTables = signal<LobbyState>(null);
  /** The unfinished tables of the user. */
  readonly ownTables = signal<OwnTables>(null);
  /** The bots that the server offers. */
  readonly bots = signal<BotList>(BUILT_IN_BOTS);
  readonly notices = signal<readonly Notice[]>([]);
  /**
   * Set if the server has another version than when this page was loaded. A reload loads the client
   * of that version.
   */
  readonly isOutdated = signal(false);
  /**
   * Set from the start of a session until a connection shows that the browser sends the session's
   * cookie.
   */
  #isCookieUnconfirmed = false;
  /**
   * The user after a change, from the change until the next connection. A connection that was being
   * opened at that time may welcome the user as before.
   */
  #changedUser: UserView | null = null;
  #loadedVersion: string | undefined;
  #botsRequest: Promise<void> | undefined;
  #nextNoticeId = 1;
  /** Resolves once the server has started the first session or refused it. */
  readonly #firstSession: Promise<void>;
  #resolveFirstSession: () => void = () => {};
  /** The attempt to start a session that is under way. */
  #pendingStart: Promise<void> | null = null;

  /** Creates a client. `connect` makes the connection, which reports its events to this client. */
  constructor(api: Api, persistence: Persistence, connect: (events: ConnectionEvents) => Connection) {
    this.api = api;
    this.persistence = persistence;
    this.relations = new Relations(api, persistence);
    this.invitations = new Invitations(api);
    this.preferences = loadPreferences(persistence);
    this.nameQuestion = new NameQuestion(persistence);
    this.status = new OwnStatus(api);
    effect(() => {
      this.status.follow(this.user.value);
      this.relations.follow(this.user.value);
      this.invitations.follow(this.user.value);
    });
    this.connection = connect(this);
    this.#firstSession = new Promise((resolve) => {
      this.#resolveFirstSession = resolve;
    });
  }

  /** Starts a session, with or without a handover, and then opens a connection as its user. */
  async start(handoverSecret?: string): Promise<void> {
    const start = this.#startSession(handoverSecret);
    this.#pendingStart = start;
    await start;
    if (this.#pendingStart === start) this.#pendingStart = null;
  }

  async #startSession(handoverSecret: string | undefined): Promise<void> {
    try {
      this.#useSession(await this.#requestSession(handoverSecret));
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'internal') this.notify({ kind: 'error', error });
      else return this.#retryLater(() => this.start(handoverSecret));
    }
    this.#resolveFirstSession();
    this.connection.reopen();
  }

  /**
   * Handles a handover from the address. If this browser has no user yet, or the handover is for
   * the same user, it is redeemed at once. Otherwise the person at this browser decides first.
   */
  async openHandover(handover: string): Promise<void> {
    try {
      const { user, you } = await this.api.previewHandover(handover);
      if (you === undefined || you.id === user.id) return await this.start(handover);
      this.handoverOffer.value = { secret: handover, user, currentUser: you };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'internal') return this.#retryLater(() => this.openHandover(handover));
      this.notify({ kind: 'error', error });
    }
    if (this.user.value === null) await this.start();
  }

  /** Redeems the offered handover, or declines it. */
  async answerHandover(accepted: boolean): Promise<void> {
    const offer = this.handoverOffer.value;
    this.handoverOffer.value = null;
    if (accepted && offer !== null) await this.start(offer.secret);
  }

  /** Returns to the user that this browser had before a handover. */
  async restorePreviousUser(): Promise<void> {
    try {
      this.#useSession(await this.api.restorePreviousUser());
      this.connection.reopen();
    } catch (error) {
      this.report(error);
    }
  }

  /**
   * Continues as the user of an account or of a recovery key, after the start of the first session,
   * whose answer would otherwise replace the user.
   */
  async signIn(credentials: Credentials): Promise<void> {
    this.#useSession(await this.#afterFirstSession(() => this.api.signIn(credentials)));
    this.nameQuestion.answered();
    this.connection.reopen();
  }

  /** Gives the user, a guest, an account, after the start of the first session. */
  createAccount(account: NewAccount): Promise<void> {
    return this.becomeAccount(() => this.api.createAccount(account));
  }

  /** Gives the user, a guest, an account by a request, after the start of the first session. */
  async becomeAccount(create: () => Promise<UserView>): Promise<void> {
    this.#changeUser(await this.#afterFirstSession(create));
    this.nameQuestion.answered();
  }

  /** Ends the session of this browser. */
  async signOut(): Promise<void> {
    const { sessions } = await this.api.sessions();
    const session = sessions.find(({ is_current }) => is_current);
    if (session !== undefined) await this.api.endSession(session.id);
    this.connection.signOut();
    this.#onSignedOut(this.user.value);
  }

  /** Deletes the user with the stored data. An account needs its password. */
  async deleteUser(password?: string): Promise<void> {
    const user = this.user.value;
    await this.api.deleteUser(password);
    this.connection.signOut();
    batch(() => {
      this.isDeleted.value = true;
      this.#onSignedOut(user);
    });
  }

  /** Starts a session as a new guest after a sign-out. */
  startAgain(): Promise<void> {
    this.isSignOutShown.value = false;
    return this.start();
  }

  /** Changes the user's name, and records that the user has chosen one. */
  async rename(name: string): Promise<void> {
    if (name !== this.user.value?.name) this.#changeUser(await this.api.rename(name));
    this.nameQuestion.answered();
  }

  /**
   * Creates a table, after the start of the first session. If others will play there, the user is
   * asked for a name first.
   */
  createTable(body: CreateTable): Promise<TableCreated> {
    const create = (): Promise<TableCreated> => this.api.createTable(body);
    return this.#afterFirstSession(() => (isForSeveralPeople(body) ? this.nameQuestion.runWithName(create) : create()));
  }

  /** Takes a seat at any suitable table, after the start of the first session and with a name. */
  quickJoin(body: QuickJoin): Promise<QuickJoined> {
    return this.#afterFirstSession(() => this.nameQuestion.runWithName(() => this.api.quickJoin(body)));
  }

  onState(state: ConnectionState): void {
    this.connectionState.value = state;
  }

  onSessionEnd(): void {
    void this.#checkSession();
  }

  onRightsChange(): void {
    void this.status.refresh();
  }

  onWelcome(frame: FrameOf<'welcome'>): void {
    const previous = this.user.value;
    const changed = this.#changedUser;
    this.#changedUser = null;
    batch(() => {
      this.#loadedVersion ??= frame.version;
      this.isOutdated.value = frame.version !== this.#loadedVersion || frame.protocol !== SUBPROTOCOL;
      if (frame.user !== null) this.user.value = frame.user.id === changed?.id ? changed : frame.user;
    });
    if (frame.user === null && previous !== null) {
      this.user.value = null;
      // The browser has dropped the cookie of the new session, so another session would not help.
      if (this.#isCookieUnconfirmed) this.notify({ kind: 'cookies_blocked' }, null);
      // The session has ended while there was no connection.
      else this.#onSignedOut(previous);
    }
    if (frame.user !== null) {
      this.#isCookieUnconfirmed = false;
      this.status.retry();
    }
    // Another tab has changed the user of this browser. The connection is reopened as the new user.
    if (frame.user !== null && previous !== null && frame.user.id !== previous.id) this.connection.reopen();
  }

  onLobby(frame: LobbyFrame): void {
    this.publicTables.value = foldLobby(this.publicTables.value, frame);
  }

  onOwnTables(frame: OwnTablesFrame): void {
    this.ownTables.value = foldOwnTables(this.ownTables.value, frame, performance.now());
  }

  onInvitations({ invitations }: FrameOf<'invitations'>): void {
    this.invitations.receive(invitations);
  }

  /** Requests the bots of the server once. After a failure only the built-in bots are offered. */
  loadBots(): Promise<void> {
    this.#botsRequest ??= this.api.bots().then(
      (bots) => {
        this.bots.value = bots;
      },
      () => {
        // The next call sends the request again.
        this.#botsRequest = undefined;
      },
    );
    return this.#botsRequest;
  }

  /**
   * Shows a notice for a while. If `shown_ms` is `null`, the notice stays until the user dismisses
   * it.
   */
  notify(content: NoticeContent, shown_ms: number | null = NOTICE_MS): void {
    const notice: Notice = { id: this.#nextNoticeId, content };
    this.#nextNoticeId += 1;
    const others = this.notices.value.filter((earlier) => !isSameNotice(earlier.content, content));
    this.notices.value = [...others.slice(-2), notice];
    if (shown_ms !== null) setTimeout(() => this.dismiss(notice.id), shown_ms);
  }

  /** Removes a notice. */
  dismiss(id: number): void {
    this.notices.value = this.notices.value.filter((notice) => notice.id !== id);
  }

  /**
   * Shows an error as a notice. An action that ended because the user closed a question is no
   * error. If this browser was signed out, that is shown instead. If the user is suspended, the
   * reason and the end are shown, and if the user has to wait for a rated match, the time left.
   */
  report(error: unknown): void {
    if (error instanceof NameDeclined) return;
    if (error instanceof Refusal && error.code === 'unauthenticated' && this.signedOutUser.value !== null) {
      this.isSignOutShown.value = true;
      return;
    }
    if (error instanceof Refusal && error.code === 'suspended') void this.#reportSuspension(error);
    else if (error instanceof Refusal && error.code === 'rated_wait') void this.#reportRatedWait(error);
    else if (error instanceof Error) this.notify({ kind: 'error', error });
    else throw error;
  }

  /**
   * Resolves once the server has started the first session or refused it. If it has started, the
   * user is known.
   */
  untilSessionKnown(): Promise<void> {
    return this.user.value === null ? this.#firstSession : Promise.resolve();
  }

  /**
   * Sends a request after the start of the first session, and not during a start. A connection may
   * have reported the user before the session's answer arrives.
   */
  #afterFirstSession<T>(send: () => Promise<T>): Promise<T> {
    const known = this.user.value === null ? this.#firstSession : this.#pendingStart;
    return known === null ? send() : known.then(send);
  }

  /** Requests a session. If the handover is refused, it shows why and keeps the present user. */
  async #requestSession(handover: string | undefined): Promise<Session> {
    if (handover === undefined) return this.api.session();
    try {
      return await this.api.session(handover);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'internal') throw error;
      this.notify({ kind: 'error', error });
      return this.api.session();
    }
  }

  /**
   * Reconnects if this browser has a session. After the end of the connection's session that is
   * another one, which a tab has started meanwhile. If there is none, this browser is signed out.
   */
  async #checkSession(): Promise<void> {
    try {
      await this.api.me();
      if (this.connectionState.value === 'signed_out') this.connection.reopen();
    } catch (error) {
      if (this.connectionState.value !== 'signed_out') return;
      if (error instanceof Refusal && error.code !== 'internal') this.#onSignedOut(this.user.value);
      else this.#retryLater(() => this.#checkSession());
    }
  }

  async #reportSuspension(refusal: Refusal): Promise<void> {
    if (this.status.suspension.value === null) await this.status.refresh();
    const suspension = this.status.suspension.value;
    this.notify(suspension === null ? { kind: 'error', error: refusal } : { kind: 'suspended', suspension });
  }

  async #reportRatedWait(refusal: Refusal): Promise<void> {
    await this.status.refresh();
    const wait = this.status.ratedWait.value;
    this.notify(wait === null ? { kind: 'error', error: refusal } : { kind: 'rated_wait', until_ms: wait.until_ms });
  }

  #onSignedOut(user: UserView | null): void {
    batch(() => {
      this.signedOutUser.value = user;
      this.isSignOutShown.value = true;
      this.user.value = null;
      this.ownTables.value = [];
    });
  }

  #changeUser(user: UserView): void {
    this.user.value = user;
    if (this.connectionState.value !== 'online') this.#changedUser = user;
  }

  #useSession({ user, previous_user }: Session): void {
    batch(() => {
      this.signedOutUser.value = null;
      this.isDeleted.value = false;
      this.isSignOutShown.value = false;
      this.user.value = user;
      this.previousUser.value = previous_user ?? null;
    });
    this.#isCookieUnconfirmed = true;
  }

  #retryLater(action: () => Promise<void>): void {
    setTimeout(() => void action(), SESSION_RETRY_MS);
  }
}

/** Returns whether people other than the host can take seats at a new table. */
function isForSeveralPeople({ hotseat, bots, variant }: CreateTable): boolean {
  return hotseat !== true && (bots ?? []).length < playerCount(variant) - 1;
}
