import type { Command, CommandBody, FrameOf } from '../protocol/frames.ts';
import type { RefusalCode } from '../protocol/generated.ts';

/** The error of a request that the server refused. Nothing changed. The message is for people. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** The time in seconds after which the request may succeed, if the server has named one. */
  readonly retryAfter_s: number | null;

  constructor(code: RefusalCode, message: string, retryAfter_s: number | null = null) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.retryAfter_s = retryAfter_s;
  }
}

interface UnansweredCommand {
  readonly command: Command;
  readonly resolve: (seq: number) => void;
  readonly reject: (refusal: Refusal) => void;
}

/**
 * The unanswered commands, in the order in which they were made. A command that is sent again keeps
 * its `cmd`. The server recognizes the `cmd` and repeats its answer, so the command takes effect
 * only once.
 */
export class Outbox {
  readonly #unanswered = new Map<string, UnansweredCommand>();

  /**
   * Gives a command its id and stores it. `answer` settles when its `ack` or `refused` frame
   * arrives.
   */
  add(body: CommandBody): { command: Command; answer: Promise<number> } {
    const command: Command = { ...body, cmd: newCommandId() };
    const answer = new Promise<number>((resolve, reject) => {
      this.#unanswered.set(command.cmd, { command, resolve, reject });
    });
    return { command, answer };
  }

  /** Returns an unanswered command by its id. */
  get(cmd: string): Command | undefined {
    return this.#unanswered.get(cmd)?.command;
  }

  /** Returns the commands to send again after a lost connection. */
  unanswered(): Command[] {
    return [...this.#unanswered.values()].map((waiting) => waiting.command);
  }

  /** Resolves the answer of a command that the server has accepted. */
  acknowledge(frame: FrameOf<'ack'>): void {
    this.#remove(frame.cmd)?.resolve(frame.seq);
  }

  /** Rejects the answer of a command that the server has refused. */
  refuse(cmd: string, code: RefusalCode, message: string): void {
    this.#remove(cmd)?.reject(new Refusal(code, message));
  }

  #remove(cmd: string): UnansweredCommand | undefined {
    const waiting = this.#unanswered.get(cmd);
    this.#unanswered.delete(cmd);
    return waiting;
  }
}

/**
 * Returns 96 random bits as hexadecimal text. (`crypto.randomUUID` is missing on pages over plain
 * HTTP.)
 */
export function newCommandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
