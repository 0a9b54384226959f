/**
 * Where the page is that sent a request: of this origin, none since the address was typed, or elsewhere. Programs and
 * old browsers tell nothing.
 */
export type PageSite = 'own' | 'typed' | 'other' | 'untold';

/** Reads the headers that pages cannot set. `own` is scheme, host and port of the request. */
export function pageSite(headers: Headers, own: string): PageSite {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' ? 'own' : site === 'none' ? 'typed' : 'other';
  const origin = headers.get('origin');
  if (origin === null) return 'untold';
  return isSameOrigin(origin, own) ? 'own' : 'other';
}

/** Whether two addresses have scheme, host and port in common. The origin `null` of a sandbox is that of nobody. */
export function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

/** Scheme, host and port of a request, as its sender addressed it. */
export const addressedOrigin = (secure: boolean, headers: Headers): string =>
  `${secure ? 'https' : 'http'}://${headers.get('host') ?? ''}`;

/** Values of a cookie in a header `Cookie`. Of two, another page may have set one. */
export function cookieValues(header: string | null, name: string): readonly string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Name of the cookie of a session, by the connection of the request. Browsers send the prefixed one over TLS only, so
 * a plain name is for addresses of this machine. Undefined elsewhere: the cookie would cross a network in plain text.
 */
export function sessionCookieName(secure: boolean, host: string | null): string | undefined {
  if (secure) return '__Host-portico';
  return host !== null && loopback.test(host) ? 'portico' : undefined;
}
