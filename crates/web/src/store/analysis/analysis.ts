import { batch, computed, signal } from '@preact/signals';
import { SLOW_DOWN_MS } from '../../connection/follower.ts';
import { Refusal } from '../../connection/outbox.ts';
import type { Exploration, ExploredPly, ExploreSetup, Move } from '../../protocol/generated.ts';
import type { Api } from '../api.ts';
import { LegalMoves, withMoveMade } from '../moves.ts';
import { withChanges, type Pieces } from '../pieces.ts';
import { analysisRoot, requestFor, type AnalysisRoot } from './analysis-root.ts';
import {
  backward, endOf, leadsTo, nodeAt, NO_LINES, onward, pathTo, promoted, START, withMove, without, type LineTree, type NodeId,
} from './line-tree.ts';

/** The server's facts about a node. */
export type Outlook = Pick<Exploration, 'state' | 'legal_moves' | 'fen' | 'notation'>;

/** Reason for a failed request: `away` if the server was unreachable and may be asked again. */
export interface Problem {
  readonly kind: 'refused' | 'away';
  readonly error: Error;
}

/** A question to the server that is under way. */
interface Question {
  readonly until: AbortController;
  /** The place it is about; none if it is about a new beginning. */
  readonly node: NodeId | undefined;
}

/** Moves tried from a position: the tree of them, where in it one is, and what the server says about each place. */
export class Analysis {
  readonly ground = signal<AnalysisRoot | null>(null);
  readonly tree = signal<LineTree>(NO_LINES);
  readonly at = signal<NodeId>(START);
  /** The changes of each move, by the node that it leads to. */
  readonly plies = signal<Readonly<Record<NodeId, ExploredPly>>>({});
  readonly outlooks = signal<Readonly<Record<NodeId, Outlook>>>({});
  /** Set while a request to the server is under way. */
  readonly busy = signal(false);
  readonly problem = signal<Problem | null>(null);
  /** The pieces where one is; a move the server has not yet looked at is shown as made. */
  readonly pieces = computed((): Pieces => this.#piecesAt(this.at.value));
  readonly outlook = computed((): Outlook | null => this.outlooks.value[this.at.value] ?? null);
  /** The legal moves at the current node; none until the server has answered. */
  readonly legal = computed(() => new LegalMoves(this.outlook.value?.legal_moves ?? []));
  readonly #api: Pick<Api, 'explore'>;
  #asked: Question | undefined;
  /** Settled when the last question about a place is. */
  #awaited: Promise<void> | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Pick<Api, 'explore'>) {
    this.#api = api;
  }

  /** Begins anew from a setup, with moves after it. Says whether the server could read it; if not, all stays as it is. */
  async begin(setup: ExploreSetup, moves: readonly Move[] = [], ply?: number): Promise<boolean> {
    const found = await this.#ask({ setup, moves: [...moves] });
    if (found === null) return false;
    const { ground, tree, plies } = analysisRoot(setup, found, moves.length);
    const end = endOf(tree, START);
    const at = ply === undefined ? end : (pathTo(tree, end)[ply - 1] ?? (ply <= 0 ? START : end));
    batch(() => {
      this.ground.value = ground;
      this.tree.value = tree;
      this.plies.value = plies;
      this.outlooks.value = { [end]: found };
      this.at.value = at;
    });
    await this.look();
    return true;
  }

  /** Goes on with what was analysed before. */
  takeUp(ground: AnalysisRoot, tree: LineTree, plies: Readonly<Record<NodeId, ExploredPly>>, at: NodeId): void {
    batch(() => {
      this.ground.value = ground;
      this.tree.value = tree;
      this.plies.value = plies;
      this.outlooks.value = {};
      this.at.value = at;
    });
    void this.look();
  }

  /** Tries a move where one is. */
  play(mv: Move): Promise<void> {
    return this.follow([mv]);
  }

  /** Tries moves one after another from where one is. */
  async follow(moves: readonly Move[]): Promise<void> {
    let [tree, node] = [this.tree.value, this.at.value];
    for (const mv of moves) ({ tree, node } = withMove(tree, node, mv));
    batch(() => {
      this.tree.value = tree;
      this.at.value = node;
      this.problem.value = null;
    });
    await this.look();
  }

