import type { ClientFrame, ServerFrame } from '../../src/protocol/generated.ts';

/**
 * A replacement of the browser's WebSocket. It records sent frames and delivers the test's frames.
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

  /** Opens the connection. */
  open(): void {
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  /** Delivers a frame from the server. */
  receive(frame: ServerFrame): void {
    this.receiveText(JSON.stringify(frame));
  }

  receiveText(text: string): void {
    this.dispatchEvent(new MessageEvent('message', { data: text }));
  }

  /** Closes the connection, by default like a lost one. */
  lose(code = 1006): void {
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }

  /** Returns the sent frames of one type. */
  ofKind<T extends ClientFrame['t']>(kind: T): Extract<ClientFrame, { t: T }>[] {
    return this.sent.filter((frame): frame is Extract<ClientFrame, { t: T }> => frame.t === kind);
  }
}
