import { connect, createServer, type Server as Listener, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A line between one browser and the server that can be cut and mended, as a network is. */
export class NetworkProxy {
  readonly #listener: Listener;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(target: URL) {
    this.#listener = createServer((near) => {
      if (this.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(Number(target.port), target.hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
  }

  /** A line to the server at this address. */
  static async to(url: string): Promise<NetworkProxy> {
    const proxy = new NetworkProxy(new URL(url));
    proxy.#listener.listen(0, '127.0.0.1');
    await once(proxy.#listener, 'listening');
    return proxy;
  }

  /** The address at this end. */
  get url(): string {
    return `http://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  /** Cuts it: what is connected breaks off, and nothing new gets through. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Mends it. */
  mend(): void {
    this.#isCut = false;
  }

  /** Takes it away. */
  remove(): void {
    this.cut();
    this.#listener.close();
  }
}
