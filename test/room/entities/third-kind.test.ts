import { describe, expect, it } from 'vitest';
import { noMailer } from '../../../src/administration/notifications/mail/mailer.ts';
import { notificationRoutes } from '../../../src/administration/notifications/routes.ts';
import type { Settings } from '../../../src/composition/settings.ts';
import { guard } from '../../../src/core/store/guard.ts';
import { query, type Reader, sql } from '../../../src/core/store/statement.ts';
import { role } from '../../../src/http/route.ts';
import { below } from '../../../src/http/route-group.ts';
import type { RoomContext } from '../../../src/room/context.ts';
import { forgetEntity } from '../../../src/room/entities/changes.ts';
import { externalIdRoutes } from '../../../src/room/entities/external-ids/routes.ts';
import { keyValueRoutes } from '../../../src/room/entities/key-values/routes.ts';
import { idsOfPage, preparePageCheck } from '../../../src/room/entities/key-values/store.ts';
import { entityAt } from '../../../src/room/entities/place.ts';
import type { EntityKind } from '../../../src/room/entity.ts';
import { mergeEntities } from '../../../src/room/merge-rooms.ts';
import { notificationDocument } from '../../administration/notifications/support.ts';
import { openRoom } from '../../support/room.ts';
import { nobody } from '../../support/store.ts';

/** Entity kinds that a room declares: storages in a table of their own, and shelves that may have the same ids. */

