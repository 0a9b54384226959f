const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Name of the cookie of a session, by the connection of the request. Browsers send the prefixed one over TLS only, so
 * a plain name is for addresses of this machine. Undefined elsewhere: the cookie would cross a network in plain text.
 */
export function sessionCookieName(secure: boolean, host: string | null): string | undefined {
  if (secure) return '__Host-portico';
  return host !== null && loopback.test(host) ? 'portico' : undefined;
}
