import { ServiceError } from '../lib/errors.ts';
import type { Call } from './call.ts';

/**
 * Where the caller found this service, for addresses in answers. From the request itself: whoever can set a forwarded
 * header could make others follow a link to somewhere else.
 */
export function baseOf({ request, root }: Call): string {
  if (URL.canParse(request.url)) return `${new URL(request.url).origin}${root}`;
  throw new ServiceError('bad-header', { context: 'header Host', explanation: 'Expected the name of a host' });
}
