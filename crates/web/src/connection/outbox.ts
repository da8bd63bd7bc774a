import type { Command, CommandBody, FrameOf } from '../protocol/frames.ts';
import type { RefusalCode } from '../protocol/generated.ts';

/** A command was refused; nothing changed. The message is for people. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

interface Waiting {
  readonly command: Command;
  readonly resolve: (seq: number) => void;
  readonly reject: (refusal: Refusal) => void;
}

/**
 * The commands that have no answer yet, in the order they were made. A command keeps its `cmd` however often it is
 * sent, and the server answers the same `cmd` the same way: sending again never does a thing twice.
 */
export class Outbox {
  readonly #waiting = new Map<string, Waiting>();

  /** Names a command and remembers it; `answer` comes with its `ack` or `refused`. */
  add(body: CommandBody): { command: Command; answer: Promise<number> } {
    const command: Command = { ...body, cmd: newCmd() };
    const answer = new Promise<number>((resolve, reject) => {
      this.#waiting.set(command.cmd, { command, resolve, reject });
    });
    return { command, answer };
  }

  /** A command by its name, while it has no answer. */
  get(cmd: string): Command | undefined {
    return this.#waiting.get(cmd)?.command;
  }

  /** Returns the frames to send again after the connection was lost. */
  unanswered(): Command[] {
    return [...this.#waiting.values()].map((waiting) => waiting.command);
  }

  /** The server carried it out. */
  acknowledge(frame: FrameOf<'ack'>): void {
    this.#take(frame.cmd)?.resolve(frame.seq);
  }

  /** The server refused it for good. */
  refuse(cmd: string, code: RefusalCode, message: string): void {
    this.#take(cmd)?.reject(new Refusal(code, message));
  }

  #take(cmd: string): Waiting | undefined {
    const waiting = this.#waiting.get(cmd);
    this.#waiting.delete(cmd);
    return waiting;
  }
}

/** 96 random bits as text. (`crypto.randomUUID` is missing on pages served over plain HTTP.) */
export function newCmd(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
