import type { Reply } from './reply.ts';

const methods = 'DELETE, GET, HEAD, OPTIONS, POST, PUT';
const headers = 'accept, authorization, content-type, index, prefer, runas, size, x-request-id';
const exposed = 'allow, portico-error, reason, retry-after, www-authenticate, x-request-id';

export interface Cors {
  /** The answer to a preflight, which a browser sends without credentials; undefined for any other request. */
  preflight(request: Request): Reply | undefined;
  /** Headers for every answer to a page of that origin, refusals included: else a browser hides their status. */
  headersFor(origin: string | null): Readonly<Record<string, string>>;
}

/** Pages of these origins may call the API. Credentials travel in a header, so no cookie can be ridden. */
export function createCors(origins: readonly string[]): Cors {
  const anyOrigin = origins.includes('*');
  const none = {};
  const headersFor = (origin: string | null): Readonly<Record<string, string>> => {
    if (origin === null || (!anyOrigin && !origins.includes(origin))) return none;
    return {
      'access-control-allow-origin': anyOrigin ? '*' : origin,
      'access-control-expose-headers': exposed,
      vary: 'Origin',
    };
  };
  return {
    headersFor,
    preflight(request) {
      if (request.method !== 'OPTIONS' || request.headers.get('access-control-request-method') === null)
        return undefined;
      const allowed = headersFor(request.headers.get('origin')) !== none;
      return {
        status: 204,
        headers: allowed
          ? {
              'access-control-allow-methods': methods,
              'access-control-allow-headers': headers,
              'access-control-max-age': '600',
            }
          : {},
      };
    },
  };
}
