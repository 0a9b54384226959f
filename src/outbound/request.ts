import type { OutboundCall } from '../spi/index.ts';
import { OutboundError } from './error.ts';
import type { WireRequest } from './wire.ts';

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const value = /^[\t\x20-\x7e\x80-\xff]*$/;
/** They say where a request goes and where it ends, which is decided here alone. */
const ownHeaders =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i;

/** What can be sent of a call, or an error of kind `bad-url`. The address is never quoted: it may hold a password. */
export function readRequest({ url: text, method, headers = {}, body }: OutboundCall): WireRequest {
  if (!URL.canParse(text))
    throw new OutboundError('bad-url', 'Expected an address that begins with http:// or https://');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('bad-url', 'Expected an address that begins with http:// or https://');
  }
  [url.username, url.password, url.hash] = ['', '', ''];
  for (const [name, content] of Object.entries(headers)) {
    // Neither is quoted: it may be a secret that somebody put into the wrong place.
    if (!token.test(name)) throw new OutboundError('bad-url', 'Expected the name of a header');
    if (ownHeaders.test(name)) throw new OutboundError('bad-url', `Expected no header "${name}" of the caller's own`);
    if (!value.test(content))
      throw new OutboundError('bad-url', `Expected a header "${name}" of one line of Latin text`);
  }
  if (method === 'GET' && body !== undefined) throw new OutboundError('bad-url', 'Expected no body with GET');
  return { url, method, headers, body };
}
