import type { Clock } from '../../lib/clock.ts';
import { inTime } from '../../lib/in-time.ts';
import { Secret } from '../../lib/secret.ts';
import type { Post } from './streams.ts';

interface ConnectionSettings {
  readonly clock: Clock;
  readonly token?: Secret | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Time limit of one call to the server. */
  readonly deadline: number;
  /** Called for each call, before it is sent. */
  readonly count?: (() => void) | undefined;
}

const schemes: readonly string[] = ['libsql:', 'https:', 'http:'];

/** Where the server is, and the token that an address may carry. */
export function remoteAddress(text: string): { readonly url: URL; readonly token?: Secret } {
  const address = new URL(text);
  if (!schemes.includes(address.protocol)) {
    throw new Error(`the scheme "${address.protocol}" is no server, expected ${schemes.join(', ')}`);
  }
  const isPlain = address.protocol === 'http:' || address.searchParams.get('tls') === '0';
  const url = new URL(`${isPlain ? 'http' : 'https'}://${address.host}${address.pathname.replace(/\/*$/, '/')}`);
  const token = address.searchParams.get('authToken');
  return { url, ...(token && { token: new Secret(token) }) };
}

/** Calls with a deadline each: a server that accepts a call and never answers must not hold it forever. */
export function createPost({ clock, token, deadline, count, ...settings }: ConnectionSettings): Post {
  const send = settings.fetch ?? globalThis.fetch;
  const headers = {
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token.reveal()}` }),
  };
  return (url, body) => {
    const stop = new AbortController();
    count?.();
    // The body too must arrive in time; it is small, or the deadline is too short anyway.
    const call = async () => {
      const init = { method: 'POST', headers, body, signal: stop.signal, redirect: 'manual' } as const;
      const response = await send(url.href, init);
      return { status: response.status, text: await response.text() };
    };
    return inTime(call(), clock, deadline, () => {
      const late = new Error(`No answer within ${deadline} ms`);
      stop.abort(late);
      return late;
    });
  };
}
