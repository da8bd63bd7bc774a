import { useEffect, useMemo } from 'preact/hooks';
import type { SoundEvent } from '../../store/sound-events.ts';
import { CallBids, openBidChannel, type BidChannel } from './call-bids.ts';
import type { SoundPlayer } from './sounds.ts';

/** The lock that all visible pages with sounds hold together. */
const VISIBLE = 'quadrex.visible';

/**
 * Plays the sounds of calls. Only one tab of this browser plays the sound of a call: a visible tab,
 * if there is one. The tabs determine it by locks, which the browser also releases when a tab
 * crashes. Pages over plain HTTP have no locks, so the tabs make bids there.
 */
export class CallSounds {
  readonly #player: SoundPlayer;
  readonly #locks: LockManager | null;
  /** The bids where there are no locks; `null` if the browser has no channels either. */
  readonly #bids: CallBids | null;
  /** Releases the lock of visible pages; `null` while this page is not visible. */
  #releaseVisible: (() => void) | null = null;
  /** Releases the lock of the last call that this page has played. */
  #releaseCall: () => void = () => {};

  constructor(player: SoundPlayer, locks: LockManager | null = navigator.locks ?? null, openChannel: () => BidChannel | null = openBidChannel) {
    this.#player = player;
    this.#locks = locks;
    const channel = locks === null ? openChannel() : null;
    this.#bids = channel === null ? null : new CallBids(channel);
  }

  /** Tells the other tabs whether this page is visible. Must be called after each change. */
  updateVisibility(): void {
    const isVisible = !document.hidden && this.#player.isEnabled;
    if (isVisible === (this.#releaseVisible !== null)) return;
    this.#releaseVisible?.();
    this.#releaseVisible = isVisible ? this.#hold(VISIBLE, { mode: 'shared' }, () => undefined) : null;
  }

  /**
   * Plays the sounds of a call, unless another tab plays them. `key` identifies the call and is the
   * same in all tabs.
   */
  async play(key: string, events: readonly SoundEvent[]): Promise<void> {
    if (events.length === 0 || !this.#player.isEnabled) return;
    const mayPlay = await (this.#locks === null ? (this.#bids?.mayPlay(key, !document.hidden) ?? true) : this.#mayPlay(this.#locks, key));
    if (mayPlay) this.#player.play(events);
  }

  /** Releases all locks when the page closes. */
  close(): void {
    this.#bids?.close();
    this.#releaseVisible?.();
    this.#releaseVisible = null;
    this.#releaseCall();
  }

  async #mayPlay(locks: LockManager, key: string): Promise<boolean> {
    try {
      if (document.hidden) {
        const { held = [] } = await locks.query();
        if (held.some(({ name }) => name === VISIBLE)) return false;
      }
      return await new Promise<boolean>((resolve) => {
        const release = this.#hold(`quadrex.call ${key}`, { ifAvailable: true }, (isGranted) => {
          resolve(isGranted);
          if (!isGranted) return;
          // The lock is held until the next call, so that slower tabs do not get it.
          this.#releaseCall();
          this.#releaseCall = release;
        });
      });
    } catch {
      return true;
    }
  }

  /**
   * Requests a lock and returns the function that releases it. If the browser refuses locks
   * altogether, the lock counts as granted.
   */
  #hold(name: string, options: LockOptions, onAnswer: (isGranted: boolean) => void): () => void {
    let release: () => void = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const request = this.#locks?.request(name, options, (lock) => {
      onAnswer(lock !== null);
      return lock === null ? undefined : isReleased;
    });
    request?.catch(() => onAnswer(true));
    return release;
  }
}

/** Returns the player of this page for the sounds of calls. */
export function useCallSounds(player: SoundPlayer): CallSounds {
  const sounds = useMemo(() => new CallSounds(player), [player]);
  useEffect(() => {
    const update = (): void => sounds.updateVisibility();
    update();
    document.addEventListener('visibilitychange', update);
    // The first click, touch or key enables sounds.
    addEventListener('pointerup', update);
    addEventListener('keyup', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      removeEventListener('pointerup', update);
      removeEventListener('keyup', update);
      sounds.close();
    };
  }, [sounds]);
  return sounds;
}
