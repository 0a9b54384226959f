import { noRuleOfLibrary } from '../../../../src/administration/quota/quota-rules/store.ts';
import { findLibrary } from '../../../../src/assets/items/libraries-sql.ts';
import type { FindItems, LibraryParts } from '../../../../src/assets/search/libraries/parts.ts';
import { setQuery } from '../../../../src/assets/search/libraries/store.ts';
import type { ServiceError } from '../../../../src/core/lib/errors.ts';
import { changing } from '../../../../src/core/store/commit-plan.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import { administrator, type UserState } from '../../../../src/security/subject.ts';
import type { World } from '../../../support/matrix.ts';
import { testSettings } from '../../../support/service.ts';
import { newItem, openAssets, send } from '../../items/asset-support.ts';
import { newLibrary } from './support.ts';

export const id = 'VX*1';

/** A library of the administrator with item 1 of five, and a search that finds what the test says. */
export interface LibraryWorld extends World {
  readonly parts: LibraryParts;
  /** What the query finds. */
  found: readonly string[];
  /** Whether the user of the library is enabled. */
  enabled: boolean;
  /** How often the search was asked. */
  asked: number;
  /** In whose share, each time. */
  readonly shares: string[];
  /** Before each answer of the search. */
  meanwhile: () => Promise<unknown>;
  row(): Promise<NonNullable<Awaited<ReturnType<typeof findLibrary>>>>;
  items(): Promise<readonly string[]>;
}

export async function openLibrary(): Promise<LibraryWorld> {
  const world = await openAssets();
  for (const sent of [newItem(), newItem(), newItem(), newItem(), newItem(), newLibrary(['VX-1'])]) {
    await send(world, sent);
  }
  const { store } = world.service;
  await store.commit(changing(setQuery(id, '{"text":[]}')), { user: 'test' });
  const accounts = new WeakMap<object, string>();
  const lent: Store = {
    ...store,
    reader(account) {
      const reader = store.reader(account);
      accounts.set(reader, account);
      return reader;
    },
  };
  const findItems: FindItems = async (reader, _viewer, _query, { first, number }) => {
    opened.asked++;
    opened.shares.push(accounts.get(reader) ?? 'nobody');
    await opened.meanwhile();
    return { ids: opened.found.slice(first - 1, first - 1 + number) };
  };
  const user = (name: string): UserState => ({
    ...{ id: 'VX-1', name, enabled: opened.enabled },
    ...{ mayRunAs: false, passwordVersion: 1, revocations: 0 },
  });
  const users = { find: user, rolesOf: async () => new Set([administrator]) };
  const parts = {
    ...{ store: lent, clock: world.clock, findItems },
    settings: { ...testSettings, maxLibraryItems: 4, libraryExpiry: 24 },
    services: {
      directory: { open: () => users },
      libraryUncounted: (library: string, refusal: ServiceError) => noRuleOfLibrary({ id: library }, refusal),
    },
  } as unknown as LibraryParts;
  const opened: LibraryWorld = {
    ...world,
    parts,
    found: [],
    enabled: true,
    asked: 0,
    shares: [],
    meanwhile: async () => undefined,
    row: async () => (await findLibrary(store, { id }))!,
    items: async () =>
      (await store.read(`SELECT item_id FROM library_item WHERE library_id = '${id}' ORDER BY 1`)).map(([item]) =>
        String(item),
      ),
  };
  return opened;
}