const find = query(sql`SELECT id FROM depot WHERE id = ${sql.placeholder('id')}`, { id: sql<string>`` });
const there = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM depot WHERE id = ${sql.placeholder('id')})`);

const storageKind = (store: Reader): EntityKind => ({
  type: 'storage',
  noun: 'Storage',
  find: async (id) => (await find(store, { id }))[0],
  mustExist: (id, refusal) => there({ id }, refusal),
});

const shelves: ReadonlySet<string> = new Set(['VX-1', 'VX-2']);
const shelfKind: EntityKind = {
  type: 'shelf',
  noun: 'BookShelf',
  find: (id) => (shelves.has(id) ? { id } : undefined),
  mustExist: () => ({ sql: 'SELECT 1', args: [] }),
};

const roles = { read: role('_storage_read'), write: role('_storage_write') };

function room(context: RoomContext<Settings>) {
  const storages = storageKind(context.store);
  const storage = entityAt(context.store, storages, { path: '/storage/:storage', ...roles, acting: 'allowed' });
  const shelf = entityAt(context.store, shelfKind, { path: '/shelf/:shelf', ...roles, acting: 'refused' });
  const notifying = {
    ...context,
    vault: undefined,
    actions: () => [],
    mailer: noMailer,
    replays: { work: async () => undefined },
  };
  return {
    entities: { '/storage': storages, '/shelf': shelfKind },
    routes: [
      below(['storage', 'shelf'], () =>
        [storage, shelf].flatMap((at) => [...keyValueRoutes(context, at), ...externalIdRoutes(context, at)]),
      ),
      ...notificationRoutes(notifying),
    ],
  };
}

const table = 'CREATE TABLE depot (id TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID';
const all = ['_storage_read', '_storage_write', '_storage_notification_read', '_storage_notification_write'];

async function open() {
  const world = await openRoom([table], room);
  const insert = "INSERT INTO depot (id) VALUES ('VX-1'), ('VX-2')";
  await world.store.commit({ changes: [{ sql: insert, args: [] }], events: [] }, nobody);
  world.asked.length = 0;
  // The value of one key is a text, too.
  const send = (request: string, body?: object | string) =>
    world.send({
      request,
      body,
      roles: all,
      headers: { accept: /^GET .*\/metadata\/./.test(request) ? 'text/plain' : 'application/json' },
    });
  const json = async (path: string) => JSON.parse((await send(`GET ${path}`)).body) as unknown;
  /** Answers 204 or 200, or the test fails. */
  const done = async (...requests: readonly (readonly [request: string, body?: object | string])[]) => {
    for (const [request, body] of requests) {
      const { status } = await send(request, body);
      expect([request, [200, 204].includes(status)]).toEqual([request, true]);
    }
  };
  const refused = async (request: string, body?: object | string) => {
    const { status, headers, body: says } = await send(request, body);
    return { status, code: headers.get('portico-error'), says };
  };
  return { ...world, send, json, done, refused };
}

const fields = (...pairs: (readonly [string, string])[]) => ({ field: pairs.map(([key, value]) => ({ key, value })) });
const named = (entityType: string, entityId: string, ...names: string[]) => ({
  id: names.map((externalId) => ({ entityId, entityType, externalId })),
});

describe('metadata of a third kind of entity', () => {
  it('is set, read and removed, and each change is answered with 204', async () => {
    const { send, json } = await open();
    const change = async (request: string, body?: object | string) => (await send(request, body)).status;
    expect(await json('/storage/VX-1/metadata')).toEqual({ field: [] });
    expect(await change('PUT /storage/VX-1/metadata', fields(['a/b', '1'], ['a/c', '2'], ['d', '3']))).toBe(204);
    expect(await change('PUT /storage/VX-1/metadata/d', '')).toBe(204);
    expect(await json('/storage/VX-1/metadata')).toEqual(fields(['a/b', '1'], ['a/c', '2'], ['d', '']));
    expect((await send('GET /storage/VX-1/metadata/a/b')).body).toBe('1');
    expect(await change('DELETE /storage/VX-1/metadata/a/*')).toBe(204);
    expect(await json('/storage/VX-1/metadata')).toEqual(fields(['d', '']));
    expect(await change('DELETE /storage/VX-1/metadata')).toBe(204);
    expect(await change('DELETE /storage/VX-1/metadata')).toBe(204);
    expect(await json('/storage/VX-1/metadata')).toEqual({ field: [] });
  });

  it('is refused for what is not there, and where a path means several', async () => {
    const { done, refused } = await open();
    await done(['PUT /storage/VX-1/metadata', fields(['a/b', '1'], ['a/c', '2'])]);
    expect(await refused('GET /storage/VX-9/metadata')).toMatchObject({ status: 404, code: 'no-such-entity' });
    expect(await refused('PUT /storage/VX-9/metadata/a', 'x')).toMatchObject({ status: 404, code: 'no-such-entity' });
    expect(await refused('GET /storage/VX-1/metadata/z')).toMatchObject({ status: 404, code: 'no-such-entity' });
    expect(await refused('DELETE /storage/VX-1/metadata/z/*')).toMatchObject({ status: 404, code: 'no-such-entity' });
    expect(await refused('GET /storage/VX-1/metadata/a/*')).toMatchObject({ status: 400, code: 'bad-value' });
    expect(await refused('PUT /storage/VX-1/metadata/a*', 'x')).toMatchObject({ status: 400, code: 'bad-value' });
  });

  it('has no more bytes than the setting says', async () => {
    const { refused } = await open();
    expect(await refused('PUT /storage/VX-1/metadata/a', 'x'.repeat(1_100_000))).toMatchObject({
      status: 400,
      code: 'bad-value',
      says: expect.stringContaining('at most 1100000 bytes'),
    });
  });

  it('counts in a page of a list, with what the room counts besides, and nothing of another room', async () => {
    const { store, done, asked } = await open();
    await done(['PUT /storage/VX-1/metadata', fields(['a', '1'], ['b', 'x'.repeat(400)])]);
    asked.length = 0;
    const check = preparePageCheck('storage');
    // A value of 400 bytes counts as three.
    await check(store, ['VX-1', 'VX-2'], 4);
    await expect(check(store, ['VX-1', 'VX-2'], 3)).rejects.toThrow('more than 3 values');
    expect(asked.map(({ sql: text }) => text).join()).not.toContain('group_user');
    const withEach = preparePageCheck('storage', sql`SELECT given.value, 0 FROM ${idsOfPage} WHERE given.value <> ''`);
    await withEach(store, ['VX-1', 'VX-2'], 6);
    await expect(withEach(store, ['VX-1', 'VX-2'], 5)).rejects.toThrow('more than 5 values');
  });
});

describe('external ids of a third kind of entity', () => {
  it('are given, listed, each once, and taken away', async () => {
    const { send, json, done } = await open();
    await done(
      ['PUT /storage/VX-1/external-id/tape%20b'],
      ['PUT /storage/VX-1/external-id/a'],
      ['PUT /storage/VX-1/external-id/a'],
      ['PUT /storage/VX-2/external-id/other'],
    );
    expect(await json('/storage/VX-1/external-id')).toEqual(named('Storage', 'VX-1', 'a', 'tape b'));
    await done(['DELETE /storage/VX-1/external-id/a']);
    expect(await json('/storage/VX-1/external-id')).toEqual(named('Storage', 'VX-1', 'tape b'));
    expect((await send('DELETE /storage/VX-1/external-id/a')).status).toBe(404);
    expect((await send('DELETE /storage/VX-1/external-id/other')).status).toBe(404);
    await done(['DELETE /storage/VX-1/external-id']);
    expect(await json('/storage/VX-1/external-id')).toEqual({ id: [] });
    expect(await json('/storage/VX-2/external-id')).toEqual(named('Storage', 'VX-2', 'other'));
  });

  it('that another entity of the kind has are refused with 400', async () => {
    const { done, refused, json } = await open();
    await done(['PUT /storage/VX-1/external-id/tape']);
    expect(await refused('PUT /storage/VX-2/external-id/tape')).toMatchObject({
      status: 400,
      code: 'bad-value',
      says: expect.stringContaining('Expected an external id that no other storage has'),
    });
    expect(await json('/storage/VX-2/external-id')).toEqual({ id: [] });
  });

  it.each(['VX-7', 'KP-12', 'KP*37474', '0e3c0b2a-1f6f-4c1e-9c57-0a1b2c3d4e5f'])(
    'may look like an id of another service: %s',
    async (name) => {
      const { done, json } = await open();
      await done([`PUT /storage/VX-1/external-id/${name}`]);
      expect(await json(`/storage/${name}/external-id`)).toEqual(named('Storage', 'VX-1', name));
    },
  );

  it('have at most 255 characters', async () => {
    const { refused } = await open();
    const name = 'x'.repeat(256);
    expect(await refused(`PUT /storage/VX-1/external-id/${name}`)).toMatchObject({ status: 400, code: 'bad-value' });
  });

  it('are at most a hundred of one entity', async () => {
    const { done, refused } = await open();
    await done(...Array.from({ length: 100 }, (_, index) => [`PUT /storage/VX-1/external-id/n${index}`] as const));
    expect(await refused('PUT /storage/VX-1/external-id/more')).toMatchObject({ status: 403, code: 'not-allowed' });
    await done(['PUT /storage/VX-2/external-id/more']);
  });

  it('name the entity in its paths', async () => {
    const { done, json, send } = await open();
    await done(
      ['PUT /storage/VX-1/external-id/tape'],
      ['PUT /storage/tape/metadata/city', 'Rome'],
      ['PUT /storage/tape/external-id/reel'],
    );
    expect(await json('/storage/VX-1/metadata')).toEqual(fields(['city', 'Rome']));
    expect(await json('/storage/reel/external-id')).toEqual(named('Storage', 'VX-1', 'reel', 'tape'));
    expect((await send('GET /storage/nothing/metadata')).status).toBe(404);
  });

  it('cost no read where a path has the id of an entity', async () => {
    const { send, asked } = await open();
    const reads = async (name: string) => {
      asked.length = 0;
      await send(`GET /storage/${name}/external-id`);
      return asked.filter((statement) => statement.sql.includes('external_id')).length;
    };
    // The route itself reads the external ids once.
    expect([await reads('VX-1'), await reads('VX-9'), await reads('tape')]).toEqual([1, 1, 1]);
  });

  it('name the entity of a notification, which waits for events under the id', async () => {
    const { done, json, store } = await open();
    await done(
      ['PUT /storage/VX-1/external-id/tape'],
      ['POST /storage/tape/notification', notificationDocument({ storage: { delete: '' } })],
    );
    expect(await store.read('SELECT resource, entity FROM notification')).toEqual([['/storage', 'VX-1']]);
    expect(await json('/storage/VX-1/notification')).toMatchObject({ hits: 1 });
  });
});

describe('two kinds of entities with the same id', () => {
  it('do not mix', async () => {
    const { done, json, send } = await open();
    for (const kind of ['storage', 'shelf'])
      await done([`PUT /${kind}/VX-1/metadata/kind`, kind], [`PUT /${kind}/VX-1/external-id/same`]);
    await done(['PUT /storage/VX-1/external-id/mine']);
    expect(await json('/storage/VX-1/metadata')).toEqual(fields(['kind', 'storage']));
    expect(await json('/shelf/same/metadata')).toEqual(fields(['kind', 'shelf']));
    expect(await json('/shelf/VX-1/external-id')).toEqual(named('BookShelf', 'VX-1', 'same'));
    expect((await send('GET /shelf/mine/metadata')).status).toBe(404);
    await done(['DELETE /storage/VX-1/metadata'], ['DELETE /storage/VX-1/external-id']);
    expect(await json('/shelf/VX-1/metadata')).toEqual(fields(['kind', 'shelf']));
    expect(await json('/shelf/VX-1/external-id')).toEqual(named('BookShelf', 'VX-1', 'same'));
  });

  it('are forgotten one without the other', async () => {
    const { store, done } = await open();
    for (const kind of ['storage', 'shelf'])
      await done([`PUT /${kind}/VX-1/metadata/kind`, kind], [`PUT /${kind}/VX-1/external-id/same`]);
    await store.commit({ changes: forgetEntity('storage', 'VX-1'), events: [] }, nobody);
    for (const from of ['key_value', 'external_id'])
      expect(await store.read(`SELECT entity_type FROM ${from}`)).toEqual([['shelf']]);
  });

  it('cannot have one type', () => {
    const kinds = (...types: readonly string[]) =>
      mergeEntities(
        new Map(types.map((type, at) => [`room ${at}`, { entities: { [`/${at}`]: { ...shelfKind, type } } }])),
      );
    expect(Object.keys(kinds('storage', 'shelf'))).toEqual(['/0', '/1']);
    expect(() => kinds('storage', 'storage')).toThrow('/1 has the type storage');
    const both = new Map([['room', { entities: { '/file': shelfKind, '/storage/file': shelfKind } }]]);
    expect(Object.keys(mergeEntities(both))).toEqual(['/file', '/storage/file']);
  });
});

const writes: readonly (readonly [request: string, body?: object | string])[] = [
  ['PUT /storage/VX-1/metadata', fields(['a', '1'])],
  ['DELETE /storage/VX-1/metadata'],
  ['PUT /storage/VX-1/metadata/a', '1'],
  ['DELETE /storage/VX-1/metadata/a'],
  ['PUT /storage/VX-1/external-id/x'],
  ['DELETE /storage/VX-1/external-id/x'],
  ['DELETE /storage/VX-1/external-id'],
];
const reads = ['/storage/VX-1/metadata', '/storage/VX-1/metadata/a', '/storage/VX-1/external-id'];

describe('the routes below a third kind of entity', () => {
  it('ask for the roles that the room declares', async () => {
    const { send } = await openRoom([table], room);
    const statusOf = async (request: string, roles: readonly string[], body?: object | string) =>
      (await send({ request, body, roles })).status;
    for (const [request, body] of writes)
      expect([request, await statusOf(request, all.slice(0, 1), body)]).toEqual([request, 403]);
    for (const path of reads) {
      expect([path, await statusOf(`GET ${path}`, all.slice(1, 2))]).toEqual([path, 403]);
      // The role is enough to be told that there is no such entity.
      expect([path, await statusOf(`GET ${path}`, all.slice(0, 1))]).toEqual([path, 404]);
    }
  });

  it('let a caller that only acts do what the room declares', async () => {
    const { send } = await openRoom([table], room);
    for (const [request, body] of writes) {
      const statusOn = async (kind: string) =>
        (await send({ request: request.replace('storage', kind), body, roles: all, actsFor: true })).status;
      // The storage is not there, which only those are told who may ask for it.
      expect([request, await statusOn('storage'), await statusOn('shelf')]).toEqual([request, 404, 403]);
    }
  });

  it.each(writes.map(([request, body]) => ({ request, body })))(
    '$request changes nothing of an entity that is deleted meanwhile',
    async ({ request, body }) => {
      const { store, done, refused, beforeNextCommit } = await open();
      await done(['PUT /storage/VX-1/metadata/a', '0'], ['PUT /storage/VX-1/external-id/x']);
      const kept = async () => [
        await store.read('SELECT key, value FROM key_value'),
        await store.read('SELECT external_id FROM external_id'),
      ];
      const before = await kept();
      beforeNextCommit(() =>
        store.commit({ changes: [{ sql: "DELETE FROM depot WHERE id = 'VX-1'", args: [] }], events: [] }, nobody),
      );
      expect(await refused(request, body)).toMatchObject({
        status: 404,
        code: 'no-such-entity',
        says: expect.stringContaining('Storage'),
      });
      expect(await kept()).toEqual(before);
    },
  );

  it('walk through no table', async () => {
    const { done, send, store, asked } = await open();
    await done(['PUT /storage/VX-2/external-id/tape']);
    for (const [request, body] of writes) await send(request, body);
    for (const path of [...reads, '/storage/tape/metadata']) await send(`GET ${path}`);
    await preparePageCheck('storage')(store, ['VX-1'], 10);
    await store.commit({ changes: forgetEntity('storage', 'VX-1'), events: [] }, nobody);
    const statements = asked.filter(({ sql: text }) => /\b(?:depot|key_value|external_id)\b/.test(text));
    expect(new Set(statements.map(({ sql: text }) => text)).size).toBeGreaterThan(15);
    const plans = await Promise.all(
      statements.map(async ({ sql: text, args }) =>
        (await store.read(`EXPLAIN QUERY PLAN ${text}`, args)).map((row) => `${row[3]} in ${text}`),
      ),
    );
    const steps = plans.flat();
    expect(steps.filter((step) => /^SEARCH (?:key_value|external_id) USING/.test(step)).length).toBeGreaterThan(15);
    expect(steps.filter((step) => /^SCAN (?:depot|key_value|external_id)\b/.test(step))).toEqual([]);
    // All pairs of an entity are read at once, so they may be sorted.
    expect(steps.filter((step) => step.includes('TEMP B-TREE') && !step.includes('"key_value"'))).toEqual([]);
  });
});
