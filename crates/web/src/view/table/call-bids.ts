/** The time for which a tab waits for the bids of other tabs, in milliseconds. */
const BIDDING_MS = 150;
/** The number of decided calls that a tab remembers. */
const MAX_DECIDED = 50;

/** A bid of a tab to play the sound of a call, or the answer that another tab has decided already. */
interface BidMessage {
  readonly key: string;
  readonly tab: string;
  readonly isVisible: boolean;
  readonly isDecided: boolean;
}

/** The part of a `BroadcastChannel` that bids need. */
export type BidChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'>;

/**
 * The choice of the tab that plays the sound of a call, for browsers without locks, which have none
 * on pages over plain HTTP. Each tab makes a bid to all others and waits a moment for theirs. A
 * visible tab wins against hidden ones. A tab that is late learns that the call is decided.
 */
export class CallBids {
  readonly #channel: BidChannel;
  readonly #tab = randomName();
  /** The best bid of the other tabs for each call that is not decided yet. */
  readonly #best = new Map<string, BidMessage>();
  readonly #decided = new Set<string>();

  constructor(channel: BidChannel) {
    this.#channel = channel;
    channel.addEventListener('message', (event) => this.#handle((event as MessageEvent<BidMessage>).data));
  }

  /** Returns whether this tab plays the sound of a call. */
  async mayPlay(key: string, isVisible: boolean): Promise<boolean> {
    const own: BidMessage = { key, tab: this.#tab, isVisible, isDecided: this.#decided.has(key) };
    if (own.isDecided) return false;
    this.#channel.postMessage(own);
    await new Promise((resolve) => setTimeout(resolve, BIDDING_MS));
    const best = this.#best.get(key);
    const wins = !this.#decided.has(key) && (best === undefined || isBetter(own, best));
    this.#decide(key);
    return wins;
  }

  close(): void {
    this.#channel.close();
  }

  #handle(message: BidMessage): void {
    const { key, isDecided } = message;
    if (isDecided) {
      this.#decide(key);
    } else if (this.#decided.has(key)) {
      this.#channel.postMessage({ ...message, tab: this.#tab, isDecided: true } satisfies BidMessage);
    } else {
      const best = this.#best.get(key);
      if (best === undefined || isBetter(message, best)) this.#best.set(key, message);
    }
  }

  #decide(key: string): void {
    this.#best.delete(key);
    this.#decided.add(key);
    const [oldest] = this.#decided;
    if (this.#decided.size > MAX_DECIDED && oldest !== undefined) this.#decided.delete(oldest);
  }
}

function isBetter(one: BidMessage, other: BidMessage): boolean {
  return one.isVisible === other.isVisible ? one.tab < other.tab : one.isVisible;
}

/** Returns a name that no other tab has. Pages over plain HTTP have no `crypto.randomUUID`. */
function randomName(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
}

/** Opens the channel of all tabs of this browser, if it has such channels. */
export function openBidChannel(): BidChannel | null {
  try {
    return new BroadcastChannel('quadrex.calls');
  } catch {
    return null;
  }
}
