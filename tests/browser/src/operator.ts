import { PASSWORD } from './accounts.ts';
import { Server } from './server.ts';

/** The name of the operator, whose password is the one of all accounts in tests. */
export const OPERATOR = 'Olga';

/** A server with an operator, who also acts without a browser. */
export class OperatedServer {
  readonly server: Server;
  readonly #token: string;

  private constructor(server: Server, token: string) {
    this.server = server;
    this.#token = token;
  }

  /** Starts a server, creates the account, and restarts the server with it as an operator. */
  static async start(): Promise<OperatedServer> {
    const server = await Server.start();
    const guest = await fetch(`${server.url}/api/guests`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    const operated = new OperatedServer(server, ((await guest.json()) as { token: string }).token);
    await operated.#post('/api/account', { name: OPERATOR, password: PASSWORD });
    const scopes = ['read', 'admin'];
    const { token } = (await operated.#post('/api/tokens', { name: 'tests', scopes, expires_in_days: 1 })) as { token: string };
    // The operator signs in anew in every test, on a quick machine more often than people may.
    await server.restart(`[operators]\naccounts = ["${OPERATOR}"]\n[limits]\nsign_ins_per_account = 1000\n`);
    return new OperatedServer(server, token);
  }

  get url(): string {
    return this.server.url;
  }

  get log(): string {
    return this.server.log;
  }

  remove(): Promise<void> {
    return this.server.remove();
  }

  /** Suspends a user for a number of hours. */
  async suspend(user: string, reason: string, hours: number): Promise<void> {
    await this.#post(`/api/admin/users/${user}/suspend`, { reason, hours });
  }

  /** Ends the suspension of a user. */
  async restore(user: string): Promise<void> {
    await this.#post(`/api/admin/users/${user}/restore`, { reason: 'an apology' });
  }

  async #post(path: string, body: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    const response = await fetch(this.server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
