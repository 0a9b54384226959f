import type { Property } from '../src/spi/index.ts';

/** For realms that ask another machine: a stateless client logs in with every request. */
export const rememberFor: Property = {
  type: 'duration',
  fallback: 0,
  says: 'How long a login that was accepted is not asked for again, under a keyed digest. Whoever is removed there stays in so long. 0: every request is asked for.',
};
