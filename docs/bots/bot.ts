/**
 * A bot for a Quadrex server: takes a seat at any table of a game and plays to the end, over lines that may break.
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

/** The second of the two squares of a move, as in `h2h4` or `k7k14q`. */
const target = (mv: Move): Square => /^[a-z]\d+([a-z]\d+)/.exec(mv)?.[1] ?? mv;

/** The dearest piece that can be taken; of several, and without any, by chance. */
function choose(legal: Move[], pieces: Map<Square, Piece>): Move {
  const worth = (mv: Move): number => VALUES[pieces.get(target(mv))?.[1] ?? 'K'] ?? 0;
  const best = Math.max(...legal.map(worth));
  const dearest = legal.filter((mv) => worth(mv) === best);
  return dearest[Math.floor(Math.random() * dearest.length)]!;
}

class Bot {
  private readonly table: TableId;
  private pieces = new Map<Square, Piece>();
  private state: StateView | undefined;
  /** How far the match is known. */
  private known: { match: MatchId; after: number } | undefined;
  /** The move that has no answer yet: it is sent again when the line has broken. */
  private unanswered: Extract<ClientFrame, { t: 'move' }> | undefined;

  constructor(table: TableId) {
    this.table = table;
  }

  /** What to say first on a new line. */
  greet(token: string): ClientFrame[] {
    const again = this.unanswered ? [this.unanswered] : [];
    return [{ t: 'hello', token }, { t: 'watch', table: this.table, ...this.known }, ...again];
  }

  /** Takes in a frame: what is true now, and what to say to it. */
  hear(frame: ServerFrame): { state?: StateView; say?: ClientFrame } {
    if ((frame.t === 'ack' || frame.t === 'refused') && frame.cmd === this.unanswered?.cmd) this.unanswered = undefined;
    if (frame.t === 'snapshot') {
      this.state = frame.view.state;
      this.known = { match: frame.match, after: frame.seq };
      this.pieces = new Map(Object.entries(frame.view.pieces));
      return this.answer(this.state, frame.view.legal_moves, this.known);
    }
    if (frame.t === 'skip' && this.known) this.known.after = frame.seq;
    if (frame.t !== 'event' || !this.known || !this.state) return {};
    this.known.after = frame.seq;
    for (const [square, piece] of Object.entries(frame.squares ?? {})) {
      if (piece) this.pieces.set(square, piece);
      else this.pieces.delete(square);
    }
    // What has changed of it; of what is looked at here, nothing is changed in parts.
    this.state = { ...this.state, ...frame.state } as StateView;
    return this.answer(this.state, frame.legal_moves, this.known);
  }

  private answer(state: StateView, legal: Move[] | undefined, known: { match: MatchId; after: number }) {
    if (!legal?.length || state.suspension) return { state };
    const [cmd, mv] = [crypto.randomUUID(), choose(legal, this.pieces)];
    this.unanswered = { t: 'move', table: this.table, cmd, match: known.match, after: known.after, move: mv };
    return { state, say: this.unanswered };
  }
}

/** Over one line: how the match ended, or nothing if the line broke before that. */
function talk(server: string, token: string, bot: Bot): Promise<StateView | undefined> {
  const line = new WebSocket(`${server.replace(/^http/, 'ws')}/ws`, 'quadrex.v1');
  const send = (frame: ClientFrame): void => line.send(JSON.stringify(frame));
  return new Promise((resolve) => {
    line.onopen = () => bot.greet(token).forEach(send);
    line.onmessage = ({ data }) => {
      const { state, say } = bot.hear(JSON.parse(String(data)) as ServerFrame);
      if (say) send(say);
      if (state?.phase === 'ended') resolve(state);
    };
    line.onclose = line.onerror = () => resolve(undefined);
  });
}

const [server = 'http://127.0.0.1:8080', variant = 'dilkel'] = process.argv.slice(2);
const { token } = await post<GuestCreated>(`${server}/api/guests`, { name: 'Grabber', bot: true });
const { table } = await post<QuickJoined>(`${server}/api/quick-join`, { variant }, token);
const bot = new Bot(table);
let end = await talk(server, token, bot);
for (; !end; end = await talk(server, token, bot)) await new Promise((resolve) => setTimeout(resolve, 1_000));
console.log(JSON.stringify(end.outcome ?? { aborted: end.aborted }));
process.exit();
