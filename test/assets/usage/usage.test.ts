import { expect, it } from 'vitest';
import { usageSchedule } from '../../../src/assets/usage/schedule-work.ts';
import { describeMatrix, openWorld } from '../../support/matrix.ts';
import { by, done, json, jsonOf } from '../../support/requests.ts';
import { itHolds, prepare, type Scenario } from '../../support/scenario.ts';
import { stepOf } from '../../support/work.ts';
import { ann, begin, ben, cat, given, hour, later, past, soon, usage } from './support.ts';

const bad = { 'portico-error': 'bad-value' };
const terms = { usableFrom: past, usableUntil: later, reason: 'Licence' };
const told = { usableFrom: Date.parse(past), usableUntil: Date.parse(later), reason: 'Licence' };

const rows: readonly Scenario[] = [
  {
    name: 'an item has a time from when until when it is used, and a reason',
    ...usage('item/VX-1', { ...terms, reason: ' Licence ' }),
    status: 200,
    says: {
      json: { ...terms, user: 'ann', modified: expect.stringMatching(/^2030-/), state: 'usable', inherited: [] },
    },
    events: [['usage/modify', 'VX-1', { itemId: 'VX-1', ...told }]],
  },
  {
    name: 'a collection has terms',
    ...usage('collection/VX-2', terms),
    status: 200,
    events: [['collection/usage/modify', 'VX-2', { collectionId: 'VX-2', ...told }]],
  },
  {
    name: 'an item without terms says so by having none',
    as: ben,
    request: 'GET /API/item/VX-1/usage',
    headers: json,
    status: 200,
    says: { json: { inherited: [] } },
  },
  {
    name: 'terms of all collections above count, and who may not read one learns no id of it',
    given: [usage('item/VX-1', terms), usage('collection/VX-2', { usableFrom: soon })],
    as: ben,
    request: 'GET /API/item/VX-1/usage',
    headers: json,
    status: 200,
    says: {
      jsonPart: { state: 'later', inherited: [{ entityType: 'Collection', usableFrom: soon }] },
      lacks: ['entityId'],
    },
  },
  {
    name: 'terms are set anew as a whole',
    given: [usage('item/VX-1', terms)],
    ...usage('item/VX-1', { usableUntil: soon }),
    status: 200,
    says: { jsonPart: { usableUntil: soon }, lacks: ['usableFrom', 'reason'] },
    events: [['usage/modify', 'VX-1']],
  },
  {
    name: 'terms go, and those of a collection above stay',
    given: [usage('item/VX-1', terms), usage('collection/VX-1', terms)],
    ...by('DELETE /API/item/VX-1/usage', undefined, json, ann),
    status: 200,
    events: [['usage/delete', 'VX-1', { itemId: 'VX-1', ...told }]],
  },
  {
    name: 'terms that are not there do not go',
    given: [usage('collection/VX-1', terms)],
    ...by('DELETE /API/item/VX-1/usage', undefined, json, ann),
    status: 404,
  },
  { name: 'who may only read an item sets no terms', ...usage('item/VX-1', terms, ben), status: 403 },
  { name: 'the role alone sets no terms', ...usage('item/VX-1', terms, cat), status: 403 },
  { name: 'who may not read an item learns no terms', as: cat, request: 'GET /API/item/VX-1/usage', status: 403 },
  { name: 'an unknown item has no terms', ...usage('item/VX-9', terms), status: 404 },
  ...(
    [
      ['without a time', { reason: 'x' }, 'Expected a time here, in'],
      ['that end before they begin', { usableFrom: soon, usableUntil: begin }, 'Expected a time after'],
      ['with a reason of 1,001 characters', { ...terms, reason: 'x'.repeat(1001) }, 'at most 1000 characters'],
    ] as const
  ).map(
    ([what, body, says]): Scenario => ({
      name: `terms ${what} are refused`,
      ...usage('item/VX-1', body),
      status: 400,
      answers: bad,
      says: { contains: [says] },
    }),
  ),
  {
    name: 'the document of an item has the result of all terms, where it is asked for',
    given: [
      usage('item/VX-1', { usableUntil: later, reason: 'Own' }),
      usage('collection/VX-2', { usableUntil: past, reason: 'Theirs' }),
    ],
    ...by('GET /API/item?content=usage', undefined, json, ben),
    status: 200,
    says: { jsonPart: { item: [{ id: 'VX-1', usage: { state: 'ended', usableUntil: past, reason: 'Theirs' } }] } },
  },
  {
    name: 'the document of an item without terms has none',
    ...by('GET /API/item/VX-1?content=usage', undefined, json, ben),
    status: 200,
    says: { json: { id: 'VX-1' } },
  },
  {
    name: 'a report says what ends next, as far as the caller may read it',
    given: [
      usage('item/VX-2', { usableUntil: soon }),
      usage('collection/VX-1', { usableUntil: later }),
      usage('item/VX-1', { usableUntil: begin, reason: 'Licence' }),
    ],
    ...by(`GET /API/usage?until=${encodeURIComponent(later)}`, undefined, json, ben),
    status: 200,
    says: {
      json: {
        usage: [
          {
            entityType: 'Item',
            entityId: 'VX-1',
            usableUntil: begin,
            reason: 'Licence',
            user: 'ann',
            modified: expect.any(String),
          },
        ],
      },
    },
  },
];

