/**
 * A bot for a Quadrex server: takes a seat at any table of a variant and plays to the end, and reconnects on the way.
 *
 *     node bot.ts http://127.0.0.1:8080 dilkel
 */
import type {
  ClientFrame, GuestCreated, MatchId, Move, Piece, QuickJoined, ServerFrame, Square, StateView, TableId,
} from '../../crates/web/src/protocol/generated.ts';

const VALUES: Record<string, number> = { P: 1, N: 3, B: 3, R: 5, Q: 9, K: 0 };

async function post<T>(url: string, body: object, token?: string): Promise<T> {
  const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Returns the second of the two squares of a move such as `h2h4` or `k7k14q`. */
const target = (mv: Move): Square => /^[a-z]\d+([a-z]\d+)/.exec(mv)?.[1] ?? mv;

/** Returns a random one of the moves that capture the most valuable piece, or of all moves if none captures. */
function choose(legalMoves: Move[], pieces: Map<Square, Piece>): Move {
  const value = (mv: Move): number => VALUES[pieces.get(target(mv))?.[1] ?? 'K'] ?? 0;
  const best = Math.max(...legalMoves.map(value));
  const choices = legalMoves.filter((mv) => value(mv) === best);
  return choices[Math.floor(Math.random() * choices.length)]!;
}

class Bot {
  private readonly table: TableId;
  private pieces = new Map<Square, Piece>();
  private state: StateView | undefined;
  /** The match, and its last event that was received. */
  private last: { match: MatchId; after: number } | undefined;
  /** The move without an answer, which is sent again after a reconnection. */
  private unanswered: Extract<ClientFrame, { t: 'move' }> | undefined;

  constructor(table: TableId) {
    this.table = table;
  }

  /** Returns the first frames on a new connection. */
  greet(token: string): ClientFrame[] {
    const again = this.unanswered ? [this.unanswered] : [];
    return [{ t: 'hello', token }, { t: 'watch', table: this.table, ...this.last }, ...again];
  }

  /** Handles a frame; returns the current state and a reply. */
  handle(frame: ServerFrame): { state?: StateView; reply?: ClientFrame } {
    if ((frame.t === 'ack' || frame.t === 'refused') && frame.cmd === this.unanswered?.cmd) this.unanswered = undefined;
    if (frame.t === 'snapshot') {
      this.state = frame.view.state;
      this.last = { match: frame.match, after: frame.seq };
      this.pieces = new Map(Object.entries(frame.view.pieces));
      return this.answer(this.state, frame.view.legal_moves, this.last);
    }
    if (frame.t === 'skip' && this.last) this.last.after = frame.seq;
    if (frame.t !== 'event' || !this.last || !this.state) return {};
    this.last.after = frame.seq;
    for (const [square, piece] of Object.entries(frame.squares ?? {})) {
      if (piece) this.pieces.set(square, piece);
      else this.pieces.delete(square);
    }
    // A JSON merge patch. The members that this bot uses never change in parts.
    this.state = { ...this.state, ...frame.state } as StateView;
    return this.answer(this.state, frame.legal_moves, this.last);
  }

  private answer(state: StateView, legalMoves: Move[] | undefined, last: { match: MatchId; after: number }) {
    if (!legalMoves?.length || state.suspension) return { state };
    const [cmd, mv] = [crypto.randomUUID(), choose(legalMoves, this.pieces)];
    this.unanswered = { t: 'move', table: this.table, cmd, match: last.match, after: last.after, move: mv };
    return { state, reply: this.unanswered };
  }
}

/** Plays on one connection; returns the final state, or nothing if the connection broke before the end. */
function play(server: string, token: string, bot: Bot): Promise<StateView | undefined> {
  const socket = new WebSocket(`${server.replace(/^http/, 'ws')}/ws`, 'quadrex.v1');
  const send = (frame: ClientFrame): void => socket.send(JSON.stringify(frame));
  return new Promise((resolve) => {
    socket.onopen = () => bot.greet(token).forEach(send);
    socket.onmessage = ({ data }) => {
      const { state, reply } = bot.handle(JSON.parse(String(data)) as ServerFrame);
      if (reply) send(reply);
      if (state?.phase === 'ended') resolve(state);
    };
    socket.onclose = socket.onerror = () => resolve(undefined);
  });
}

const [server = 'http://127.0.0.1:8080', variant = 'dilkel'] = process.argv.slice(2);
const { token } = await post<GuestCreated>(`${server}/api/guests`, { name: 'Grabber', bot: true });
const { table } = await post<QuickJoined>(`${server}/api/quick-join`, { variant }, token);
const bot = new Bot(table);
let end = await play(server, token, bot);
for (; !end; end = await play(server, token, bot)) await new Promise((resolve) => setTimeout(resolve, 1_000));
console.log(JSON.stringify(end.outcome ?? { aborted: end.aborted }));
process.exit();
