import { ServiceError } from '../lib/errors.ts';
import type { Call } from './call.ts';

/**
 * Where the caller found this service, for addresses in answers. From the request itself: a caller that sets a forwarded
 * header could make others follow a link to somewhere else.
 */
export function baseOf({ request, authority, root, secure }: Call): string {
  if (URL.canParse(request.url)) {
    const { protocol, host } = new URL(request.url);
    const text = `${secure ? 'https:' : protocol}//${authority ?? request.headers.get('host') ?? host}`;
    if (URL.canParse(text)) return `${new URL(text).origin}${root}`;
  }
  throw new ServiceError('bad-header', { context: 'header Host', explanation: 'Expected the name of a host' });
}

/** The address that the caller used, to which more can be appended. */
export const addressOf = (call: Call): string => `${baseOf(call)}${call.path.split('/').map(encoded).join('/')}`;

/** Only opaque segments hold an escape. */
const encoded = (segment: string): string => encodeURIComponent(decodeURIComponent(segment));
