import type { ClientFrame, ServerFrame } from '../../src/protocol/generated.ts';

/**
 * A stand-in for the browser's WebSocket: records what is sent, and dispatches what the test passes
 * in.
 */
export class FakeSocket extends EventTarget {
  readyState: number = WebSocket.CONNECTING;
  readonly sent: ClientFrame[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientFrame);
  }

  close(): void {
    this.readyState = WebSocket.CLOSED;
  }

  /** The line stands. */
  accept(): void {
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  /** The server says something. */
  say(frame: ServerFrame): void {
    this.sayText(JSON.stringify(frame));
  }

  sayText(text: string): void {
    this.dispatchEvent(new MessageEvent('message', { data: text }));
  }

  /** The line breaks. */
  drop(): void {
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new Event('close'));
  }

  /** The frames of one kind that were sent. */
  ofKind<T extends ClientFrame['t']>(kind: T): Extract<ClientFrame, { t: T }>[] {
    return this.sent.filter((frame): frame is Extract<ClientFrame, { t: T }> => frame.t === kind);
  }
}
