import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { Server } from './server.ts';

/** A received mail: the address of its recipient, and its body. */
interface Mail {
  readonly to: string;
  readonly body: string;
}

/** A local SMTP server that keeps the mails it receives (RFC 5321). */
class MailServer {
  readonly #tcp: TcpServer;
  readonly #sockets = new Set<Socket>();
  readonly mails: Mail[] = [];

  constructor() {
    this.#tcp = createServer((socket) => void this.#serve(socket));
  }

  async start(): Promise<void> {
    this.#tcp.listen(0, '127.0.0.1');
    await once(this.#tcp, 'listening');
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#tcp.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#tcp.close(resolve));
  }

  async #serve(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.write('220 local\r\n');
    let to = '';
    /** The lines of the mail that is being received. */
    let body: string[] | null = null;
    for await (const line of createInterface(socket)) {
      if (body !== null) {
        if (line !== '.') {
          body.push(line.replace(/^\./, ''));
          continue;
        }
        this.mails.push({ to, body: decoded(body.join('\n')) });
        body = null;
        socket.write('250 accepted\r\n');
      } else if (/^DATA$/i.test(line)) {
        body = [];
        socket.write('354 go on\r\n');
      } else if (/^QUIT$/i.test(line)) socket.end('221 bye\r\n');
      else {
        if (/^RCPT TO:/i.test(line)) to = /<(.*?)>/.exec(line)?.[1] ?? '';
        socket.write(/^EHLO/i.test(line) ? '250-local\r\n250 8BITMIME\r\n' : '250 fine\r\n');
      }
    }
  }
}

/** Decodes a quoted-printable text (RFC 2045, section 6.7). Plain texts with links stay the same. */
function decoded(text: string): string {
  return text.replaceAll('=\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** A server that sends mails, and the mail server that receives them. */
export class ServerWithMail {
  readonly server: Server;
  readonly #mail: MailServer;

  private constructor(server: Server, mail: MailServer) {
    this.server = server;
    this.#mail = mail;
  }

  /** Starts both. Then the server is restarted with its own address, for the links in mails. */
  static async start(): Promise<ServerWithMail> {
    const mail = new MailServer();
    await mail.start();
    const server = await Server.start();
    const limits = 'sign_ins_per_account = 1000\nmails_per_day = 1000';
    await server.restart(`[server]\npublic_url = "${server.url}"\n[mail]\nurl = "${mail.url}"\nfrom = "post@chess.example"\n[limits]\n${limits}\n`);
    return new ServerWithMail(server, mail);
  }

  get url(): string {
    return this.server.url;
  }

  get log(): string {
    return this.server.log;
  }

  /** Returns the links to a page of the server that were sent to an address, oldest first. */
  linksTo(address: string, page: string): string[] {
    const start = `${this.server.url}${page}#`;
    const mails = this.#mail.mails.filter(({ to }) => to === address);
    return mails.flatMap(({ body }) => body.split(/\s+/).filter((word) => word.startsWith(start)));
  }

  async remove(): Promise<void> {
    await this.server.remove();
    await this.#mail.stop();
  }
}
