import { ServiceError } from '../core/lib/errors.ts';

/** A name or an address, and perhaps a port: what may stand in `Host`, and before the path of an absolute target. */
const form = /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Callers of one instance use few names, and parsing one costs more than comparing it. */
let lastGood: string | undefined;

/**
 * Whether the text is a plain authority. Parsers disagree about other texts: as user info, path, query or host name.
 * Deno puts `Host` in front of the path as text.
 */
export function isAuthority(text: string): boolean {
  if (text === lastGood) return true;
  if (text.length > 300 || !form.test(text) || !URL.canParse(`http://${text}/`)) return false;
  lastGood = text;
  return true;
}

/** Authority of an absolute target. Undefined if the target is a path. */
export const authorityIn = (target: string): string | undefined => /^[a-z][\w+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];

/** Properties of a request that addresses in its answer are made from. */
export interface Addressed {
  readonly request: Request;
  readonly authority: string | undefined;
  readonly root: string;
  readonly secure: boolean;
}

/**
 * Base address of the service in answers. Taken from the request itself: with a forwarded header a caller could place
 * links to other hosts.
 */
export function baseOf(call: Addressed): string {
  const base = knownBase(call);
  if (base !== undefined) return base;
  throw new ServiceError('bad-header', { context: 'header Host', explanation: 'Expected the name of a host' });
}

/** Origin of the request, without the root of the API. */
export const serviceOrigin = (call: Addressed): string => {
  const base = baseOf(call);
  return call.root === '' ? base : base.slice(0, -call.root.length);
};

/** Value of a `Location` header. Relative without a usable `Host`: a refusal would come after the commit. */
export const locationOf = (call: Addressed, path: string): string => `${knownBase(call) ?? call.root}${path}`;

function knownBase({ request, authority, root, secure }: Addressed): string | undefined {
  const { url } = request;
  const scheme = /^https?(?=:)/.exec(url)?.[0];
  if (scheme === undefined) return undefined;
  const host = authority ?? request.headers.get('host') ?? authorityIn(url) ?? '';
  const origin = originOf(`${secure ? 'https' : scheme}://${host}`);
  return origin === undefined ? undefined : `${origin}${root}`;
}

interface Server {
  readonly scheme: string;
  readonly address?: string;
  readonly port?: number;
}

let lastServer: { readonly origin: string; readonly server: Server } | undefined;

/** Scheme, name and port by which a caller reached the service. No name without a usable `Host`. */
export function serverOf(request: Request, secure: boolean): Server {
  const origin = knownBase({ request, authority: undefined, root: '', secure });
  if (origin === undefined) return { scheme: secure ? 'https' : 'http' };
  if (origin !== lastServer?.origin) {
    const { protocol, hostname, port } = new URL(origin);
    const scheme = protocol.slice(0, -1);
    lastServer = {
      origin,
      server: { scheme, address: hostname, port: Number(port || (scheme === 'https' ? 443 : 80)) },
    };
  }
  return lastServer.server;
}

/** Callers of one instance use few names, and parsing one costs more than comparing it. */
let last: { readonly text: string; readonly origin: string } | undefined;

function originOf(text: string): string | undefined {
  if (text === last?.text) return last.origin;
  if (!URL.canParse(text)) return undefined;
  last = { text, origin: new URL(text).origin };
  return last.origin;
}

/** The address that the caller used, to which more can be appended. */
export const addressOf = (call: Addressed & { readonly path: string }): string =>
  `${baseOf(call)}${call.path.split('/').map(encoded).join('/')}`;

/** Only opaque segments hold an escape. */
const encoded = (segment: string): string => encodeURIComponent(decodeURIComponent(segment));
