import type { OutboundMethod, OutboundRequest } from '../../spi/index.ts';
import { isHeaderName } from '../lib/checks.ts';
import { type Clock, noLongerAwaited } from '../lib/clock.ts';
import type { WireRequest } from './wire.ts';
import { OutboundError } from './wire.ts';

/** Values in ASCII only: runtimes disagree about other bytes. */
const value = /^[\t\x20-\x7e]*$/;
/** Headers about destination and length of a request, which are set only here. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i;

const methods: ReadonlyMap<OutboundMethod, 'body' | 'no body'> = new Map([
  ['GET', 'no body'],
  ['HEAD', 'no body'],
  ['POST', 'body'],
  ['PUT', 'body'],
  ['PATCH', 'body'],
  ['DELETE', 'body'],
]);

/** Limit of a name's length (RFC 1035). */
const maxHostLength = 253;

/** Validates a call. Throws an error of kind `bad-url`. The address is never quoted: it may contain a password. */
export function readRequest(
  { url: text, method, headers = {}, once = false }: OutboundRequest,
  body: WireRequest['body'],
): WireRequest {
  const url = read(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw badUrl('an address that begins with http:// or https://');
  if (url.hostname.length > maxHostLength) throw badUrl(`a host of at most ${maxHostLength} characters`);
  // Conditional, since each assignment parses the address again.
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  if (url.hash !== '') url.hash = '';
  for (const [name, content] of Object.entries(headers)) {
    // Header name and value are not quoted: a secret may have been put into the wrong place.
    if (!isHeaderName(name)) throw badUrl('the name of a header');
    if (ownHeaders.test(name)) throw badUrl(`no header "${name}" of the caller's own`);
    if (!value.test(content)) throw badUrl(`a header "${name}" of one line of ASCII`);
  }
  if (!methods.has(method)) throw badUrl(`one of the methods ${[...methods.keys()].join(', ')}`);
  if (body !== undefined && methods.get(method) === 'no body') throw badUrl(`no body with ${method}`);
  return { url, method, headers, body, once };
}

function read(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

export const badUrl = (expected: string): OutboundError => new OutboundError('bad-url', `Expected ${expected}`);

/**
 * Gives the work a signal that aborts it after the time limit, or with the caller. Returns even if a wire ignores its
 * signal.
 */
export function withTimeLimit<T>(
  clock: Clock,
  milliseconds: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const over = new AbortController();
  const leave = () => end(new OutboundError('aborted', 'Expected the caller to wait for the answer', outer?.reason));
  let reject: (error: OutboundError) => void;
  const end = (error: OutboundError) => {
    reject(error);
    stop.abort(error);
  };
  return new Promise<T>((resolve, rejected) => {
    reject = rejected;
    if (outer?.aborted) return leave();
    outer?.addEventListener('abort', leave);
    clock.sleep(milliseconds, over.signal).then(
      () => end(new OutboundError('timeout', `Expected an answer within ${milliseconds} ms`)),
      // The clock is let go of when the work is done.
      () => undefined,
    );
    work(stop.signal).then(resolve, reject);
  }).finally(() => {
    outer?.removeEventListener('abort', leave);
    over.abort(noLongerAwaited);
  });
}
