import type { CommandBody, FrameOf, LobbyFrame, OwnTablesFrame } from '../protocol/frames.ts';
import type { ServerFrame, TableId } from '../protocol/generated.ts';
import { REFUSAL_WAIT_MS, type Follower } from './follower.ts';
import { Outbox } from './outbox.ts';
import { Subscriptions } from './subscriptions.ts';
import { Transport, type ConnectionEnvironment, type ConnectionState } from './transport.ts';

/** The callbacks for the owner of a connection. */
export interface ConnectionEvents {
  onState(state: ConnectionState): void;
  /** Called when the session has ended. The connection stays closed until it is reopened. */
  onSessionEnd(): void;
  /** Called when a suspension of the user has begun or ended. The connection reopens. */
  onRightsChange(): void;
  onWelcome(frame: FrameOf<'welcome'>): void;
  onLobby(frame: LobbyFrame): void;
  onOwnTables(frame: OwnTablesFrame): void;
  onInvitations(frame: FrameOf<'invitations'>): void;
}

/**
 * The connection to the server. On each new socket it subscribes again from the last received
 * events, and sends unanswered commands again. It handles frames only. The followers keep the state
 * of the tables.
 */
export class Connection {
  readonly #events: ConnectionEvents;
  readonly #outbox = new Outbox();
  readonly #subscriptions = new Subscriptions((frame) => this.#transport.send(frame));
  readonly #transport: Transport;

  constructor(events: ConnectionEvents, environment: ConnectionEnvironment) {
    this.#events = events;
    this.#transport = new Transport(
      {
        onState: (state) => events.onState(state),
        onSessionEnd: () => events.onSessionEnd(),
        onRightsChange: () => events.onRightsChange(),
        onFrame: (frame) => this.#handleFrame(frame),
        subscribe: () => this.#subscribe(),
        resubscribe: () => {
          this.#subscribe();
          this.#subscriptions.renewOwnTables();
        },
        onLoss: () => this.#subscriptions.stopWaiting(),
        topics: () => this.#subscriptions.topics(),
      },
      environment,
    );
  }

  /** Opens a connection unless one is open or opening. */
  connect(): void {
    this.#transport.connect();
  }

  /** Closes the connection and opens a new one, for example as another user. */
  reopen(): void {
    this.#transport.reopen();
  }

  /** Closes the connection after its session has ended, until it is reopened. */
  signOut(): void {
    this.#transport.signOut();
  }

  /** Checks the connection after the network has returned. */
  networkReturned(): void {
    this.#transport.networkReturned();
  }

  /** Checks the connection at once instead of at the next ping, after the page becomes visible. */
  checkNow(): void {
    this.#transport.checkNow();
  }

  /** Follows a table until the returned function is called. */
  follow(table: TableId, follower: Follower): () => void {
    return this.#subscriptions.follow(table, follower);
  }

  /** Follows the lobby until the returned function is called. */
  followLobby(): () => void {
    return this.#subscriptions.followLobby();
  }

  /**
   * Sends a command as soon as there is a connection, and again after each loss until it is
   * answered. Resolves with the number of the command's last event, or rejects with a `Refusal`.
   */
  command(body: CommandBody): Promise<number> {
    const { command, answer } = this.#outbox.add(body);
    this.#transport.send(command);
    return answer;
  }

  /** Subscribes to the tables and the lobby, and sends the unanswered commands, on a new socket. */
  #subscribe(): void {
    this.#subscriptions.renew();
    for (const command of this.#outbox.unanswered()) this.#transport.send(command);
  }

  #handleFrame(frame: ServerFrame): void {
    switch (frame.t) {
      case 'welcome':
        this.#events.onWelcome(frame);
        // A client without a user has no tables of its own.
        if (frame.user === null) this.#events.onOwnTables({ t: 'own_tables', tables: [] });
        this.#subscriptions.followOwnTables(frame.user !== null);
        break;
      case 'lobby':
      case 'lobby_table':
      case 'lobby_removed':
      case 'lobby_preview':
        this.#events.onLobby(frame);
        break;
      case 'own_tables':
      case 'own_table':
      case 'own_table_removed':
        this.#events.onOwnTables(frame);
        break;
      case 'invitations':
        this.#events.onInvitations(frame);
        break;
      case 'snapshot':
      case 'event':
      case 'skip':
      case 'presence':
        this.#subscriptions.deliver(frame);
        break;
      case 'ack':
        this.#outbox.acknowledge(frame);
        break;
      case 'refused':
        this.#handleRefusal(frame);
        break;
      case 'pong':
        this.#subscriptions.compareHeads(frame.heads);
        break;
      case 'watching':
      case 'closing':
        break;
    }
  }

  #handleRefusal(frame: FrameOf<'refused'>): void {
    if (frame.cmd !== undefined) this.#handleRefusedCommand(frame.cmd, frame);
    else if (frame.table !== undefined) this.#subscriptions.refuse(frame.table, frame);
    else console.warn('the server refused a frame', frame.code, frame.message);
  }

  /**
   * Handles the refusal of a command. After `closing` the command is sent again on the next
   * connection. After `rate_limited` a command is sent again soon, but a chat message is not,
   * because its writer can send it again.
   */
  #handleRefusedCommand(cmd: string, { code, message }: FrameOf<'refused'>): void {
    if (code === 'closing') return;
    if (code !== 'rate_limited' || this.#outbox.get(cmd)?.t === 'chat') return this.#outbox.refuse(cmd, code, message);
    setTimeout(() => {
      const command = this.#outbox.get(cmd);
      if (command !== undefined) this.#transport.send(command);
    }, REFUSAL_WAIT_MS);
  }
}