describeMatrix('terms of use', (entry) => {
  itHolds(entry, rows, { given });

  it('of a shape are its own, and go with it', async () => {
    const world = await entry.open();
    await prepare(world, given);
    const reported = async (as = ben) => {
      const { usage: rows = [] } = await jsonOf<{ usage?: { item?: string }[] }>(world, 'GET /API/usage', as);
      return rows.map(({ item }) => item);
    };
    const first = await done<{ id: string }>(world, by('POST /API/item/VX-1/shape/create?tag=original', {}));
    await done(world, usage(`item/VX-1/shape/${first.id}`, { usableUntil: later }));
    expect(await reported()).toEqual(['VX-1']);
    const closed = { user: 'ben', permission: 'NONE', operation: { shape: { tag: 'original' } }, priority: 1 };
    await done(world, by('POST /API/item/VX-1/access', closed));
    expect([await reported(), await reported(ann)]).toEqual([[], ['VX-1']]);
    const { id: shape } = await done<{ id: string }>(world, by('POST /API/item/VX-2/shape/create', {}));
    await done(world, usage(`item/VX-2/shape/${shape}`, { usableUntil: past }));
    const ofShape = await jsonOf<{ state: string }>(world, `GET /API/item/VX-2/shape/${shape}/usage`);
    const ofItem = await jsonOf(world, 'GET /API/item/VX-2/usage');
    expect([ofShape.state, ofItem]).toEqual(['ended', { inherited: [] }]);
    await done(world, by(`DELETE /API/item/VX-2/shape/${shape}`));
    await done(world, by('DELETE /API/item/VX-1'));
    expect(await world.service.store.read('SELECT * FROM usage_term')).toEqual([]);
  });

  it('begin and end at their times, with one event each', async () => {
    const world = await entry.open();
    await prepare(world, [
      ...given,
      usage('item/VX-1', { usableFrom: begin, usableUntil: soon, reason: 'Premiere' }),
      usage('collection/VX-1', { usableUntil: begin }),
    ]);
    const since = await world.sequence();
    const names = async () => (await world.events(since)).map(({ name, entity }) => `${name} ${entity}`);
    const pass = async (time: number) => {
      await world.clock.advance(time);
      for (let round = 0; round < 3; round++) await world.service.tick();
    };
    await pass(hour - 1);
    expect(await names()).toEqual([]);
    await pass(1);
    const first = ['usage/begins VX-1', 'collection/usage/ends VX-1'];
    expect((await names()).toSorted()).toEqual(first.toSorted());
    await pass(hour);
    expect((await names()).slice(2)).toEqual(['usage/ends VX-1']);
    await pass(hour);
    expect(await names()).toHaveLength(3);
    expect((await world.events(since)).at(-1)!.payload).toMatchObject({ itemId: 'VX-1', reason: 'Premiere' });
  });

  it('that began and ended while no service ran tell of both, in order', async () => {
    const world = await entry.open();
    await prepare(world, [...given, usage('item/VX-1', { usableFrom: begin, usableUntil: soon })]);
    const since = await world.sequence();
    // As after a stop: nothing looked at the time in between.
    await world.service.store.commit(
      { changes: [{ sql: 'UPDATE usage_term SET usable_from = 1, usable_until = 2, due = 1', args: [] }], events: [] },
      { user: 'test' },
    );
    for (let round = 0; round < 3; round++) await world.service.tick();
    expect((await world.events(since)).map(({ name }) => name)).toEqual(['usage/begins', 'usage/ends']);
  });

  it('that are set to an end in the past tell of it once, and not again where they are changed', async () => {
    const world = await entry.open();
    await prepare(world, given);
    const since = await world.sequence();
    for (const reason of ['One', 'Two']) {
      await done(world, usage('item/VX-1', { usableUntil: past, reason }));
      for (let round = 0; round < 3; round++) await world.service.tick();
    }
    expect((await world.events(since)).map(({ name }) => name)).toEqual(['usage/modify', 'usage/ends', 'usage/modify']);
  });
});

it('two instances tell at the same time that rights begin: one event', async () => {
  const world = await openWorld('fetch');
  await prepare(world, [...given, usage('item/VX-1', { usableFrom: soon })]);
  const before = await world.sequence();
  const { store } = world.service;
  const clock = { ...world.clock, now: () => Date.parse(soon) };
  const step = () => stepOf(usageSchedule({ store, clock }), clock);
  await Promise.all([step(), step()]);
  expect((await world.events(before)).map(({ name }) => name)).toEqual(['usage/begins']);
});
