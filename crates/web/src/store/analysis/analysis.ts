import { batch, computed, signal } from '@preact/signals';
import { REFUSAL_WAIT_MS } from '../../connection/follower.ts';
import { Refusal } from '../../connection/outbox.ts';
import type { Exploration, ExploredPly, ExploreSetup, Move } from '../../protocol/generated.ts';
import type { Api } from '../api.ts';
import { LegalMoves, withMoveMade } from '../moves.ts';
import { withChanges, type Pieces } from '../pieces.ts';
import { analysisRoot, exploreRequest, type AnalysisRoot } from './analysis-root.ts';
import {
  parentOf, lineEnd, isAncestorOrSelf, nodeAt, EMPTY_TREE, mainChild, pathTo, withPromotedLine, START, withMove, withoutNode, type LineTree, type NodeId,
} from './line-tree.ts';

/** The server's facts about the position of a node. */
export type NodeFacts = Pick<Exploration, 'state' | 'legal_moves' | 'fen' | 'notation'>;

/**
 * The reason for a failed request. `unreachable` means that the server did not answer. Another
 * attempt may succeed.
 */
export interface ExploreProblem {
  readonly kind: 'refused' | 'unreachable';
  readonly error: Error;
}

/** A request to the server that is under way. */
interface ExploreRequest {
  readonly abortController: AbortController;
  /** The node to explore; `undefined` for a new analysis. */
  readonly node: NodeId | undefined;
}

/**
 * An analysis: a tree of moves from one position, the current node, and the server's facts about
 * each node.
 */
export class Analysis {
  readonly root = signal<AnalysisRoot | null>(null);
  readonly tree = signal<LineTree>(EMPTY_TREE);
  readonly currentNode = signal<NodeId>(START);
  /** The move that leads to each node, with its changes of the board. */
  readonly plies = signal<Readonly<Record<NodeId, ExploredPly>>>({});
  readonly factsByNode = signal<Readonly<Record<NodeId, NodeFacts>>>({});
  /** Set while a request to the server is under way. */
  readonly isBusy = signal(false);
  readonly problem = signal<ExploreProblem | null>(null);
  /**
   * The pieces at the current node. They include the effect of a move that the server has not
   * explored yet.
   */
  readonly pieces = computed((): Pieces => this.#piecesAt(this.currentNode.value));
  readonly currentFacts = computed((): NodeFacts | null => this.factsByNode.value[this.currentNode.value] ?? null);
  /** The legal moves at the current node; none until the server has answered. */
  readonly legal = computed(() => new LegalMoves(this.currentFacts.value?.legal_moves ?? []));
  readonly #api: Pick<Api, 'explore'>;
  #pendingRequest: ExploreRequest | undefined;
  /** The last request about a node. */
  #nodeRequest: Promise<void> | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Pick<Api, 'explore'>) {
    this.#api = api;
  }

  /**
   * Begins a new analysis from a setup and the moves after it. Returns false and keeps the present
   * analysis if the server could not read the setup or the moves.
   */
  async begin(setup: ExploreSetup, moves: readonly Move[] = [], ply?: number): Promise<boolean> {
    const exploration = await this.#request({ setup, moves: [...moves] });
    if (exploration === null) return false;
    const { root, tree, plies } = analysisRoot(setup, exploration, moves.length);
    const end = lineEnd(tree, START);
    const at = ply === undefined ? end : (pathTo(tree, end)[ply - 1] ?? (ply <= 0 ? START : end));
    batch(() => {
      this.root.value = root;
      this.tree.value = tree;
      this.plies.value = plies;
      this.factsByNode.value = { [end]: exploration };
      this.currentNode.value = at;
    });
    await this.exploreCurrent();
    return true;
  }

  /** Restores a stored analysis. */
  restore(root: AnalysisRoot, tree: LineTree, plies: Readonly<Record<NodeId, ExploredPly>>, currentNode: NodeId): void {
    batch(() => {
      this.root.value = root;
      this.tree.value = tree;
      this.plies.value = plies;
      this.factsByNode.value = {};
      this.currentNode.value = currentNode;
    });
    void this.exploreCurrent();
  }

  /** Plays a move at the current node. */
  playMove(mv: Move): Promise<void> {
    return this.playMoves([mv]);
  }

  /** Plays moves one after another from the current node. */
  async playMoves(moves: readonly Move[]): Promise<void> {
    let [tree, node] = [this.tree.value, this.currentNode.value];
    for (const mv of moves) ({ tree, node } = withMove(tree, node, mv));
    batch(() => {
      this.tree.value = tree;
      this.currentNode.value = node;
      this.problem.value = null;
    });
    await this.exploreCurrent();
  }

  /** Goes to a node. Its facts are not requested: `exploreCurrent` does that. */
  goTo(node: NodeId): void {
    this.currentNode.value = node;
  }

