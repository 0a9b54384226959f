import { aliasIn } from './secret.ts';

interface MailLogin {
  readonly user: string;
  readonly password: string;
}

/** A mail server, as an address names it. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Whether the connection begins with TLS. Otherwise STARTTLS begins it. */
  readonly secure: boolean;
  /** Name and password, decoded. Undefined: it asks for none. */
  readonly login?: MailLogin | undefined;
  /** Alias of the secret that has them. */
  readonly alias?: string | undefined;
}

const form = /^(smtps?):\/\/(?:([^\s/@:]*):([^\s/@]*)@)?(\[[0-9a-f:.]+\]|[^\s/@:[\]?#]+)(?::(\d{1,5}))?\/?$/i;
/** The port of submission, and that of submission over TLS (RFC 8314). */
const ports: Readonly<Record<string, number>> = { smtp: 587, smtps: 465 };

/** `smtp://user:password@host:port`, `smtps://…`, or `secret:ALIAS` for user and password. Undefined: it is none. */
export function readMailServer(text: string): MailServer | undefined {
  const [, protocol = '', user, password, name = '', port] = form.exec(text) ?? [];
  const scheme = protocol.toLowerCase();
  const number = port === undefined ? ports[scheme] : Number(port);
  // As addresses of HTTP are read: a number in any spelling is an address, and a name is in ASCII.
  if (number === undefined || number < 1 || number > 65_535 || !URL.canParse(`http://${name}/`)) return undefined;
  const host = new URL(`http://${name}/`).hostname.replace(/^\[|\]$/g, '');
  if (host === '') return undefined;
  const server = { host, port: number, secure: scheme === 'smtps' };
  if (user === undefined || password === undefined) return server;
  const alias = aliasIn(`${user}:${password}`);
  if (alias !== undefined) return { ...server, alias };
  const login = { user: decoded(user), password: decoded(password) };
  return login.user === undefined || login.password === undefined
    ? undefined
    : { ...server, login: login as MailLogin };
}

/** Whether mail to the host leaves this machine in no case. */
export const isThisMachine = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Bounds of RFC 5321. */
const [maxAddress, maxLocal] = [254, 64];
/** Signs that would end an address, begin a comment or another one, or that no server takes unquoted. */
const address =
  /^([^\s@<>()[\]\\,;:"\0-\x20\x7f]+)@([^\s@<>()[\]\\,;:"/?#\0-\x20\x7f]+\.[^\s@<>()[\]\\,;:"/?#.\0-\x20\x7f]+|localhost)$/;

/** An address of mail whose domain is in ASCII. Undefined: it is none. */
export function readMailAddress(text: string): string | undefined {
  const [, local = '', domain = ''] = (text.length <= maxAddress && address.exec(text)) || [];
  if (local === '' || local.length > maxLocal || !local.isWellFormed()) return undefined;
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return undefined;
  if (!URL.canParse(`http://${domain}/`)) return undefined;
  return `${local}@${new URL(`http://${domain}/`).hostname}`;
}

export interface Mailbox {
  /** Name before the address. Empty: none. */
  readonly name: string;
  readonly address: string;
}

/** `Portico <portico@example.com>`, or an address alone. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, name = '', inside] = /^([^<>\0-\x1f\x7f]{0,100})<([^<>]+)>$/.exec(text) ?? [];
  const read = readMailAddress(inside ?? text);
  return read === undefined ? undefined : { name: name.trim().replace(/^"(.*)"$/, '$1'), address: read };
}
