import { ServiceError } from '../core/lib/errors.ts';
import { type Arrival, headerOf } from '../security/arrival.ts';
import { authorityIn, isAuthority } from './address.ts';
import { badHeader } from './digest.ts';

const allow = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';

type Rule = readonly [
  name: string,
  form: RegExp,
  refusal: (value: string) => ServiceError,
  isOfBody?: (value: string) => boolean,
];

/**
 * Headers that mean something here, what they may say, and how another value is refused; then whether it tells of a
 * body. An absent header is fine.
 */
const rules: readonly Rule[] = [
  // RFC 9112, 6.3: runtimes differ in what they do with two equal lengths.
  [
    'content-length',
    /^\d{1,15}$/,
    (value) => badHeader('Content-Length', 'Expected one length', value),
    (value) => Number(value) > 0,
  ],
  [
    'transfer-encoding',
    /^chunked$/i,
    (value) => badHeader('Transfer-Encoding', 'Expected "chunked" alone', value),
    () => true,
  ],
  ['content-type', /^(?:[^",]|"(?:[^"\\]|\\.)*")*$/, (value) => badHeader('Content-Type', 'Expected one type', value)],
  ['content-encoding', /^(?:identity)?$/i, (value) => unsupported('Expected a body that is not encoded', value)],
  // Runtimes drop the trailers of a body.
  ['trailer', /^$/, (value) => badHeader('Trailer', 'Expected all headers before the body', value)],
  ['expect', /^(?:100-continue)?$/i, (value) => unmet(value)],
];

/**
 * Refuses a request of which this service would use a part only, or of which two readers could use different parts.
 * Runs before anything looks at the target: what was sent takes part in the answer, or the caller is told.
 */
export function requireWhole(request: Request, arrival: Arrival): void {
  if (arrival.refusal) throw arrival.refusal;
  const { method, headers } = request;
  if (method === 'CONNECT') throw noTunnel(method);
  requireHost(headers.get('host'), arrival.rawTarget);
  let saysBody = false;
  for (const [name, form, refusal, isOfBody] of rules) {
    const value = headerOf(headers, arrival, name);
    if (value === null) continue;
    if (!form.test(value)) throw refusal(value);
    if (isOfBody?.(value)) saysBody = true;
  }
  if (saysBody && (method === 'GET' || method === 'HEAD')) {
    const explanation = `Expected no body in a ${method} request`;
    throw new ServiceError('body-unexpected', { context: 'body', explanation });
  }
}

export function noTunnel(method: string): ServiceError {
  const explanation = `Expected one of ${allow}`;
  return new ServiceError('method-not-allowed', { context: 'method', explanation, value: method }, { allow });
}

/**
 * HTTP/1.0 may leave the header out; the parser of Node refuses that for HTTP/1.1. The authority of an absolute target
 * comes before a well-formed `Host` that says something else (RFC 9112, 3.2.2).
 */
function requireHost(host: string | null, target: string | undefined): void {
  if (host !== null && !isAuthority(host))
    throw badHeader('Host', 'Expected one host name or address, perhaps with a port', host);
  if (target === undefined || target.startsWith('/')) return;
  const authority = authorityIn(target);
  if (authority !== undefined && !isAuthority(authority)) throw badTarget(authority);
}

const badTarget = (value: string): ServiceError =>
  new ServiceError('bad-target', {
    context: 'request target',
    explanation: 'Expected one host name or address, perhaps with a port, before the path',
    value: value.slice(0, 80),
  });

const unsupported = (explanation: string, value: string): ServiceError =>
  new ServiceError('media-type-unsupported', {
    context: 'header Content-Encoding',
    explanation,
    value: value.slice(0, 80),
  });

const unmet = (value: string): ServiceError =>
  new ServiceError('expectation-failed', {
    context: 'header Expect',
    explanation: 'Expected "100-continue"',
    value: value.slice(0, 80),
  });
