import { describe, expect, it } from 'vitest';
import { noRuleOfLibrary } from '../../../../src/administration/quota/quota-rules/store.ts';
import { findLibrary } from '../../../../src/assets/items/libraries-sql.ts';
import { libraryNamed } from '../../../../src/assets/items/public.ts';
import {
  countedLibraryHook,
  type FindItems,
  type LibraryParts,
} from '../../../../src/assets/search/libraries/parts.ts';
import {
  currentItems,
  enterLibrary,
  itemsIn,
  refreshLibrary,
} from '../../../../src/assets/search/libraries/refresh.ts';
import { setQuery } from '../../../../src/assets/search/libraries/store.ts';
import { libraryExpiryKind, libraryRefreshKind } from '../../../../src/assets/search/libraries/work.ts';
import { ServiceError } from '../../../../src/core/lib/errors.ts';
import { changing } from '../../../../src/core/store/commit-plan.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import type { Call } from '../../../../src/http/call.ts';
import { Hooks, hooked } from '../../../../src/room/hook.ts';
import { administrator, Subject, type UserState } from '../../../../src/security/subject.ts';
import { join, newCollection, newItem, newLibrary } from '../../../support/assets.ts';
import { openWorld, type World } from '../../../support/matrix.ts';
import { by, jsonOf, send } from '../../../support/requests.ts';
import { testSettings } from '../../../support/service.ts';
import { dueTimesIn, held, stepOf } from '../../../support/work.ts';
import { givenTo, owner } from '../../../support/world.ts';

const id = 'VX*1';

