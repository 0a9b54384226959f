import type { Filter, Verdict } from '../src/spi/index.ts';

const pass: Verdict = { verdict: 'pass' };
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** HTTP basic authentication. The challenge carries the application name. */
export function basicFilter(applicationName: string, name = 'authcBasic'): Filter {
  const response = {
    status: 401,
    // The scheme in upper case is what clients of this API have always seen.
    headers: { 'www-authenticate': `BASIC realm="${applicationName.replace(/["\\]/g, '\\$&')}"` },
  };
  const refuse = (reason: string): Verdict => ({ verdict: 'refuse', reason, response });

  return {
    name,
    async check(request) {
      const header = request.headers.get('authorization');
      if (header === null || !/^basic(?: |$)/i.test(header)) {
        return request.permissive ? pass : refuse(header === null ? 'credentials-missing' : 'scheme-unknown');
      }
      const pair = decode(header.slice('basic '.length));
      if (!pair) return refuse('credentials-malformed');
      const answer = await request.login({
        kind: 'password',
        user: pair.user,
        password: request.secret(pair.password),
      });
      return answer.accepted ? { verdict: 'accept', account: answer.account } : refuse(answer.reason);
    },
  };
}

/** User and password, split at the first colon and otherwise exactly as received; undefined for anything malformed. */
function decode(encoded: string): { user: string; password: string } | undefined {
  if (!base64.test(encoded)) return undefined;
  let text: string;
  try {
    text = atob(encoded);
    // Bytes above ASCII are UTF-8; the common case is spared the second pass.
    if (/[^\0-\x7f]/.test(text)) text = utf8.decode(Uint8Array.from(text, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
