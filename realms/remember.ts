import type { Property } from '../src/spi/index.ts';

/** For realms that ask another machine: a stateless client logs in with every request. */
export const rememberFor: Property = {
  type: 'duration',
  fallback: 0,
  says: 'How long an accepted login is cached, as a keyed digest. A removed user has access for this time. 0: no cache.',
};
