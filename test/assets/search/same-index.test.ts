import { expect, it } from 'vitest';
import { field, fieldsOf, item, keepOrders, openSharedAssets } from '../../support/assets.ts';
import type { World } from '../../support/matrix.ts';
import { dice, seedOfRun, tellSeed } from '../../support/random.ts';
import { by, send } from '../../support/requests.ts';

const opened = openSharedAssets();
const changes = 250;
const types = { x_words: 'string', x_tag: 'string-exact-sortable', x_count: 'integer-sortable', x_none: 'string' };
const names = Object.keys(types);
const spans = [
  ['-INF', '+INF'],
  ['10', '20'],
  ['15', '30'],
] as const;

/** All that the index has of items and collections, in an order of its own. */
async function indexOf({ service: { store } }: World) {
  const columns = async (sql: string) => (await store.read(sql)).map((row) => row.join(' ')).sort();
  return {
    values: await columns('SELECT * FROM search_value'),
    places: await columns('SELECT * FROM search_order'),
    words: await columns('SELECT doc, col, term, offset FROM temp.told'),
    entities: await columns('SELECT * FROM search_entity'),
  };
}

/** Rows that the list of their entity does not name. */
const untold = ({ service: { store } }: World) =>
  store.read(`SELECT field, entity FROM search_value EXCEPT
    SELECT named.field, search_fields.id FROM search_fields CROSS JOIN json_each(fields) AS each
      CROSS JOIN search_field AS named ON named.id = each.value`);

/** The index as a build of all of it makes it. */
async function rebuilt(world: World) {
  const lost = ['text', 'value', 'order', 'fields', 'entity'].map((name) => ({
    sql: `DELETE FROM search_${name}`,
    args: [],
  }));
  await world.service.store.commit({ changes: lost, events: [] }, { user: 'test' });
  for (const kind of ['item', 'collection']) await send(world, by(`PUT /API/reindex/${kind}`));
  for (let round = 0; round < 8; round++) {
    await world.service.tick(1000);
    await world.clock.advance(3000);
  }
  return indexOf(world);
}

it('after any changes the index has what a build of all of it makes', async () => {
  tellSeed();
  const world = opened();
  const roll = dice(seedOfRun);
  const one = <T>(list: readonly T[]): T => list[roll(list.length)]!;
  const value = (name: string) =>
    name === 'x_count'
      ? String(roll(9))
      : [one(['sea', 'old', 'Night']), ...(roll(2) ? [one(['sea', 'x1'])] : [])].join(' ');
  const values = () =>
    Object.fromEntries(
      names.filter(() => roll(3) === 0).map((name) => [name, [...new Set([value(name), value(name)])]]),
    );
  for (const [name, type] of Object.entries(types)) await send(world, field(name, type));
  await send(world, field('x_none', 'string', { index: 'noindex' }));
  for (const group of ['Film', 'Book'])
    await send(world, by(`PUT /API/metadata-field/field-group/${group}`, { field: names.map((name) => ({ name })) }));
  const entities: string[] = [];
  for (let index = 0; index < 6; index++)
    entities.push(`item/${JSON.parse((await send(world, item(values()))).body).id}`);
  for (let index = 0; index < 2; index++)
    entities.push(`collection/${JSON.parse((await send(world, by('POST /API/collection'))).body).id}`);
  await keepOrders(world);
  const told = `CREATE VIRTUAL TABLE temp.told USING fts5vocab('main', 'search_text', 'instance')`;
  await world.service.store.commit({ changes: [{ sql: told, args: [] }], events: [] }, { user: 'test' });

  /** Each gives a document of a change, or another request. */
  const ways: readonly ((path: string) => Promise<unknown>)[] = [
    // Other values of some fields.
    (path) => put(path, { field: fieldsOf(values()) }),
    // Values that come to those that are there, or go.
    (path) => {
      const name = one(names);
      const given = { value: value(name), mode: one(['add', 'remove']) };
      return put(path, { field: [{ name, value: [given] }] });
    },
    (path) => put(path, { field: [{ name: one(names), value: [] }] }),
    // In a group, which comes or goes.
    (path) =>
      put(path, { group: [{ name: one(['Film', 'Book']), mode: one(['add', undefined]), field: fieldsOf(values()) }] }),
    (path) => put(path, { group: [{ name: one(['Film', 'Book']), mode: 'remove' }] }),
    async (path) => {
      const list = JSON.parse((await world.send(by(`GET /API/${path}/metadata/changes`))).body) as Changes;
      const id = list.changeSet?.at(roll(list.changeSet.length))?.id;
      return id && world.send(by(`DELETE /API/${path}/metadata/changes/${id}`));
    },
  ];
  const put = (path: string, given: object) => {
    const [start, end] = roll(2) === 0 ? spans[0] : one(spans);
    return world.send(by(`PUT /API/${path}/metadata`, { timespan: [{ start, end, ...given }] }));
  };
  const answered = new Map<number, number>();
  for (let change = 0; change < changes; change++) {
    const at = roll(ways.length);
    const answer = (await ways[at]!(one(entities))) as { status: number } | undefined;
    if (answer?.status === 200) answered.set(at, (answered.get(at) ?? 0) + 1);
  }
  expect([...answered.keys()].sort()).toEqual(ways.map((_, at) => at));
  const kept = await indexOf(world);
  expect([kept.values.length > 20, kept.places.length > 5, kept.words.length > 50]).toEqual([true, true, true]);
  expect(await untold(world)).toEqual([]);
  expect(await rebuilt(world)).toEqual(kept);
});

interface Changes {
  readonly changeSet?: readonly { readonly id: string }[];
}