  /** Goes to a place. What may be tried there is asked for by `look`. */
  goTo(node: NodeId): void {
    this.at.value = node;
  }

  /** Goes a move on or back, to the start or to the end of the line. */
  step(way: 'on' | 'back' | 'start' | 'end'): void {
    const [tree, at] = [this.tree.value, this.at.value];
    const to = { on: () => onward(tree, at), back: () => backward(tree, at), start: () => START, end: () => endOf(tree, at) }[way]();
    if (to !== null) this.goTo(to);
  }

  /** Puts the side line a place is on before the line it left. */
  promote(node: NodeId): void {
    this.tree.value = promoted(this.tree.value, node);
  }

  /** Drops a move and all that follows it; who is there goes to the place before. */
  remove(node: NodeId): void {
    const cut = without(this.tree.value, node);
    batch(() => {
      if (leadsTo(this.tree.value, node, this.at.value)) this.at.value = cut.node;
      this.tree.value = cut.tree;
    });
  }

  /** Asks for what is not yet known of the place where one is. What was asked before and is still awaited is given up. */
  async look(): Promise<void> {
    const node = this.at.value;
    const known = this.#lookUp(node);
    if (known !== null) await known;
  }

  /** The whole line that one is on, as PGN or PGN4; `null` if the server does not say. */
  async notation(): Promise<string | null> {
    const end = endOf(this.tree.value, this.at.value);
    await this.#lookUp(end);
    return this.outlooks.value[end]?.notation ?? null;
  }

  #lookUp(node: NodeId): Promise<void> | null {
    const ground = this.ground.value;
    if (ground === null) return null;
    if (this.outlooks.value[node] !== undefined) {
      // A new beginning is still wanted; a place where one is no longer is not.
      if (this.#asked?.node !== undefined) this.#giveUp();
      return null;
    }
    if (this.#asked?.node !== node) this.#awaited = this.#explore(ground, node);
    return this.#awaited;
  }

  async #explore(ground: AnalysisRoot, node: NodeId): Promise<void> {
    const path = pathTo(this.tree.value, node);
    const found = await this.#ask(requestFor(ground, this.tree.value, node), node);
    if (found === null || this.ground.value !== ground) return;
    batch(() => {
      const known = path.flatMap((place, index) => {
        const ply = found.line[index];
        return ply === undefined ? [] : [[place, ply] as const];
      });
      this.plies.value = { ...this.plies.value, ...Object.fromEntries(known) };
      this.outlooks.value = { ...this.outlooks.value, [node]: found };
    });
  }

  /** Asks the server; `null` if it refuses, is away, or something else was asked meanwhile. */
  async #ask(body: Parameters<Api['explore']>[0], node?: NodeId): Promise<Exploration | null> {
    this.#giveUp();
    const asked: Question = { until: new AbortController(), node };
    this.#asked = asked;
    this.busy.value = true;
    try {
      const found = await this.#api.explore(body, asked.until.signal);
      if (this.#asked !== asked) return null;
      this.problem.value = null;
      return found;
    } catch (error) {
      if (this.#asked === asked) this.#failed(error, node);
      return null;
    } finally {
      if (this.#asked === asked) {
        this.#asked = undefined;
        this.busy.value = false;
      }
    }
  }

  /** Cancels the present request. */
  #giveUp(): void {
    clearTimeout(this.#again);
    this.#asked?.until.abort();
    this.#asked = undefined;
    this.busy.value = false;
  }

  #failed(error: unknown, node: NodeId | undefined): void {
    if (error instanceof Refusal && error.code === 'rate_limited' && node !== undefined) {
      this.#again = setTimeout(() => void this.look(), SLOW_DOWN_MS);
    } else if (error instanceof Refusal && error.code !== 'internal') {
      // A move that is not legal is not kept.
      if (node !== undefined && this.plies.value[node] === undefined) this.remove(node);
      this.problem.value = { kind: 'refused', error };
    } else {
      this.problem.value = { kind: 'away', error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #piecesAt(node: NodeId): Pieces {
    let pieces: Pieces = this.ground.value?.start ?? {};
    for (const place of pathTo(this.tree.value, node)) {
      const ply = this.plies.value[place];
      pieces = ply === undefined ? withMoveMade(pieces, nodeAt(this.tree.value, place).mv) : withChanges(pieces, ply.squares);
    }
    return pieces;
  }
}
