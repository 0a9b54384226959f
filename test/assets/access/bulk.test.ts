import { expect, it } from 'vitest';
import { openWorld } from '../../support/matrix.ts';
import { jsonOf, plain, send } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { ann, ben, givenTo } from '../../support/world.ts';
import { ask, collection, gives, item, puts } from './support.ts';

const count = 203;

/** Many items of the service itself, one of ann, and the groups of the cast. */
async function open() {
  const world = await openWorld('fetch');
  for (const sent of givenTo('access')) await send(world, sent);
  const { store } = world.service;
  for (const sent of [item(), item(ann)]) await send(world, sent);
  const made = {
    sql: `WITH RECURSIVE n (i) AS (SELECT 1003 UNION ALL SELECT i + 1 FROM n WHERE i < ${1000 + count})
      INSERT INTO item (id, serial, created_at) SELECT 'VX-' || i, i, 0 FROM n`,
    args: [],
  };
  await store.commit({ changes: [made], events: [] }, { user: 'test' });
  const hits = async (as = ben) => (await jsonOf<{ hits: number }>(world, 'GET /API/item?number=0', as)).hits;
  const events = async (name: string) =>
    Number((await store.read('SELECT count(*) FROM event WHERE name = ?', [name]))[0]![0]);
  return { world, store, hits, events };
}

it('POST /item/access is one entry on every item, right for the next request, and told for each', async () => {
  const { world, hits, events, store } = await open();
  expect([await hits(), await hits(ann)]).toEqual([0, 1]);
  await send(world, ask(admin, 'POST /API/item/access', { group: 'staff', permission: 'READ' }));
  expect([await hits(), await hits(ann)]).toEqual([count, 1]);
  expect(await events('access/create')).toBe(count);
  const { access } = await jsonOf<{ access: object[] }>(world, 'GET /API/item/VX-1150/access');
  expect(access).toMatchObject([{ permission: 'READ', group: 'staff', grantor: 'admin' }]);
  expect(await store.read('SELECT 1 FROM access_bulk')).toEqual([]);
  // An item that is made later is not concerned.
  await send(world, item(ann));
  expect(await hits()).toBe(count);
});

it('DELETE /item/access takes every entry but those of owners', async () => {
  const { world, hits, events } = await open();
  await send(world, ask(admin, 'POST /API/item/access', { user: 'ben', permission: 'ALL' }));
  await send(world, gives(ann, 'item/VX-2', { user: 'cat', permission: 'WRITE' }));
  await send(world, collection());
  await send(world, gives(admin, 'collection/VX-1', { user: 'ben', permission: 'READ' }));
  await send(world, puts('VX-1007', 'VX-1'));
  expect(await hits()).toBe(count);
  await send(world, ask(admin, 'DELETE /API/item/access'));
  // By the entry on the collection.
  expect([await hits(), await hits(ann)]).toEqual([1, 1]);
  expect(await events('access/delete')).toBe(count + 1);
});

it('background work ends the change of access that a request began', async () => {
  const { world, store, hits } = await open();
  const [[groupId] = []] = await store.read(`SELECT id FROM "group" WHERE name = 'staff'`);
  const entry = {
    ...{ id: 'VX-900', grantorId: null, rooted: 1, grantee: { named: { group: 'staff' }, userId: null, groupId } },
    wish: { permission: 'READ', priority: 0, appliesTo: '[]', reach: 43, operation: null, extradata: null },
  };
  const change = {
    sql: 'INSERT INTO access_bulk (entry, position, user) VALUES (?, 5000, ?)',
    args: [JSON.stringify(entry), 'admin'],
  };
  await store.commit({ changes: [change], events: [] }, { user: 'test' });
  await world.service.tick(1000);
  expect(await hits()).toBe(count);
  expect(await store.read('SELECT 1 FROM access_bulk')).toEqual([]);
});

it('refuses an owner, an unknown user, and nobody named, and changes nothing', async () => {
  const { world, events } = await open();
  for (const [body, status] of [
    [{ user: 'ben', permission: 'OWNER' }, 400],
    [{ user: 'nobody', permission: 'READ' }, 404],
    [{ permission: 'READ' }, 400],
  ] as const) {
    expect((await world.send(ask(admin, 'POST /API/item/access', body))).status).toBe(status);
  }
  expect(await events('access/create')).toBe(0);
});

it('the graph tells containers, entries and who granted them', async () => {
  const { world } = await open();
  for (const sent of [
    collection(ann),
    puts('VX-2', 'VX-1', ann),
    gives(ann, 'collection/VX-1', { group: 'staff', permission: 'READ' }),
    gives(ann, 'item/VX-2', { user: 'ben', permission: 'WRITE', operation: { metadata: { field: 'a "b"' } } }),
  ]) {
    await send(world, sent);
  }
  const dot = async (query = '', as = ann) =>
    await world.send({ ...ask(as, `GET /API/item/VX-2/access/graph/dot${query}`), headers: plain });
  const all = (await dot()).body.split('\n');
  expect(all).toContain('  "collection VX-1" -> "item VX-2" [label="contains"];');
  expect(all).toContain('  "group staff" -> "collection VX-1" [label="READ"];');
  expect(all).toContain('  "user ben" -> "item VX-2" [label="WRITE METADATA a \\"b\\""];');
  expect(all).toContain('  "user ann" -> "user ben" [label="grants", style="dashed"];');
  expect(all).toContain('  "user ann" -> "item VX-2" [label="OWNER"];');
  expect((await dot('?type=ancestor')).body).not.toContain('READ');
  expect((await dot('?groups=staff')).body).not.toContain('user ben');
  expect((await dot('', ben)).status).toBe(403);
  const picture = { ...ask(ann, 'GET /API/item/VX-2/access/graph'), headers: { accept: 'image/png' } };
  const { status, headers, body } = await world.send(picture);
  expect([status, headers.get('content-type'), body.slice(1, 4)]).toEqual([200, 'image/png', 'PNG']);
});
