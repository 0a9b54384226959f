import type { Clock } from '../core/lib/clock.ts';
import type { LimitedReader, Reader } from '../core/store/statement.ts';
import type { Store } from '../core/store/store.ts';
import type { Page } from '../http/parameters/index.ts';
import { isShort } from '../room/entities/key-values/store.ts';
import type { Caller } from '../security/caller.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { SecondFactorSettings } from './second-factor/policy.ts';
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
    | keyof SecondFactorSettings
  >;
}

/** Readers for one request. A short read on the main thread costs half as much as asking a reader thread. */
export interface Readers {
  /** Main thread, for small reads. */
  readonly here: Reader;
  /** Reader threads, in the share of the caller. */
  readonly threads: LimitedReader;
  /** Reader for the rows of a page in index order. */
  forRows(page: Page): Reader;
}

export function readersOf(store: Store, call: Caller): Readers {
  const threads = call.reader;
  return { here: store, threads, forRows: (page) => (isShort(page) ? store : threads) };
}
