import { beforeAll, describe, expect, it } from 'vitest';
import { field, fieldsOf, item, join, newCollection, openSharedAssets } from '../../support/assets.ts';
import { shareOfTries } from '../../support/long.ts';
import type { World } from '../../support/matrix.ts';
import { type Dice, dice, seedOfRun, tellSeed } from '../../support/random.ts';
import { by, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { ann, ben, cat, givenTo } from '../../support/world.ts';
import { ask, gives } from '../access/support.ts';

/** Rounds of changes: `PORTICO_COUNTS=200 npx vitest run test/assets/search/counts.test.ts`. */
const rounds = Number(process.env['PORTICO_COUNTS'] ?? shareOfTries(3, 12));

/** Counts as the values in the index have them, by field, context and value. */
const recounted = `WITH every (field, entity, val) AS (
    SELECT v.field, v.entity, v.val FROM search_counted AS c JOIN search_value AS v ON v.field = c.field
      WHERE c.state <> 'leaving' AND v.entity >= c.position
  ), placed (field, context, val) AS (
    SELECT field, 0, val FROM every WHERE entity < 1 << 50
    UNION ALL SELECT -field, 0, val FROM every WHERE entity >= 1 << 50
    UNION ALL SELECT field, context, val FROM every JOIN item ON item.serial = entity
    UNION ALL SELECT -field, context, val FROM every JOIN collection ON collection.serial = entity - (1 << 50)
  ) SELECT field, context, val, count(*) FROM placed WHERE context IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
const kept = `SELECT count.field, context, val, n FROM search_count AS count
  JOIN search_counted AS c ON abs(count.field) = c.field AND c.state <> 'leaving' WHERE n <> 0 ORDER BY 1, 2, 3`;

async function expectCounts({ service: { store } }: World): Promise<void> {
  expect(await store.read(kept)).toEqual(await store.read(recounted));
}

async function work({ service, clock }: World, turns = 4): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await service.tick(1000);
    await clock.advance(6000);
  }
}

const facets = ['mediaType', 'user', 'c_kind', 'c_size'];
/** All entities meet it, and no count tells of it. */
const notAll = { operator: [{ operation: 'NOT', text: [{ value: 'nowhere' }] }] };
const facetData = (value: string) => ({ data: [{ key: 'facet', value }] });

async function answer(world: World, as: Credentials, kind: string, document: object) {
  const { body } = await send(world, ask(as, `PUT /API/${kind}?number=0`, document));
  return (JSON.parse(body) as { facet: unknown }).facet;
}

/** Facets over everything, against those of rows. */
async function expectSame(world: World, as: Credentials, kind: string): Promise<void> {
  for (const more of [{}, { minCount: 2 }, { maxResults: 2 }]) {
    const facet = facets.map((name) => ({ field: name, name: `of ${name}`, ...more }));
    const fast = await answer(world, as, kind, { facet });
    expect(fast, `${as[0]}, ${kind}`).toEqual(await answer(world, as, kind, { ...notAll, facet }));
  }
}

describe('facets over everything', () => {
  const opened = openSharedAssets();
  const users = [admin, ann, ben, cat];
  let world: World;
  let roll: Dice;
  const items: string[] = [];
  const collections: string[] = [];

  /** Expires when it was not used for long. */
  const library = async (): Promise<string> =>
    JSON.parse((await send(world, ask(admin, 'PUT /API/item?result=library&number=0', {}))).body).library as string;
  let shared = '';
  const idOf = async (sent: Parameters<typeof send>[1]) => JSON.parse((await send(world, sent)).body).id as string;
  const one = <T>(list: readonly T[]): T => list[roll(list.length)]!;
  const values = () => ({
    c_kind: [['red', 'blue', 'green'], ['red'], ['blue', 'red'], []][roll(4)]!.slice(0, 1 + roll(2)),
    ...(roll(3) > 0 && { c_size: `${roll(4)}` }),
    title: `title ${roll(5)}`,
  });

  beforeAll(async () => {
    world = opened();
    roll = dice(seedOfRun);
    for (const sent of [
      ...givenTo('access'),
      ...[ann, ben, cat].flatMap(([name]) =>
        ['_item_search', '_library_read', '_library_write', '_collection_read'].map((role) =>
          by(`PUT /API/group/${role}/user/${name}`),
        ),
      ),
      field('c_kind', 'string-exact', facetData('true')),
      field('c_size', 'integer', facetData('true')),
    ])
      await send(world, sent);
    for (let at = 0; at < 3; at++) collections.push(await idOf(newCollection(`?name=box${at}`)));
    for (let at = 0; at < 6; at++) items.push(await idOf(item(values(), {}, one([admin, ann]))));
    shared = await library();
    await work(world, 8);
  });

  const places = () => one([`item/${one(items)}`, `item/${one(items)}`, `collection/${one(collections)}`]);
  /** Fields are closed to somebody now and then. */
  const changes: readonly (() => Promise<unknown>)[] = [
    async () => items.push(await idOf(item(values(), {}, one([admin, ann])))),
    () => send(world, by(`PUT /API/item/${one(items)}/metadata`, { timespan: [{ field: fieldsOf(values()) }] })),
    () =>
      send(
        world,
        by(`PUT /API/item/${one(items)}/metadata`, {
          timespan: [{ start: '1', end: `${2 + roll(3)}`, field: fieldsOf({ c_kind: one(['red', 'black']) }) }],
        }),
      ),
    () =>
      send(
        world,
        by(`PUT /API/collection/${one(collections)}/metadata`, { timespan: [{ field: fieldsOf(values()) }] }),
      ),
    () => send(world, join(one(collections), one(items))),
    // An item that is no member is refused.
    () => world.send(by(`DELETE /API/collection/${one(collections)}/${one(items)}`)),
    () => send(world, gives(admin, places(), { permission: one(['READ', 'NONE']), user: one(['ann', 'ben']) })),
    () => send(world, gives(admin, places(), { permission: 'READ', user: one(['ben', 'cat']) })),
    () =>
      send(
        world,
        gives(admin, places(), {
          permission: 'NONE',
          user: one(['ann', 'ben']),
          operation: { metadata: { field: one(['c_kind', 'c_size']) } },
        }),
      ),
    async () => {
      shared = await library();
    },
    () =>
      world.send(gives(admin, `library/${shared}`, { permission: one(['READ', 'NONE']), user: one(['ben', 'cat']) })),
    () => world.send(by(`PUT /API/library/${shared}/${one(items)}`)),
    () => world.send(by(`DELETE /API/library/${shared}/${one(items)}`)),
    () => send(world, field('c_kind', 'string-exact', facetData(one(['true', 'false'])))),
    () => send(world, by('PUT /API/reindex/item')),
    () => work(world, 1 + roll(3)),
    async () => {
      if (items.length > 4) await send(world, by(`DELETE /API/item/${items.splice(roll(items.length), 1)[0]}`));
    },
  ];

  it('are those of the rows, for each viewer, after any changes', { timeout: 3_600_000 }, async () => {
    tellSeed();
    for (let round = 0; round < rounds; round++) {
      for (let change = 0; change < 6; change++) {
        await one(changes)();
        await expectCounts(world);
      }
      for (const as of users) for (const kind of ['item', 'collection', 'search']) await expectSame(world, as, kind);
    }
  });

  it('count what changes while a field is filled once', async () => {
    await send(world, field('c_kind', 'string-exact', facetData('true')));
    await work(world, 6);
    const { store } = world.service;
    const among = "(SELECT field FROM search_counted WHERE name = 'c_kind')";
    const change = (id: string, value: string) =>
      send(world, by(`PUT /API/item/${id}/metadata`, { timespan: [{ field: fieldsOf({ c_kind: value }) }] }));
    for (const position of [Number.MAX_SAFE_INTEGER, `(SELECT serial FROM item WHERE id = '${items[1]}')`]) {
      const begun = [
        `DELETE FROM search_count WHERE abs(field) = ${among}`,
        `UPDATE search_counted SET state = 'filling', position = ${Number.MAX_SAFE_INTEGER} WHERE name = 'c_kind'`,
      ].map((sql) => ({ sql, args: [] }));
      await store.commit({ changes: begun, events: [] }, { user: 'test' });
      const filled = `UPDATE search_counted SET position = ${position} WHERE name = 'c_kind'`;
      if (position !== Number.MAX_SAFE_INTEGER) {
        await change(items[1]!, 'black');
        const rows = `INSERT INTO search_count (field, context, val, n) SELECT * FROM (${recounted})
          WHERE abs(field) = ${among} ON CONFLICT DO UPDATE SET n = excluded.n`;
        const changes = [filled, rows].map((sql) => ({ sql, args: [] }));
        await store.commit({ changes, events: [] }, { user: 'test' });
      }
      for (const [at, id] of items.entries()) await change(id, at % 2 === 0 ? 'white' : 'grey');
      await expectCounts(world);
      await work(world, 6);
      await expectCounts(world);
      for (const as of users) await expectSame(world, as, 'item');
    }
  });

  it('leave no counts of fields that are no facets, and none of what has gone', async () => {
    const counts = async () => (await world.service.store.read('SELECT n FROM search_count ORDER BY 1')).flat();
    await send(world, field('c_kind', 'string-exact', facetData('false')));
    await work(world, 6);
    expect(await world.service.store.read('SELECT name FROM search_counted ORDER BY 1')).toEqual([
      ['c_size'],
      ['mediaType'],
      ['user'],
    ]);
    await expectCounts(world);
    for (const id of [...items]) await send(world, by(`DELETE /API/item/${id}`));
    for (const id of collections) await send(world, by(`DELETE /API/collection/${id}`));
    expect(await counts()).toEqual([]);
    items.length = 0;
    items.push(await idOf(item(values())));
  });

  it('read no values of entities', async () => {
    await work(world, 6);
    const { store } = world.service;
    await store.commit(
      { changes: [{ sql: 'UPDATE search_count SET n = n + 1000', args: [] }], events: [] },
      { user: 'test' },
    );
    const [facet] = (await answer(world, admin, 'item', { facet: [{ field: 'mediaType' }] })) as [{ count: object[] }];
    expect(facet.count).toEqual([expect.objectContaining({ fieldValue: 'none', count: items.length + 1000 })]);
  });
});
