import { beforeAll, expect, it } from 'vitest';
import { prepareMetadata } from '../../../src/assets/metadata/write.ts';
import { field, fieldsOf, item, join, keepOrders, newCollection, openSharedAssets } from '../../support/assets.ts';
import type { World } from '../../support/matrix.ts';
import { by, send } from '../../support/requests.ts';

/** A change writes its own fields into the index. What it does not know of has to come out right all the same. */

const opened = openSharedAssets();
const sortable = 'string-exact-sortable';

beforeAll(async () => {
  const world = opened();
  const inherits = { inheritance: 'true' };
  const definitions = [
    field('p_one', sortable),
    field('p_two', sortable),
    field('p_theirs', sortable, inherits),
    by('PUT /API/metadata-field/field-group/Theirs', { ...inherits, field: [{ name: 'p_one' }, { name: 'p_two' }] }),
  ];
  for (const each of definitions) await send(world, each);
  await keepOrders(world);
});

const idIn = async (world: World, sent: Parameters<typeof send>[1]) =>
  JSON.parse((await send(world, sent)).body).id as string;
const put = (world: World, path: string, ...timespan: readonly object[]) =>
  send(world, by(`PUT /API/${path}/metadata`, { timespan }));
const group = (values: Parameters<typeof fieldsOf>[0], mode = 'add') => ({
  group: [{ name: 'Theirs', mode, field: fieldsOf(values) }],
});

async function work({ service, clock }: World): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await service.tick(1000);
    await clock.advance(3000);
  }
}

/** Rows of an item, which its list of fields names all. */
async function rowsOf({ service: { store } }: World, id: string) {
  const rows = async (sql: string) => (await store.read(sql, [Number(id.slice(3))])).map((row) => row.join(' ')).sort();
  const untold = `SELECT field FROM search_value WHERE entity = ?1 AND field NOT IN (
    SELECT named.field FROM search_fields CROSS JOIN json_each(fields) AS each
      CROSS JOIN search_field AS named ON named.id = each.value WHERE search_fields.id = ?1)`;
  return {
    values: await rows('SELECT * FROM search_value WHERE entity = ?'),
    places: await rows('SELECT * FROM search_order WHERE abs(tie) = ?'),
    untold: await rows(untold),
  };
}

/** An item in a collection that has something for it. */
async function heir(world: World, theirs: object, own: Parameters<typeof item>[0] = {}) {
  const id = await idIn(world, item(own));
  const above = await idIn(world, newCollection('?name=above'));
  await send(world, join(above, id));
  await put(world, `collection/${above}`, theirs);
  await work(world);
  return { id, above };
}

