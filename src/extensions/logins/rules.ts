import type { RedirectLogin } from '../../spi/index.ts';

/** Milliseconds that a person has at the pages of the provider. */
export const timeAtProvider = 600_000;

/** State that the browser keeps while the person is at the provider. */
export interface PendingLogin {
  /** State of the login component. */
  readonly state: string;
  /** Address to which the provider sends the browser back. */
  readonly back: string;
  /** Page that was asked for. */
  readonly page: string;
  readonly until: number;
}

/** Words in the address of the page for a login that did not work. */
export type FailedLogin = 'refused' | 'expired' | 'failed';

const firstPage = '/ui/';

/** The page if it is one of this service, otherwise the first one. Browsers read `//host`, `/\host` and tabs as other hosts. */
export function ownPage(page: string | undefined, origin: string): string {
  if (page === undefined || !/^\/ui\/[\x21-\x5b\x5d-\x7e]*$/.test(page) || !URL.canParse(page, origin))
    return firstPage;
  const { origin: own, pathname, search, hash } = new URL(page, origin);
  return own === origin && pathname.startsWith(firstPage) ? `${pathname}${search}${hash}` : firstPage;
}

export const pageOfFailure = (word: FailedLogin): string => `${firstPage}?login=${word}`;

/** Name of the cookie beside that of the session: browsers send a prefixed one over TLS only, and to this host only. */
export const stateCookie = (session: string): string => `${session}-login`;

/** `Set-Cookie`. `Lax`, because the way back from the provider is a navigation of another site. */
export function stateCookieText(name: string, value: string): string {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  const age = value === '' ? 0 : timeAtProvider / 1000;
  return `${name}=${value}; Path=/${secure}; HttpOnly; SameSite=Lax; Max-Age=${age}`;
}

interface Known {
  readonly joinsUsers: RedirectLogin['joinsUsers'];
  /** Whether a provider brought the user by SCIM. */
  readonly isProvisioned: boolean;
  /** Whether somebody has been the user by a login already. */
  readonly isTaken: boolean;
}

/**
 * Whether an account may enter a user who exists. Names of accounts may be free to choose, and a user of that name is somebody
 * already. The name of a provisioned user is that of an account, and its first login decides whose.
 */
export const mayJoin = ({ joinsUsers, isProvisioned, isTaken }: Known): boolean =>
  joinsUsers === true || (joinsUsers === 'provisioned' && isProvisioned && !isTaken);
