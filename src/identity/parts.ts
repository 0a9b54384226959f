import type { Clock } from '../core/lib/clock.ts';
import type { Store } from '../core/store/store.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { IdentitySettings } from './settings.ts';

/** Parts of the routes of identity. */
export interface IdentityParts {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly settings: Pick<
    IdentitySettings,
    | 'site'
    | 'maxPage'
    | 'realmLoginSeconds'
    | 'maxPageValues'
    | 'maxMetadataBytes'
    | 'minPasswordLength'
    | 'maxPasswordLength'
    | 'maxSearchWork'
    | 'maxSearchSteps'
    | 'maxSearchText'
    | 'maxSearchPattern'
  >;
}
