import type { Maybe } from '../core/lib/maybe.ts';
import type { Reply } from './reply.ts';

const methods = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';
/** Allowed request headers, including those of tus for uploads. */
const headers = [
  'accept, authorization, content-type, idempotency-key, if-match, if-none-match, if-range, index, prefer, range, runas, size',
  'tus-resumable, upload-checksum, upload-length, upload-metadata, upload-offset, x-request-id',
].join(', ');
/** Answer headers that pages may read. */
export const exposedHeaders = [
  'accept-ranges, allow, content-disposition, content-range, deprecation, etag, link, location, portico-error, portico-expires, portico-file, portico-item, portico-job, reason, repr-digest, retry-after',
  'tus-checksum-algorithm, tus-extension, tus-max-size, tus-resumable, tus-version',
  'sunset, upload-expires, upload-length, upload-metadata, upload-offset, warning, www-authenticate, x-request-id',
].join(', ');

/** Cross-origin request of a page. */
export interface CorsQuestion {
  readonly origin: string;
  readonly path: string;
  /** Method of the request, or the one announced by a preflight. */
  readonly method: string;
  readonly headers: Headers;
}

type HeaderRecord = Readonly<Record<string, string>>;

export interface Cors {
  /** Headers for every answer to a page of the origin, including refusals: otherwise the browser hides their status. */
  headersFor(question: CorsQuestion): Maybe<HeaderRecord>;
  /** Additional headers for answers to preflights. */
  preflightHeaders(question: CorsQuestion): Maybe<HeaderRecord>;
}

const none: HeaderRecord = {};

/** Allows pages of these origins to call the API. Credentials are sent in a header, so no cookie can be abused. */
export function createCors(origins: readonly string[]): Cors {
  const anyOrigin = origins.includes('*');
  const allows = (origin: string) => anyOrigin || origins.includes(origin);
  return {
    headersFor: ({ origin }) =>
      allows(origin)
        ? {
            'access-control-allow-origin': anyOrigin ? '*' : origin,
            'access-control-expose-headers': exposedHeaders,
            vary: 'Origin',
          }
        : none,
    preflightHeaders: ({ origin }) =>
      allows(origin)
        ? {
            'access-control-allow-methods': methods,
            'access-control-allow-headers': headers,
            'access-control-max-age': '600',
          }
        : none,
  };
}

/** Method that a preflight announces. Undefined for other requests. */
export function requestedMethod(request: Request): string | undefined {
  if (request.method !== 'OPTIONS') return undefined;
  return request.headers.get('access-control-request-method')?.toUpperCase();
}

export const preflightReply = (headersOfIt: HeaderRecord): Reply => ({ status: 204, headers: headersOfIt });
