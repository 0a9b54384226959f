import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A message as a mail program shows it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** User who logged in. */
  readonly user: string | undefined;
  /** Whether it came under TLS. */
  readonly secure: boolean;
  /** Headers by their names in lower case, decoded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
  readonly raw: string;
}

interface Refusal {
  readonly code: number;
  readonly says?: string;
}

export interface MailServerOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  /** True: the connection begins with TLS. */
  readonly secure?: boolean;
  readonly login?: readonly [user: string, password: string];
  /** Mechanisms for the login. */
  readonly mechanisms?: readonly string[];
  /** The port of a server that was there before. */
  readonly port?: number;
  /** Refusal of a receiver. */
  refuse?(address: string): Refusal | undefined;
  /** Runs when the whole message is there, before the server says so. */
  taken?(mail: ReceivedMail): Promise<Refusal | undefined> | Refusal | undefined;
}

export interface MailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  close(): Promise<void>;
}

const refusalOf = ({ code, says = 'no' }: Refusal): Error => Object.assign(new Error(says), { responseCode: code });

/** A real server of SMTP on this machine. It ends with the test. */
export async function openMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { tls, secure = false, login, mechanisms = ['PLAIN', 'LOGIN'] } = options;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    secure,
    ...tls,
    logger: false,
    disableReverseLookup: true,
    authMethods: [...mechanisms],
    authOptional: login === undefined,
    disabledCommands: [...(tls && !secure ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.[0] && password === login?.[1];
      done(
        isRight ? null : refusalOf({ code: 535, says: `wrong ${password}` }),
        isRight ? { user: username } : undefined,
      );
    },
    onRcptTo({ address }, _session, done) {
      const refusal = options.refuse?.(address);
      done(refusal ? refusalOf(refusal) : null);
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = read(Buffer.concat(parts).toString('utf8'), {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          secure: session.secure === true,
        });
        const refusal = await options.taken?.(mail);
        if (!refusal) received.push(mail);
        done(refusal ? refusalOf(refusal) : null);
      });
    },
  });
  // Clients that leave are a part of tests.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  return { port: (server.server.address() as AddressInfo).port, received, close };
}

function read(raw: string, envelope: Pick<ReceivedMail, 'from' | 'to' | 'user' | 'secure'>): ReceivedMail {
  const { headers, body } = partOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  const parts = boundary === undefined ? [{ headers, body }] : body.split(`--${boundary}`).slice(1, -1).map(partOf);
  const ofType = (type: string) =>
    parts
      .filter((part) => part.headers.get('content-type')?.startsWith(type))
      .map(contentOf)
      .join('');
  return { ...envelope, headers, text: ofType('text/plain'), html: ofType('text/html'), raw };
}

function partOf(text: string) {
  const [head = '', ...rest] = text.replace(/^\r\n/, '').split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      decoded(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  );
  return { headers, body: rest.join('\r\n\r\n') };
}

const contentOf = ({ headers, body }: ReturnType<typeof partOf>): string =>
  headers.get('content-transfer-encoding') === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : body;

const decoded = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?B\?([^?]*)\?=/gi, (_, word: string) => Buffer.from(word, 'base64').toString('utf8'));
