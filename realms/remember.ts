import type { Property } from '../src/spi/index.ts';

/** For realms that ask another machine: a stateless client logs in with every request. */
export const rememberFor: Property = {
  type: 'duration',
  fallback: 0,
  says: 'How long the realm remembers an accepted login, under a keyed digest. A user removed there stays in for this time. 0: the realm asks on every request.',
};