  /** Goes one move forward or back, or to the start or end of the line. */
  step(direction: 'forward' | 'back' | 'start' | 'end'): void {
    const [tree, at] = [this.tree.value, this.currentNode.value];
    const to = { forward: () => mainChild(tree, at), back: () => parentOf(tree, at), start: () => START, end: () => lineEnd(tree, at) }[direction]();
    if (to !== null) this.goTo(to);
  }

  /** Makes the side line of a node the main continuation at the point where it branches off. */
  promote(node: NodeId): void {
    this.tree.value = withPromotedLine(this.tree.value, node);
  }

  /**
   * Removes a move and all moves after it. If the current node is removed, the node before the move
   * becomes the current node.
   */
  remove(node: NodeId): void {
    const cut = withoutNode(this.tree.value, node);
    batch(() => {
      if (isAncestorOrSelf(this.tree.value, node, this.currentNode.value)) this.currentNode.value = cut.node;
      this.tree.value = cut.tree;
    });
  }

  /**
   * Requests the facts about the current node if they are not known. A request about another node
   * is canceled.
   */
  async exploreCurrent(): Promise<void> {
    const node = this.currentNode.value;
    const request = this.#exploreIfUnknown(node);
    if (request !== null) await request;
  }

  /**
   * Returns the whole line through the current node as PGN or PGN4, or `null` if the server does
   * not answer.
   */
  async notation(): Promise<string | null> {
    const end = lineEnd(this.tree.value, this.currentNode.value);
    await this.#exploreIfUnknown(end);
    return this.factsByNode.value[end]?.notation ?? null;
  }

  #exploreIfUnknown(node: NodeId): Promise<void> | null {
    const root = this.root.value;
    if (root === null) return null;
    if (this.factsByNode.value[node] !== undefined) {
      // A request for a new analysis continues. A request about another node is no longer needed.
      if (this.#pendingRequest?.node !== undefined) this.#cancelRequest();
      return null;
    }
    if (this.#pendingRequest?.node !== node) this.#nodeRequest = this.#exploreNode(root, node);
    return this.#nodeRequest;
  }

  async #exploreNode(root: AnalysisRoot, node: NodeId): Promise<void> {
    const path = pathTo(this.tree.value, node);
    const exploration = await this.#request(exploreRequest(root, this.tree.value, node), node);
    if (exploration === null || this.root.value !== root) return;
    batch(() => {
      const explored = path.flatMap((place, index) => {
        const ply = exploration.line[index];
        return ply === undefined ? [] : [[place, ply] as const];
      });
      this.plies.value = { ...this.plies.value, ...Object.fromEntries(explored) };
      this.factsByNode.value = { ...this.factsByNode.value, [node]: exploration };
    });
  }

  /**
   * Sends a request. Returns `null` if the server refuses it or is unreachable, or if another
   * request replaces it.
   */
  async #request(body: Parameters<Api['explore']>[0], node?: NodeId): Promise<Exploration | null> {
    this.#cancelRequest();
    const request: ExploreRequest = { abortController: new AbortController(), node };
    this.#pendingRequest = request;
    this.isBusy.value = true;
    try {
      const exploration = await this.#api.explore(body, request.abortController.signal);
      if (this.#pendingRequest !== request) return null;
      this.problem.value = null;
      return exploration;
    } catch (error) {
      if (this.#pendingRequest === request) this.#handleError(error, node);
      return null;
    } finally {
      if (this.#pendingRequest === request) {
        this.#pendingRequest = undefined;
        this.isBusy.value = false;
      }
    }
  }

  /** Cancels the pending request. */
  #cancelRequest(): void {
    clearTimeout(this.#retryTimer);
    this.#pendingRequest?.abortController.abort();
    this.#pendingRequest = undefined;
    this.isBusy.value = false;
  }

  #handleError(error: unknown, node: NodeId | undefined): void {
    if (error instanceof Refusal && error.code === 'rate_limited' && node !== undefined) {
      this.#retryTimer = setTimeout(() => void this.exploreCurrent(), REFUSAL_WAIT_MS);
    } else if (error instanceof Refusal && error.code !== 'internal') {
      // A move that the server refuses is illegal, and is removed from the tree.
      if (node !== undefined && this.plies.value[node] === undefined) this.remove(node);
      this.problem.value = { kind: 'refused', error };
    } else {
      this.problem.value = { kind: 'unreachable', error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #piecesAt(node: NodeId): Pieces {
    let pieces: Pieces = this.root.value?.start ?? {};
    for (const place of pathTo(this.tree.value, node)) {
      const ply = this.plies.value[place];
      pieces = ply === undefined ? withMoveMade(pieces, nodeAt(this.tree.value, place).mv) : withChanges(pieces, ply.squares);
    }
    return pieces;
  }
}
