import { isHeaderName } from '../lib/header-name.ts';
import type { OutboundMethod, OutboundRequest } from '../spi/index.ts';
import { OutboundError } from './error.ts';
import type { WireRequest } from './wire.ts';

/** Beyond ASCII, runtimes do not agree about the bytes. */
const value = /^[\t\x20-\x7e]*$/;
/** They say where a request goes and where it ends, which is decided here alone. */
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

/** As long as a name can be (RFC 1035). */
const longestHost = 253;

/** What can be sent of a call, or an error of kind `bad-url`. The address is never quoted: it may hold a password. */
export function readRequest(
  { url: text, method, headers = {}, once = false }: OutboundRequest,
  body: WireRequest['body'],
): WireRequest {
  const url = read(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw bad('an address that begins with http:// or https://');
  if (url.hostname.length > longestHost) throw bad(`a host of at most ${longestHost} characters`);
  // Each of these reads the address again.
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  if (url.hash !== '') url.hash = '';
  for (const [name, content] of Object.entries(headers)) {
    // Neither is quoted: it may be a secret that somebody put into the wrong place.
    if (!isHeaderName(name)) throw bad('the name of a header');
    if (ownHeaders.test(name)) throw bad(`no header "${name}" of the caller's own`);
    if (!value.test(content)) throw bad(`a header "${name}" of one line of ASCII`);
  }
  if (!methods.has(method)) throw bad(`one of the methods ${[...methods.keys()].join(', ')}`);
  if (body !== undefined && methods.get(method) === 'no body') throw bad(`no body with ${method}`);
  return { url, method, headers, body, once };
}

function read(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

export const bad = (expected: string): OutboundError => new OutboundError('bad-url', `Expected ${expected}`);
