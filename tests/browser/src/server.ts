import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programPath } from './program.ts';

const LISTENS = 'Quadrex listens on ';
const TIMEOUT_MS = 30_000;

/** The real server as a process with its own data folder. */
export class Server {
  readonly #data = mkdtempSync(join(tmpdir(), 'quadrex-browser-'));
  #process: ChildProcess | undefined;
  #log = '';
  #bind = '127.0.0.1:0';
  #flags: readonly string[] = [];
  /** The address of the server, `http://127.0.0.1:port`. It stays the same after a restart. */
  url = '';

  /**
   * Starts a server with these settings, in the format of a settings file, in addition to the
   * defaults.
   */
  static async start(settings?: string): Promise<Server> {
    const server = new Server();
    if (settings !== undefined) server.#configure(settings);
    await server.start();
    return server;
  }

  /** Restarts the server with the same data and port, and with these settings. */
  async restart(settings: string): Promise<void> {
    await this.kill();
    this.#configure(settings);
    await this.start();
  }

  /** Starts the server, or restarts it with the same data and port. */
  async start(): Promise<void> {
    const environment = Object.entries(process.env).filter(([name]) => !/^(QUADREX_|DATABASE_URL$)/.test(name));
    const child = spawn(programPath(), ['serve', '--bind', this.#bind, '--data', this.#data, ...this.#flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: Object.fromEntries(environment),
    });
    this.#process = child;
    child.stderr.on('data', (bytes: Buffer) => (this.#log += bytes.toString()));
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the server ended:\n${this.#log}`)));
    ended.catch(() => undefined);
    const line = await Promise.race([firstLine(child), ended, rejectAfterTimeout('its first line')]);
    if (!line.startsWith(LISTENS)) throw new Error(`the first line is ${JSON.stringify(line)}`);
    this.url = line.slice(LISTENS.length);
    this.#bind = new URL(this.url).host;
  }

  /** Kills the server, like a power cut. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** Kills the server and removes its data. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }

  /** Returns the log of the server. */
  get log(): string {
    return this.#log;
  }

  #configure(settings: string): void {
    const file = join(this.#data, 'settings.toml');
    writeFileSync(file, settings);
    this.#flags = ['--config', file];
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('its standard output is a pipe');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return line;
}

function rejectAfterTimeout(what: string): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`waited in vain for ${what}`)), TIMEOUT_MS).unref();
  });
}
