import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Site } from './browsers.ts';
import { programPath } from './program.ts';

/** The lines of `quadrex-cluster` about HAProxy and about a node that has started. */
const SITE_LINE = /^All nodes: (http:\S+) \(HAProxy\)$/;
const NODE_LINE = /^Node (\d+): (http:\S+) \(process (\d+)\)$/;

const START_TIMEOUT_MS = 90_000;
const POLL_MS = 100;

/** A running node of the cluster. */
interface Node {
  readonly url: string;
  readonly process: number;
}

/** Three nodes behind HAProxy, which are started again when they have ended. */
export class Cluster implements Site {
  readonly #program: ChildProcess;
  readonly #nodes = new Map<number, Node>();
  #log = '';
  url = '';

  private constructor(program: ChildProcess) {
    this.#program = program;
    if (program.stdout === null) throw new Error('its standard output is a pipe');
    program.stderr?.on('data', (bytes: Buffer) => (this.#log += bytes.toString()));
    createInterface(program.stdout).on('line', (line) => this.#read(line));
  }

  /** Starts a cluster, and waits until all nodes are ready. */
  static async start(): Promise<Cluster> {
    const environment = Object.entries(process.env).filter(([name]) => !/^(QUADREX_|DATABASE_URL$)/.test(name));
    const program = spawn(join(dirname(programPath()), 'quadrex-cluster'), ['--port=0', '--restart'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...Object.fromEntries(environment), QUADREX_BIN: programPath() },
    });
    const cluster = new Cluster(program);
    await cluster.#until(() => cluster.url !== '' && cluster.numbers.length === 3);
    for (const number of cluster.numbers) await cluster.#untilReady(number);
    return cluster;
  }

  /** Returns the log of all nodes. */
  get log(): string {
    return this.#log;
  }

  /** Returns the numbers of the nodes. */
  get numbers(): number[] {
    return [...this.#nodes.keys()];
  }

  /** Asks a node to stop, as in an upgrade, and waits until it has started again and is ready. */
  async restart(number: number): Promise<void> {
    const { process: stopped } = this.#node(number);
    process.kill(stopped, 'SIGTERM');
    await this.#until(() => this.#node(number).process !== stopped);
    await this.#untilReady(number);
  }

  /** Stops all processes of the cluster. */
  async remove(): Promise<void> {
    if (this.#program.exitCode !== null) return;
    const exit = once(this.#program, 'exit');
    this.#program.kill('SIGTERM');
    await exit;
  }

  #node(number: number): Node {
    const node = this.#nodes.get(number);
    if (node === undefined) throw new Error(`there is no node ${number}`);
    return node;
  }

  #read(line: string): void {
    const [, site] = SITE_LINE.exec(line) ?? [];
    const [, number, url, process] = NODE_LINE.exec(line) ?? [];
    if (site !== undefined) this.url = site;
    if (url !== undefined) this.#nodes.set(Number(number), { url, process: Number(process) });
  }

  async #untilReady(number: number): Promise<void> {
    const { url } = this.#node(number);
    await this.#until(async () => {
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      return answer?.status === 200;
    });
  }

  async #until(isDone: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await isDone())) {
      if (this.#program.exitCode !== null || Date.now() > deadline) throw new Error(`the cluster does not run:\n${this.#log}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
