import type { Maybe } from '../lib/maybe.ts';
import type { Reply } from './reply.ts';

const methods = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';
/** Those of tus among them, with which pages upload. */
const headers = [
  'accept, authorization, content-type, idempotency-key, if-match, if-none-match, if-range, index, prefer, range, runas, size',
  'tus-resumable, upload-checksum, upload-length, upload-metadata, upload-offset, x-request-id',
].join(', ');
/** What pages may read of an answer besides its body. */
export const exposedHeaders = [
  'accept-ranges, allow, content-disposition, content-range, etag, location, portico-error, portico-expires, portico-file, portico-item, reason, retry-after',
  'tus-checksum-algorithm, tus-extension, tus-max-size, tus-resumable, tus-version',
  'upload-expires, upload-length, upload-metadata, upload-offset, www-authenticate, x-request-id',
].join(', ');

/** A request of a page from another origin. */
export interface CorsQuestion {
  readonly origin: string;
  readonly path: string;
  /** Of the request itself, or of the one that a preflight asks for. */
  readonly method: string;
  readonly headers: Headers;
}

type HeaderRecord = Readonly<Record<string, string>>;

export interface Cors {
  /** Headers for every answer to a page of that origin, refusals included: else a browser hides their status. */
  headersFor(question: CorsQuestion): Maybe<HeaderRecord>;
  /** Those that only the answer to a preflight has besides. */
  preflightHeaders(question: CorsQuestion): Maybe<HeaderRecord>;
}

const none: HeaderRecord = {};

/** Pages of these origins may call the API. Credentials travel in a header, so no cookie can be ridden. */
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

/** What a browser asks before the request of a page, without credentials; undefined for any other request. */
export function askedMethod(request: Request): string | undefined {
  if (request.method !== 'OPTIONS') return undefined;
  return request.headers.get('access-control-request-method')?.toUpperCase();
}

export const preflightReply = (headersOfIt: HeaderRecord): Reply => ({ status: 204, headers: headersOfIt });
