import { beforeAll, describe, expect, it } from 'vitest';
import { groupBy } from '../../../src/core/lib/group-by.ts';
import { field, fieldsOf, item, join, keepOrders, newCollection, openSharedAssets } from '../../support/assets.ts';
import { pagesByCursor } from '../../support/cursors.ts';
import { shareOfTries } from '../../support/long.ts';
import type { World } from '../../support/matrix.ts';
import { type Dice, dice, seedOfRun, tellSeed } from '../../support/random.ts';
import { by, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { ann, ben, cat, givenTo } from '../../support/world.ts';
import { ask, gives } from '../access/support.ts';

/** Rounds of changed entries: `PORTICO_CLOSED=200 npx vitest run test/assets/search/closed-fields.test.ts`. */
const rounds = Number(process.env['PORTICO_CLOSED'] ?? shareOfTries(4, 4));
const fields = ['title', 'x_note', 'x_tag', 'x_count'] as const;
const items = Array.from({ length: 8 }, (_, index) => `VX-${index + 1}`);
const of = (name: string) => ({ metadata: { field: name } });

const made = [
  ...givenTo('access'),
  ...[ann, ben, cat].flatMap(([name]) =>
    ['_item_search', '_library_read', '_library_write'].map((role) => by(`PUT /API/group/${role}/user/${name}`)),
  ),
  field('x_note', 'string-sortable'),
  field('x_tag', 'string-exact'),
  field('x_count', 'integer-sortable'),
];

interface Found {
  readonly hits: number;
  readonly item?: readonly { readonly id: string; readonly timespan?: unknown }[];
  readonly facet?: readonly {
    readonly count?: readonly { readonly fieldValue: string; readonly count: number }[];
    readonly range?: readonly { readonly count: number }[];
  }[];
  readonly suggestion?: readonly { readonly suggestion?: readonly string[] }[];
  readonly autocomplete?: readonly { readonly suggestion?: readonly string[] }[];
  readonly nextCursor?: string;
}

const searching =
  (world: () => World) =>
  async (as: Credentials, document: object, query = ''): Promise<Found> => {
    const { body } = await send(world(), ask(as, `PUT /API/item?number=100${query}`, document));
    return JSON.parse(body) as Found;
  };
const idsIn = ({ item = [] }: Found) => item.map(({ id }) => id);
const value = (name: string, ...texts: readonly string[]) => ({
  field: [{ name, ...(texts.length > 0 && { value: texts.map((text) => ({ value: text })) }) }],
});
const text = (words: string) => ({ text: [{ value: words }] });

describe('a field that an entry closes on one item', () => {
  const opened = openSharedAssets();
  const search = searching(opened);

  beforeAll(async () => {
    const open = { title: 'Harbour', x_note: 'lantern', x_tag: 'open', x_count: '5' };
    for (const sent of [
      ...made,
      item(open),
      item({ title: 'Harbour', x_note: 'zebra quartz', x_tag: 'sealed', x_count: '77' }),
      item({ title: 'Harbour', x_note: 'meadow', x_tag: 'other', x_count: '9' }),
      ...['VX-1', 'VX-2', 'VX-3'].map((id) => gives(admin, `item/${id}`, { permission: 'READ', user: 'ben' })),
      ...['x_note', 'x_tag', 'x_count'].map((name) =>
        gives(admin, 'item/VX-2', { permission: 'NONE', user: 'ben', operation: of(name) }),
      ),
    ])
      await send(opened(), sent);
    await keepOrders(opened());
  });

  it.each([
    ['its words', text('zebra')],
    ['a beginning of its words', text('zeb*')],
    ['a phrase', { text: [{ value: '"zebra quartz"', noescape: true }] }],
    ['words near each other', { text: [{ value: '"quartz zebra"~3', noescape: true }] }],
    ['a query in the field', { field: [{ name: 'x_note', value: [{ value: 'zeb*', noescape: true }] }] }],
    ['a value', value('x_tag', 'sealed')],
    ['a pattern', value('x_tag', 'sea*')],
    ['one of many values', value('x_tag', ...Array.from({ length: 40 }, (_, n) => `t${n}`), 'sealed')],
    ['a range', { field: [{ name: 'x_count', range: [{ value: [{ value: '70' }, { value: '80' }] }] }] }],
    ['a filter', { filter: [{ operation: 'AND', ...value('x_tag', 'sealed') }] }],
    ['a facet filter', { facetFilter: [{ field: 'x_tag', value: 'sealed' }] }],
    ['one of several criteria', { operator: [{ operation: 'OR', ...value('x_tag', 'sealed'), ...text('zebra') }] }],
  ])('is not found by %s where the rest of the item is open', async (_, document) => {
    expect((await search(ben, document)).hits).toBe(0);
    expect((await search(admin, document)).hits).toBe(1);
  });

  it('is not told by what is left out: without its value, the item is found', async () => {
    const without = (inner: object) => ({ operator: [{ operation: 'NOT', ...inner }] });
    for (const inner of [text('zebra'), value('x_tag', 'sealed'), value('x_tag')]) {
      expect(idsIn(await search(ben, without(inner)))).toContain('VX-2');
      expect(idsIn(await search(admin, without(inner)))).not.toContain('VX-2');
    }
    expect(idsIn(await search(ben, value('x_tag')))).toEqual(['VX-3', 'VX-1']);
    expect(idsIn(await search(ben, text('harbour')))).toEqual(['VX-3', 'VX-2', 'VX-1']);
  });

  it('counts in no facet and in no range of one', async () => {
    const facet = [{ field: 'x_tag' }, { field: 'x_count', range: [{ start: '70', end: '80' }] }];
    const [tags, counts] = (await search(ben, { facet })).facet!;
    expect(tags!.count!.map(({ fieldValue }) => fieldValue).toSorted()).toEqual(['open', 'other']);
    expect(counts!.range!.map(({ count }) => count)).toEqual([0]);
  });

  it('is in no suggestion and no completion', async () => {
    const autocomplete = [{ text: 'zeb' }, { text: 'zeb', field: 'x_note' }, { text: 'sea', field: 'x_tag' }];
    const document = { ...text('zebro'), suggestion: { maximumSuggestions: 5, accuracy: 0.1 }, autocomplete };
    const told = async (as: Credentials) => {
      const found = await search(as, document);
      return [...found.suggestion!, ...found.autocomplete!].map(({ suggestion = [] }) => suggestion.length);
    };
    expect(await told(ben)).toEqual([0, 0, 0, 0]);
    expect(await told(admin)).toEqual([1, 1, 1, 1]);
  });

  it('is in no highlight, also where all texts are shown', async () => {
    for (const matchingOnly of [true, false]) {
      const found = await search(ben, { ...text('harbour'), highlight: { matchingOnly } });
      expect(JSON.stringify(found)).toContain('Harbour');
      expect(JSON.stringify(found)).not.toMatch(/zebra|sealed|77/);
    }
  });

  it.each(['x_note', 'x_tag', 'x_count'])(
    'does not sort by %s: the item comes last, as those without a value',
    async (name) => {
      for (const order of ['ascending', 'descending']) {
        expect(idsIn(await search(ben, { sort: [{ field: name, order }] })).at(-1)).toBe('VX-2');
        const pages = await pagesByCursor(async (cursor) => {
          const sent = ask(ben, `PUT /API/item?number=1&cursor=${cursor}`, { sort: [{ field: name, order }] });
          const found = JSON.parse((await send(opened(), sent)).body) as Found;
          const next = found.nextCursor ?? '';
          expect(atob(next.replaceAll('-', '+').replaceAll('_', '/'))).not.toMatch(/zebra|sealed|77/);
          return { entries: idsIn(found), next };
        });
        expect([pages.length, pages.at(-1)?.entries]).toEqual([3, ['VX-2']]);
      }
    },
  );

  it('makes no hit better than another: its words do not count for relevance', async () => {
    const scored = { ...text('harbour'), sort: [{ field: '_relevance', order: 'descending' }] };
    const before = idsIn(await search(ben, scored));
    const note = {
      timespan: [{ start: '-INF', end: '+INF', field: fieldsOf({ x_note: 'harbour harbour harbour zebra quartz' }) }],
    };
    await send(opened(), ask(admin, 'PUT /API/item/VX-2/metadata', note));
    expect(idsIn(await search(ben, scored))).toEqual(before);
  });
});

describe('searches of several users, with entries for single fields on items, collections and libraries', () => {
  const opened = openSharedAssets();
  const search = searching(opened);
  const users = [ann, ben, cat];
  const roll: Dice = dice(seedOfRun);
  const one = <T>(list: readonly T[]): T => list[roll(list.length)]!;
  const words = ['amber', 'birch', 'cedar'];
  const valuesOf = () => ({
    ...(roll(4) > 0 && { title: `${one(words)} ${one(words)}` }),
    ...(roll(4) > 0 && { x_note: `${one(words)} ${one(words)}` }),
    ...(roll(4) > 0 && { x_tag: one(words) }),
    ...(roll(4) > 0 && { x_count: String(roll(4)) }),
  });

  beforeAll(async () => {
    for (const sent of made) await send(opened(), sent);
    for (const _ of items) await send(opened(), item(valuesOf(), {}, one(users)));
    for (let count = 0; count < 2; count++) await send(opened(), newCollection('?name=box', one(users)));
    for (const id of items) if (roll(2) === 0) await send(opened(), join(one(['VX-1', 'VX-2']), id));
    await send(opened(), by('PUT /API/item?result=library', {}));
    await keepOrders(opened());
  });

  async function changeEntries(): Promise<void> {
    const library = roll(4) === 0;
    const place = library
      ? 'library/VX-1'
      : roll(2) === 0
        ? `item/${one(items)}`
        : `collection/${one(['VX-1', 'VX-2'])}`;
    const operation = roll(3) === 0 ? {} : { operation: roll(4) === 0 ? { metadata: {} } : of(one(fields)) };
    await opened().send(
      ask(library ? admin : one([admin, admin, ...users]), `POST /API/${place}/access`, {
        ...(roll(4) === 0 ? { group: one(['crew', 'staff']) } : { user: one(users)[0] }),
        permission: one(['NONE', 'NONE', 'READ', 'READ', 'ALL']),
        priority: roll(3),
        ...operation,
      }),
    );
  }

  /** Values that GET tells, by item and field. */
  async function readable(as: Credentials): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
    const told = new Map<string, ReadonlyMap<string, string>>();
    for (const id of items) {
      const whole = await opened().send(ask(as, `GET /API/item/${id}?content=metadata`));
      if (whole.status !== 200) continue;
      const { metadata } = JSON.parse(whole.body) as {
        metadata?: { timespan?: { field?: { name: string; value?: { value: string }[] }[] }[] };
      };
      const named = (metadata?.timespan ?? []).flatMap(({ field = [] }) => field);
      told.set(
        id,
        new Map(
          named.flatMap((each) =>
            (fields as readonly string[]).includes(each.name) && each.value ? [[each.name, each.value[0]!.value]] : [],
          ),
        ),
      );
    }
    return told;
  }

  it('find, count and sort by what GET of the same items tells, and by nothing else', {
    timeout: 3_600_000,
  }, async () => {
    tellSeed();
    for (let round = 0; round < rounds; round++) {
      for (let change = 0; change < 6; change++) await changeEntries();
      for (const as of users) {
        const told = await readable(as);
        const having = (test: (values: ReadonlyMap<string, string>) => boolean) =>
          [...told].flatMap(([id, values]) => (test(values) ? [id] : [])).toSorted();
        const expectFound = async (document: object, test: (values: ReadonlyMap<string, string>) => boolean) => {
          const found = await search(as, document);
          const wanted = having(test);
          expect([found.hits, idsIn(found).toSorted()], `${as[0]} ${JSON.stringify(document)}`).toEqual([
            wanted.length,
            wanted,
          ]);
        };
        const isIn =
          (word: string) =>
          (given = '') =>
            given.split(' ').includes(word);
        for (const word of words) {
          const has = (name: string) => (values: ReadonlyMap<string, string>) => isIn(word)(values.get(name));
          const anywhere = (values: ReadonlyMap<string, string>) =>
            ['title', 'x_note', 'x_tag'].some((name) => has(name)(values));
          await expectFound(text(word), anywhere);
          await expectFound({ operator: [{ operation: 'NOT', ...text(word) }] }, (values) => !anywhere(values));
          for (const name of ['title', 'x_note', 'x_tag']) await expectFound(value(name, word), has(name));
          const either = { operation: 'OR', field: [...value('title', word).field, ...value('x_tag', word).field] };
          await expectFound({ operator: [either] }, (values) => has('title')(values) || has('x_tag')(values));
          await expectFound({ ...text(word), ...value('x_tag', word) }, has('x_tag'));
        }
        for (const name of fields) await expectFound(value(name), (values) => values.has(name));
        const range = [{ value: [{ value: '1' }, { value: '2' }] }];
        await expectFound({ field: [{ name: 'x_count', range }] }, (values) =>
          ['1', '2'].includes(values.get('x_count') ?? ''),
        );
        const { facet } = await search(as, { facet: [{ field: 'x_tag' }] });
        const tags = groupBy(
          [...told.values()].flatMap((values) => values.get('x_tag') ?? []),
          (tag) => tag,
        );
        expect(new Map(facet![0]!.count!.map((each) => [each.fieldValue, each.count]))).toEqual(
          new Map(Array.from(tags, ([tag, those]) => [tag, those.length])),
        );
        for (const name of ['x_count', 'x_tag', 'x_note']) {
          const sorted = idsIn(await search(as, { sort: [{ field: name, order: 'ascending' }] }));
          const keys = sorted.map((id) => told.get(id)!.get(name) ?? '~');
          expect(keys, `${as[0]} by ${name}`).toEqual(keys.toSorted());
        }
      }
    }
  });
});
