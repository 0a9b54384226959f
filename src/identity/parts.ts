import type { Description, DocumentLimits } from '../documents/index.ts';
import type { MediaType } from '../http/negotiation.ts';
import type { Reply } from '../http/reply.ts';
import type { Clock } from '../lib/clock.ts';
import type { Store } from '../store/store.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { IdentitySettings } from './settings.ts';

/** Parts of the routes of identity. */
export interface IdentityParts {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly limits: DocumentLimits;
  readonly settings: Pick<
    IdentitySettings,
    | 'site'
    | 'maxPage'
    | 'maxPageValues'
    | 'maxMetadataBytes'
    | 'minPasswordLength'
    | 'maxPasswordLength'
    | 'maxSearchWork'
    | 'maxSearchSteps'
    | 'maxSearchText'
    | 'maxSearchPattern'
  >;
  /** A document in the negotiated form. */
  render<T>(type: MediaType, description: Description<T>, value: T): Reply;
}