/** A library of the administrator with item 1 of five, and a search that finds what the test says. */
interface LibraryWorld extends World {
  readonly parts: LibraryParts;
  /** Ids that the query finds. */
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

async function openLibrary(): Promise<LibraryWorld> {
  const world = await openWorld('fetch');
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
    ...{ mayRunAs: false, passwordVersion: 1, revocations: 0, factors: 0 },
  });
  const users = { find: user, rolesOf: async () => new Set([administrator]) };
  const hooks = new Hooks();
  hooks.join([hooked(countedLibraryHook, (library, refusal) => noRuleOfLibrary({ id: library }, refusal))]);
  const parts = {
    ...{ store: lent, clock: world.clock, findItems, hooks },
    settings: { ...testSettings, maxLibraryItems: 4, libraryExpiry: 24 },
    services: { directory: { open: () => users } },
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

const set = (world: LibraryWorld, settings: object) =>
  send(world, by(`PUT /API/library/${id}/settings`, { autoRefresh: true, ...settings }));
const refresh = ({ parts }: LibraryWorld) => refreshLibrary(parts, id);

describe('a library that refreshes itself', () => {
  it('MERGE adds what the query finds and removes nothing', async () => {
    const world = await openLibrary();
    await set(world, {});
    world.found = ['VX-3', 'VX-2'];
    await world.clock.advance(1000);
    await refresh(world);
    expect(await world.items()).toEqual(['VX-1', 'VX-2', 'VX-3']);
    expect(await world.row()).toMatchObject({ items: 3, lastUpdate: world.clock.now() });
  });

  it('REPLACE leaves what the query finds', async () => {
    const world = await openLibrary();
    await set(world, { updateMode: 'REPLACE' });
    world.found = ['VX-3', 'VX-2'];
    await refresh(world);
    expect(await world.items()).toEqual(['VX-2', 'VX-3']);
  });

  it('TRANSIENT keeps nothing and asks with each read', async () => {
    const world = await openLibrary();
    await set(world, { updateMode: 'TRANSIENT' });
    world.found = ['VX-3', 'VX-2'];
    expect(await currentItems(world.parts, id)).toEqual(['VX-2', 'VX-3']);
    expect(await world.items()).toEqual(['VX-1']);
  });

  it('a library that does not refresh itself never searches again', async () => {
    const world = await openLibrary();
    await refresh(world);
    expect([world.asked, await world.items()]).toEqual([0, ['VX-1']]);
  });

  it('items stay if the library has no rights to search with', async () => {
    const world = await openLibrary();
    await set(world, { updateMode: 'REPLACE' });
    world.enabled = false;
    await refresh(world);
    expect([world.asked, await world.items()]).toEqual([0, ['VX-1']]);
  });

  it('does not keep an item that was deleted while the query ran', async () => {
    const world = await openLibrary();
    await set(world, {});
    world.found = ['VX-2', 'VX-3'];
    world.meanwhile = async () => send(world, by('DELETE /API/item?id=VX-2'));
    await refresh(world);
    expect(await world.items()).toEqual(['VX-1', 'VX-3']);
  });

  it('decides again when its items changed while the query ran', async () => {
    const world = await openLibrary();
    await set(world, { updateMode: 'REPLACE' });
    world.found = ['VX-2'];
    let times = 0;
    world.meanwhile = async () => {
      if (times++ === 0) await send(world, by('DELETE /API/item/VX-1'));
    };
    await refresh(world);
    expect([world.asked, await world.items()]).toEqual([2, ['VX-2']]);
  });

  it('stays as it is when the query finds more than the setting allows', async () => {
    const world = await openLibrary();
    await set(world, {});
    world.found = ['VX-1', 'VX-2', 'VX-3', 'VX-4', 'VX-5'];
    await expect(refresh(world)).rejects.toThrow(ServiceError);
    expect(await world.items()).toEqual(['VX-1']);
  });
});

describe('the query of a library costs the account of its owner, not the caller and not the serving thread', () => {
  const ways: readonly (readonly [string, object, (world: LibraryWorld) => Promise<unknown>])[] = [
    ['the items for a job', { updateMode: 'TRANSIENT' }, ({ parts }) => currentItems(parts, id)],
    ['the items for a job, kept', {}, ({ parts }) => currentItems(parts, id)],
    ['a read by another', {}, async ({ parts }) => enterLibrary(parts, await libraryNamed(parts.store, id))],
    ['a page for another', { updateMode: 'TRANSIENT' }, pageFor],
    ['the refresh that is due', { updateFrequency: 30 }, refreshDue],
  ];
  const user = {
    id: 'VX-9',
    name: 'other',
    enabled: true,
    mayRunAs: false,
    passwordVersion: 1,
    revocations: 0,
    factors: 0,
  };
  const rights = { find: () => user, rolesOf: async () => new Set([administrator]) };
  const other = { subject: new Subject({ name: 'other' }, user, rights as never) } as Call;

  async function pageFor(world: LibraryWorld): Promise<unknown> {
    const page = { offset: 0, limit: 10, below: Number.MAX_SAFE_INTEGER, counts: true };
    return itemsIn(world.parts, other, await libraryNamed(world.parts.store, id), page);
  }

  async function refreshDue(world: LibraryWorld): Promise<void> {
    await world.clock.advance(30_000);
    const kind = libraryRefreshKind(world.parts);
    for (const piece of await kind.claim(5, world.clock.now(), () => false)) await kind.do(piece, held);
  }

  it.each(ways)('%s', async (_, settings, ask) => {
    const world = await openLibrary();
    await set(world, settings);
    await ask(world);
    expect(world.shares).toEqual(['admin']);
  });
});

describe('the refresh that nobody asks for', () => {
  it('runs every updateFrequency seconds', async () => {
    const world = await openLibrary();
    await set(world, { updateFrequency: 30 });
    const kind = libraryRefreshKind(world.parts);
    const claim = () => kind.claim(5, world.clock.now(), () => false);
    expect(await claim()).toEqual([]);
    expect(await dueTimesIn(world.service.store)([kind])()).toEqual([world.clock.now() + 30_000]);
    await world.clock.advance(30_000);
    world.found = ['VX-2'];
    const pieces = await claim();
    expect(pieces).toHaveLength(1);
    for (const piece of pieces) await kind.do(piece, held);
    expect(await world.items()).toEqual(['VX-1', 'VX-2']);
    expect(await claim()).toEqual([]);
  });

  it('is done by one instance of two that look at once', async () => {
    const world = await openLibrary();
    await set(world, { updateFrequency: 30 });
    await world.clock.advance(30_000);
    const kinds = [libraryRefreshKind(world.parts), libraryRefreshKind(world.parts)];
    const claims = await Promise.all(kinds.map((kind) => kind.claim(5, world.clock.now(), () => false)));
    expect(claims.flat()).toHaveLength(1);
  });
});

describe('a library that nobody uses', () => {
  const day = 24 * 3_600_000;
  const left = async ({ service }: LibraryWorld) =>
    (await service.store.read('SELECT id FROM library ORDER BY serial')).map(([each]) => each);

  it('goes after a day, and one that was changed meanwhile stays', async () => {
    const world = await openLibrary();
    await send(world, newLibrary());
    await world.clock.advance(day - 1000);
    const kind = libraryExpiryKind(world.parts);
    await stepOf(kind, world.clock);
    expect(await left(world)).toEqual(['VX*1', 'VX*2']);
    await send(world, by('PUT /API/library/VX*2/VX-1'));
    await world.clock.advance(day / 2);
    await stepOf(kind, world.clock);
    expect(await left(world)).toEqual(['VX*2']);
    const rows = await world.service.store.read(
      `SELECT count(*) FROM access_entry WHERE entity_type = 'library' AND entity_id = 'VX*1'`,
    );
    expect(rows).toEqual([[0]]);
  });

  it('stays as a member of a collection, and when it refreshes itself', async () => {
    const world = await openLibrary();
    for (const sent of [newLibrary(), newLibrary(), newCollection(), join('VX-1', 'VX*2', 'library')]) {
      await send(world, sent);
    }
    await set(world, {});
    await world.clock.advance(2 * day);
    await stepOf(libraryExpiryKind(world.parts), world.clock);
    expect(await left(world)).toEqual(['VX*1', 'VX*2']);
  });

  it('stays when it is searched in, has access entries, or a rule of storages or quota is about it', async () => {
    const world = await openLibrary();
    for (let count = 0; count < 4; count++) await send(world, newLibrary());
    for (const sent of [
      by('POST /API/library/VX*2/access', { user: 'admin', permission: 'READ' }),
      by('PUT /API/library/VX*3/storage-rule', { storageCount: 1 }),
      by('POST /API/quota/', { library: 'VX*4', resource: [{ name: 'item', limit: 1 }] }),
    ])
      await send(world, sent);
    await world.clock.advance(day);
    await send(world, by('PUT /API/item?library=VX*5', {}));
    await world.clock.advance(day / 2);
    await stepOf(libraryExpiryKind(world.parts), world.clock);
    expect(await left(world)).toEqual(['VX*2', 'VX*3', 'VX*4', 'VX*5']);
  });

  it('stays when somebody reads it', async () => {
    const world = await openLibrary();
    await world.clock.advance(day);
    await send(world, by(`GET /API/library/${id}`));
    await world.clock.advance(day / 2);
    await stepOf(libraryExpiryKind(world.parts), world.clock);
    expect(await left(world)).toEqual(['VX*1']);
  });

  it('stays for ever where the setting is 0', async () => {
    const world = await openLibrary();
    await world.clock.advance(100 * day);
    const parts = { ...world.parts, settings: { ...world.parts.settings, libraryExpiry: 0 } };
    await stepOf(libraryExpiryKind(parts), world.clock);
    expect(await left(world)).toEqual(['VX*1']);
  });
});

describe('a stored query', () => {
  const titled = (title: string) => ({ timespan: [{ field: [{ name: 'title', value: [{ value: title }] }] }] });
  const query = { field: [{ name: 'title', value: [{ value: 'harbour' }] }] };

  it('a library has what its query finds when it is read', async () => {
    const world = await openWorld('fetch');
    for (const sent of [newItem(), newItem(), newItem(), newLibrary(['VX-3'])]) await send(world, sent);
    await send(world, by('PUT /API/item/VX-1/metadata', titled('Harbour')));
    await send(world, by(`PUT /API/library/${id}/settings`, { autoRefresh: true, updateMode: 'REPLACE', query }));
    expect(await jsonOf(world, `GET /API/library/${id}`)).toMatchObject({ hits: 1, item: [{ id: 'VX-1' }] });
    await send(world, by('PUT /API/item/VX-2/metadata', titled('Harbour')));
    expect(await jsonOf(world, `GET /API/library/${id}`)).toMatchObject({ item: [{ id: 'VX-2' }, { id: 'VX-1' }] });
    await send(world, by(`PUT /API/library/${id}/settings`, { updateMode: 'TRANSIENT' }));
    await send(world, by('PUT /API/item/VX-2/metadata', titled('Sea')));
    expect(await jsonOf(world, `GET /API/library/${id}`)).toMatchObject({ hits: 1, item: [{ id: 'VX-1' }] });
    expect(await jsonOf(world, `GET /API/library/${id}/settings`)).toMatchObject({ updateMode: 'TRANSIENT', query });
  });

  it('runs with the rights of the user of the library', async () => {
    const world = await openWorld('fetch');
    for (const sent of [...givenTo('assets'), newItem(), newItem('', owner), newLibrary([], '', owner)])
      await send(world, sent);
    for (const item of ['VX-1', 'VX-2']) await send(world, by(`PUT /API/item/${item}/metadata`, titled('Harbour')));
    await send(world, by(`PUT /API/library/${id}/settings`, { autoRefresh: true, query }));
    expect(await jsonOf(world, `GET /API/library/${id}`)).toMatchObject({ hits: 1, item: [{ id: 'VX-2' }] });
  });

  it('addItems asks a library that refreshes itself', async () => {
    const world = await openWorld('fetch');
    for (const sent of [newItem(), newItem(), newLibrary(), newCollection()]) await send(world, sent);
    await send(world, by('PUT /API/item/VX-2/metadata', titled('Harbour')));
    await send(world, by(`PUT /API/library/${id}/settings`, { autoRefresh: true, query }));
    await send(world, by(`PUT /API/collection/VX-1/${id}?type=library&addItems=true`));
    expect(await jsonOf(world, 'GET /API/collection/VX-1')).toMatchObject({ content: [{ id: 'VX-2' }] });
  });
});
