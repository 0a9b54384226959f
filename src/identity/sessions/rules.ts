import { ServiceError } from '../../core/lib/errors.ts';
import { pageSite, sessionCookieName } from '../../kit/index.ts';

/** Milliseconds, as the configuration properties say. */
interface SessionLimits {
  readonly idle: number;
  readonly most: number;
}

/** Longest session of a user who does not stay logged in, in milliseconds. */
const workingDay = 12 * 60 * 60 * 1000;

/** `login`: milliseconds until the login ends that begins it. */
export function lifetimeOfSession({ idle, most }: SessionLimits, stays: boolean, login: number) {
  const whole = Math.min(most, login, stays ? most : workingDay);
  return { idle: Math.min(idle, whole), whole };
}

interface LoginRequest {
  readonly headers: Headers;
  readonly secure: boolean;
  /** Scheme, host and port of the service as the caller addressed it. */
  readonly origin: string;
}

/** Name of the cookie. Refuses a connection that others can listen to, and pages of other origins. */
export function cookieFor({ headers, secure, origin }: LoginRequest): string {
  const name = sessionCookieName(secure, new URL(origin).host);
  if (name === undefined) {
    const explanation =
      'Expected TLS, or an address of this machine: the session needs TLS. Behind a proxy, PORTICO_TRUSTED_PROXIES names the proxy';
    throw new ServiceError('not-allowed', { context: 'connection', explanation });
  }
  const site = pageSite(headers, origin);
  if (site === 'own' || site === 'untold') return name;
  const explanation = 'Expected a request of a page of this service: a page of another origin logs nobody in';
  throw new ServiceError('not-allowed', { context: 'header Origin', explanation });
}

/** `Set-Cookie`. Without `seconds`, the browser forgets the cookie when it is closed. */
export function cookieText(name: string, value: string, seconds: number | undefined): string {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return `${name}=${value}; Path=/${secure}; HttpOnly; SameSite=Strict${age}`;
}
