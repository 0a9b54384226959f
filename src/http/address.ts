import { ServiceError } from '../lib/errors.ts';

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

/** Value of a `Location` header. Relative without a usable `Host`: a refusal would come after the commit. */
export const locationOf = (call: Addressed, path: string): string => `${knownBase(call) ?? call.root}${path}`;

function knownBase({ request, authority, root, secure }: Addressed): string | undefined {
  if (!URL.canParse(request.url)) return undefined;
  const { protocol, host } = new URL(request.url);
  const text = `${secure ? 'https:' : protocol}//${authority ?? request.headers.get('host') ?? host}`;
  return URL.canParse(text) ? `${new URL(text).origin}${root}` : undefined;
}

/** The address that the caller used, to which more can be appended. */
export const addressOf = (call: Addressed & { readonly path: string }): string =>
  `${baseOf(call)}${call.path.split('/').map(encoded).join('/')}`;

/** Only opaque segments hold an escape. */
const encoded = (segment: string): string => encodeURIComponent(decodeURIComponent(segment));
