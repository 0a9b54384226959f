import { textToBase64 } from '../../../core/lib/bytes.ts';
import { OutboundError, type WireConnection } from '../../../core/outbound/wire.ts';

/** Steps of a conversation that a server may refuse. */
type Step = 'greeting' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA' | 'message';

/** Refusal of a step. Another attempt may help below 500. */
export class SmtpRefusal extends Error {
  readonly step: Step;
  readonly code: number;

  constructor(step: Step, code: number, expected: string, answer: string) {
    super(`Expected ${expected} after ${step}: "${answer}"`);
    this.step = step;
    this.code = code;
  }
}

interface Envelope {
  readonly from: string;
  readonly to: string;
  /** Lines with CRLF, the last one, too. */
  readonly message: string;
}

interface Conversation {
  /** The name of the server, for errors. */
  readonly host: string;
  /** Name by which this side greets. */
  readonly name: string;
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** Whether the connection begins in clear, and goes to another machine. */
  readonly isExposed: boolean;
  /** Whether a letter without a password leaves under TLS alone, too. */
  readonly requiresTls: boolean;
  /** Bounds the time of one step. */
  within<T>(step: () => Promise<T>): Promise<T>;
}

interface Reply {
  readonly code: number;
  readonly lines: readonly string[];
}

/** Characters of one answer. */
const maxAnswer = 16_384;
/** Characters of an answer in a sentence. */
const maxQuoted = 200;

/** Hands a message over. Resolves with the last answer once the server has taken the responsibility for it. */
export async function sendMail(
  connection: WireConnection,
  { from, to, message }: Envelope,
  { host, name, login, isExposed, requiresTls, within }: Conversation,
): Promise<string> {
  const answers = new Answers(connection, host);

  async function step(is: Step, line: string | Uint8Array | undefined, expected: number): Promise<Reply> {
    const reply = await within(async () => {
      const bytes = typeof line === 'string' ? encoder.encode(`${line}\r\n`) : line;
      if (bytes) await connection.write(bytes);
      return answers.next();
    });
    if (reply.code === expected) return reply;
    // A server may repeat what it was sent, so that of a login is not told.
    const answer = is === 'AUTH' ? String(reply.code) : `${reply.code} ${quotable(reply.lines.join(' '))}`;
    throw new SmtpRefusal(is, reply.code, String(expected), answer);
  }

  async function greet(): Promise<ReadonlyMap<string, string>> {
    const { lines } = await step('EHLO', `EHLO ${name}`, 250);
    return new Map(lines.slice(1).map((line) => [line.split(/[ =]/, 1)[0]!.toUpperCase(), line]));
  }

  await step('greeting', undefined, 220);
  let abilities = await greet();
  if (isExposed && abilities.has('STARTTLS')) {
    await step('STARTTLS', 'STARTTLS', 220);
    if (answers.hasMore) throw new OutboundError('tls', `Expected no answer before TLS from "${host}"`);
    await within(() => connection.secure());
    // Abilities that came in clear count no longer.
    abilities = await greet();
  } else if (isExposed && login) {
    throw new OutboundError('tls', `Expected STARTTLS from "${host}": a password is sent under TLS alone`);
  } else if (isExposed && requiresTls) {
    throw new OutboundError('tls', `Expected STARTTLS from "${host}", or PORTICO_SMTP_TLS=optional: mail waits`);
  }
  if (login) await logIn(login, abilities.get('AUTH') ?? '');
  const isWide = /[^\0-\x7f]/.test(from + to);
  if (isWide && !abilities.has('SMTPUTF8'))
    throw new SmtpRefusal('RCPT TO', 553, 'a server with SMTPUTF8', 'an address with other letters than ASCII');
  await step('MAIL FROM', `MAIL FROM:<${from}>${isWide ? ' SMTPUTF8' : ''}`, 250);
  await step('RCPT TO', `RCPT TO:<${to}>`, 250);
  await step('DATA', 'DATA', 354);
  const { code, lines } = await step('message', encoder.encode(`${message.replace(/^\./gm, '..')}.\r\n`), 250);
  // The message is handed over, whatever comes now.
  await within(() => connection.write(encoder.encode('QUIT\r\n'))).catch(() => undefined);
  return `${code} ${quotable(lines.join(' '))}`;

  async function logIn({ user, password }: NonNullable<Conversation['login']>, offered: string): Promise<void> {
    const mechanisms = offered.toUpperCase().split(/[ =]/);
    if (mechanisms.includes('PLAIN')) {
      await step('AUTH', `AUTH PLAIN ${textToBase64(`\0${user}\0${password}`)}`, 235);
    } else if (mechanisms.includes('LOGIN')) {
      await step('AUTH', 'AUTH LOGIN', 334);
      await step('AUTH', textToBase64(user), 334);
      await step('AUTH', textToBase64(password), 235);
    } else throw new SmtpRefusal('AUTH', 504, 'AUTH PLAIN or AUTH LOGIN', 'neither');
  }
}

const encoder = new TextEncoder();

const quotable = (text: string): string => text.replace(/[\0-\x1f\x7f"]/g, ' ').slice(0, maxQuoted);

/** Answers of a server, each of one line or several. */
class Answers {
  readonly #connection: WireConnection;
  readonly #host: string;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(connection: WireConnection, host: string) {
    this.#connection = connection;
    this.#host = host;
  }

  /** Whether something has come that nobody asked for. */
  get hasMore(): boolean {
    return this.#text !== '';
  }

  async next(): Promise<Reply> {
    const lines: string[] = [];
    for (let size = 0; size <= maxAnswer; ) {
      const line = await this.#line();
      const [, code, between, text = ''] = /^([2-5]\d\d)([ -]?)(.*)$/.exec(line) ?? [];
      if (code === undefined) throw this.#broken();
      lines.push(text);
      size += line.length;
      if (between !== '-') return { code: Number(code), lines };
    }
    throw this.#broken();
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end >= 0) {
        const line = this.#text.slice(0, end).replace(/\r$/, '');
        this.#text = this.#text.slice(end + 1);
        return line;
      }
      if (this.#text.length > maxAnswer) throw this.#broken();
      const piece = await this.#connection.read();
      if (piece === undefined) throw this.#broken();
      this.#text += this.#decoder.decode(piece, { stream: true });
    }
  }

  #broken = (): OutboundError => new OutboundError('answer', `Expected a whole answer of SMTP from "${this.#host}"`);
}