/** Gives the item that changed. */
const changes: Readonly<Record<string, (world: World) => Promise<string>>> = {
  'a group of its own hides that of a collection': async (world) => {
    const { id } = await heir(world, group({ p_one: 'theirs', p_two: 'theirs' }));
    await put(world, `item/${id}`, group({ p_one: 'mine' }));
    return id;
  },
  'a group of its own goes, and that of a collection shows': async (world) => {
    const { id } = await heir(world, group({ p_one: 'theirs', p_two: 'theirs' }));
    await put(world, `item/${id}`, group({ p_one: 'mine' }));
    await work(world);
    await put(world, `item/${id}`, group({}, 'remove'));
    return id;
  },
  'times of a collection move with the start of the item': async (world) => {
    const { id, above } = await heir(world, {
      start: '100@PAL',
      end: '200@PAL',
      field: fieldsOf({ p_theirs: 'theirs' }),
    });
    const sql = 'UPDATE collection SET absolute_time = 1 WHERE id = ?';
    await world.service.store.commit({ changes: [{ sql, args: [above] }], events: [] }, { user: 'test' });
    await put(world, `item/${id}`, { field: fieldsOf({ startTimeCode: '0@PAL' }) });
    await put(world, `item/${id}`, { start: '90@PAL', end: '190@PAL', field: fieldsOf({ p_theirs: 'mine' }) });
    await put(world, `item/${id}`, { field: fieldsOf({ startTimeCode: '10@PAL' }) });
    return id;
  },
  'it leaves a collection, and changes before the work comes': async (world) => {
    const { id, above } = await heir(world, { field: fieldsOf({ p_theirs: 'theirs' }) });
    await send(world, by(`DELETE /API/collection/${above}/${id}`));
    await put(world, `item/${id}`, { field: fieldsOf({ p_one: 'one' }) });
    return id;
  },
  'a collection loses a value, and the item changes before the work comes': async (world) => {
    const { id, above } = await heir(world, { field: fieldsOf({ p_theirs: 'theirs' }) });
    await put(world, `collection/${above}`, { field: [{ name: 'p_theirs', value: [] }] });
    await put(world, `item/${id}`, { field: fieldsOf({ p_one: 'one' }) });
    return id;
  },
  'a field is searched from now on': async (world) => {
    await send(world, field('p_late', sortable, { index: 'noindex' }));
    const id = await idIn(world, item({ p_late: 'one' }));
    await send(world, field('p_late', sortable));
    await put(world, `item/${id}`, { field: fieldsOf({ p_late: 'two' }) });
    return id;
  },
  'a field is searched no longer': async (world) => {
    await send(world, field('p_never', sortable));
    await keepOrders(world);
    const id = await idIn(world, item({ p_never: 'one' }));
    await send(world, field('p_never', sortable, { index: 'noindex' }));
    await put(world, `item/${id}`, { field: fieldsOf({ p_one: 'one' }) });
    return id;
  },
  'the index had lost the item': async (world) => {
    const id = await idIn(world, item({ p_one: 'one', p_two: 'two' }));
    const lost = ['text', 'value', 'order', 'fields', 'entity'].map((name) => ({
      sql: `DELETE FROM search_${name}`,
      args: [],
    }));
    await world.service.store.commit({ changes: lost, events: [] }, { user: 'test' });
    await put(world, `item/${id}`, { field: fieldsOf({ p_one: 'eins' }) });
    await send(world, by('PUT /API/reindex/item'));
    return id;
  },
  'a value that is an address becomes a reference': async (world) => {
    const id = await idIn(world, item({ p_two: 'target' }));
    const {
      item: [{ metadata }],
    } = JSON.parse((await send(world, by(`GET /API/item/${id}/metadata`))).body);
    const { uuid } = metadata.timespan[0].field.find(({ name }: { name: string }) => name === 'p_two');
    await put(world, `item/${id}`, { field: fieldsOf({ p_one: uuid }) });
    await put(world, `item/${id}`, { field: [{ name: 'p_one', reference: uuid }] });
    return id;
  },
};

it.each(Object.keys(changes))('the index is what a build makes of it where %s', async (name) => {
  const world = opened();
  const id = await changes[name]!(world);
  await work(world);
  const kept = await rowsOf(world, id);
  await send(world, by('PUT /API/reindex/item'));
  await work(world);
  expect(kept).toEqual({ ...(await rowsOf(world, id)), untold: [] });
});

it.each(Object.keys(changes))('an item that goes at once leaves nothing in the index where %s', async (name) => {
  const world = opened();
  const id = await changes[name]!(world);
  await send(world, by(`DELETE /API/item/${id}`));
  await work(world);
  expect(await rowsOf(world, id)).toEqual({ values: [], places: [], untold: [] });
});

it('an item that goes in the group of commits in which it changes leaves nothing in the index', async () => {
  const world = opened();
  const { clock, service } = world;
  const { store } = service;
  const id = await idIn(world, item({ p_one: 'one' }));
  const parts = { store, clock, settings: { maxStateBytes: 10_000 } };
  const request = {
    by: 'admin',
    document: { timespan: [{ start: '-INF', end: '+INF', field: fieldsOf({ p_two: 'two' }) }] },
  };
  const change = await prepareMetadata(parts, { kind: 'item', id }, [request]);
  const gone = { changes: [{ sql: 'DELETE FROM item WHERE id = ?', args: [id] }], events: [] };
  await Promise.all([store.commit(change, { user: 'admin' }), store.commit(gone, { user: 'admin' })]);
  expect(await rowsOf(world, id)).toEqual({ values: [], places: [], untold: [] });
  expect(await store.read('SELECT * FROM search_fields WHERE id = ?', [Number(id.slice(3))])).toEqual([]);
});
