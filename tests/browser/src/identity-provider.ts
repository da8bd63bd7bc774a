import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from './server.ts';

/** The agreement of a user to sign in, until its code is exchanged. */
interface Grant {
  readonly user: string;
  readonly challenge: string | null;
}

/** The part of the API of Lichess with which users sign in. */
class IdentityProvider {
  readonly #http: HttpServer;
  readonly #grants = new Map<string, Grant>();
  /** The name of the user who is signed in at the provider. */
  user = 'Nobody';

  constructor() {
    this.#http = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    switch (`${request.method} ${pathname}`) {
      case 'GET /oauth':
        response.setHeader('content-type', 'text/html').end(this.#question(searchParams));
        return;
      case 'POST /api/token': {
        const token = this.#exchange(new URLSearchParams(await bodyOf(request)));
        sendJson(response, token === null ? 400 : 200, token === null ? { error: 'invalid_grant' } : { token_type: 'Bearer', access_token: token, expires_in: 3_600 });
        return;
      }
      case 'GET /api/account': {
        const name = request.headers.authorization?.slice('Bearer token-of-'.length) ?? '';
        sendJson(response, 200, { id: name.toLowerCase(), username: name });
        return;
      }
      default:
        response.writeHead(204).end();
    }
  }

  /** Returns the page on which the user agrees, or does not. */
  #question(parameters: URLSearchParams): string {
    const code = `code-${this.#grants.size}`;
    this.#grants.set(code, { user: this.user, challenge: parameters.get('code_challenge') });
    const back = (answer: Readonly<Record<string, string>>): string =>
      `${parameters.get('redirect_uri')}?${new URLSearchParams({ ...answer, state: parameters.get('state') ?? '' }).toString()}`.replaceAll('&', '&amp;');
    return `<!doctype html><title>Provider</title><h1>Sign in as ${this.user}?</h1>
      <a data-testid="agree" href="${back({ code })}">Yes</a> <a data-testid="refuse" href="${back({ error: 'access_denied' })}">No</a>`;
  }

  /** Returns an access token for a code, if the request contains the proof key of its sign-in. */
  #exchange(request: URLSearchParams): string | null {
    const code = request.get('code') ?? '';
    const grant = this.#grants.get(code);
    if (grant === undefined) return null;
    this.#grants.set(code, { user: '', challenge: null });
    const challenge = createHash('sha256').update(request.get('code_verifier') ?? '').digest('base64url');
    return challenge === grant.challenge ? `token-of-${grant.user}` : null;
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** A server on which users sign in with an account of a local provider. */
export class ServerWithProvider {
  readonly server: Server;
  readonly provider: IdentityProvider;

  private constructor(server: Server, provider: IdentityProvider) {
    this.server = server;
    this.provider = provider;
  }

  static async start(): Promise<ServerWithProvider> {
    const provider = new IdentityProvider();
    await provider.start();
    const lichess = `kind = "lichess"\ntitle = "Lichess"\nurl = "${provider.url}"\nclient_id = "quadrex"`;
    const server = await Server.start(`[outgoing]\nnetworks = ["127.0.0.0/8"]\n[limits]\nsign_ins_per_account = 1000\n[providers.lichess]\n${lichess}\n`);
    return new ServerWithProvider(server, provider);
  }

  get url(): string {
    return this.server.url;
  }

  get log(): string {
    return this.server.log;
  }

  async remove(): Promise<void> {
    await this.server.remove();
    await this.provider.stop();
  }
}
