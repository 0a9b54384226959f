import type { Property } from '../src/spi/index.ts';

/** For realms that ask another machine: a stateless client logs in with every request. */
export const rememberFor: Property = {
  type: 'duration',
  fallback: 0,
  says: 'How long an accepted login is cached, as a keyed digest. A removed user has access for this time. 0: no cache.',
};

export const loginFor: Property = {
  type: 'duration',
  says: 'How long tokens and sessions of an accepted login last at most. Without it: rememberFor, or PORTICO_REALM_LOGIN_SECONDS if that is 0, too.',
};
