import { expect, it } from 'vitest';
import { viewerFor } from '../../src/assets/access/viewer.ts';
import type { ItemSearch } from '../../src/search/documents/search.ts';
import { find } from '../../src/search/find.ts';
import { facetsOf } from '../../src/search/query/facets.ts';
import { by, json, openAssets, owner, people, send, stranger } from '../assets/asset-support.ts';
import type { World } from '../support/matrix.ts';
import { type Dice, dice, seedOfRun } from '../support/random.ts';
import { admin, type Credentials } from '../support/service.ts';
import {
  type Asked,
  type Kind,
  Model,
  type ModelGroup,
  type ModelItem,
  type ModelSearch,
  type ModelSpan,
} from './model.ts';
import { field, fieldsOf, keepOrders } from './search-support.ts';

/** Searches that are compared: `PORTICO_SEARCHES=100000 npx vitest run test/search/oracle.test.ts`. */
const comparisons = Number(process.env['PORTICO_SEARCHES'] ?? 500);
const changesEvery = 50;
/** The words of items stay when those go: at last a wildcard would fit more of them than a search may have. */
const inOneWorld = 10_000;

const kinds: Readonly<Record<string, Kind>> = { x_words: 'words', x_note: 'words', x_tag: 'exact', x_count: 'number' };
const names = Object.keys(kinds);
const users: readonly Credentials[] = [admin, owner, stranger];
const vocabulary = ['harbour', 'Häfen', 'night', 'old', 'sea', 'seal', 'x1', 'nights', 'o'];

/** Random items and searches from few words: most searches find something. */
class Random {
  readonly #roll: Dice;

  constructor(seed: number) {
    this.#roll = dice(seed);
  }

  below = (count: number): number => this.#roll(count);
  chance = (percent: number): boolean => this.#roll(100) < percent;
  one = <T>(list: readonly T[]): T => list[this.#roll(list.length)]!;
  many = <T>(most: number, make: () => T): T[] => Array.from({ length: this.#roll(most + 1) }, make);

  value(name: string): string {
    if (kinds[name] === 'number') return String(this.#roll(12) - 4);
    if (kinds[name] === 'exact') return this.one(['sea', 'Sea', 'old sea', 'a*b', 'é', 'sea[1]']);
    return [this.one(vocabulary), ...this.many(2, () => this.one(vocabulary))].join(' ');
  }

  fields(): Record<string, readonly string[]> {
    const chosen = names.filter(() => this.chance(45));
    return Object.fromEntries(
      chosen.map((name) => [name, [...new Set([this.value(name), ...this.many(1, () => this.value(name))])]]),
    );
  }

  item(serial: number, by: string): ModelItem {
    const groups = this.chance(35)
      ? this.many(2, (): ModelGroup => ({ name: this.one(['Film', 'Book']), fields: this.some() }))
      : [];
    const starts = this.chance(35) ? ['10', '20', '30'].slice(0, this.below(4)) : [];
    const spans = starts.map((start): ModelSpan => ({ start, end: `${start}.5`, fields: this.some() }));
    return { serial, id: `VX-${serial}`, owner: by, fields: this.fields(), groups, spans };
  }

  /** Never empty: an empty timespan is none. */
  some(): Record<string, readonly string[]> {
    const fields = this.fields();
    return Object.keys(fields).length > 0 ? fields : { x_tag: ['sea'] };
  }

  criteria(depth: number, inGroup = false): Asked {
    const asked: Record<string, unknown> = {};
    const count = 1 + this.below(2);
    for (let index = 0; index < count; index++) {
      const kind = this.below(inGroup ? 4 : 8);
      if (kind < 3) asked['field'] = [...((asked['field'] as []) ?? []), this.field()];
      else if (kind === 3) asked['text'] = [this.chance(15) ? this.spread() : { value: this.sought() }];
      else if (kind === 4 && depth > 0)
        asked['group'] = [
          { name: this.one(['Film', 'Book', 'None']), ...(this.chance(85) ? this.criteria(0, true) : {}) },
        ];
      else if (depth > 0) asked['operator'] = [...((asked['operator'] as []) ?? []), this.operator(depth - 1)];
      else asked['field'] = [...((asked['field'] as []) ?? []), this.field()];
    }
    return asked;
  }

  operator(depth: number) {
    return { operation: this.one(['AND', 'OR', 'OR', 'NOT'] as const), ...this.criteria(depth) };
  }

  sought(): string {
    const word = this.one(vocabulary);
    if (this.chance(15)) return `${word.slice(0, 2)}*`;
    if (this.chance(10)) return `*${word.slice(1)}`;
    if (this.chance(10)) return `?${word.slice(1)}`;
    return this.chance(20) ? `${word} ${this.one(vocabulary)}` : word.toUpperCase();
  }

  /** Words near each other. */
  spread() {
    const words = [this.one(vocabulary), ...this.many(2, () => this.one(vocabulary))].join(' ');
    return { value: `"${words}"~${this.below(3)}`, noescape: true };
  }

  field() {
    const name = this.chance(4) ? 'x_none' : this.one(names);
    const kind = kinds[name];
    if (this.chance(10)) return { name };
    if (kind !== 'words' && this.chance(30)) {
      const ends = [this.chance(15) ? '' : this.value(name), this.chance(15) ? '' : this.value(name)];
      const range = {
        value: ends.map((value) => ({ value })),
        exclusiveMinimum: this.chance(30),
        exclusiveMaximum: this.chance(30),
      };
      return { name, range: [range] };
    }
    const one = () => ({
      value: this.chance(5)
        ? '*'
        : kind === 'words'
          ? this.sought()
          : kind === 'exact' && this.chance(25)
            ? this.one(['*sea', 's?a', 'o*'])
            : this.value(name),
    });
    return { name, value: [one(), ...this.many(1, one)] };
  }

  search(): ModelSearch {
    const filters = this.chance(25) ? [{ name: this.one(['one', 'two']), ...this.operator(1) }] : [];
    const facetable = ['x_tag', 'x_count'];
    return {
      ...(this.chance(92) ? this.criteria(2) : {}),
      ...(filters.length > 0 && { filter: filters }),
      ...(this.chance(10) && { facetFilter: [{ field: 'x_tag', value: this.one(['sea', 'old sea']) }] }),
      ...(this.chance(30) && { facet: [{ field: this.one(facetable), ...(this.chance(50) && { exclude: ['one'] }) }] }),
      ...(this.chance(40) && {
        sort: [...new Set([this.one(facetable), ...this.many(1, () => this.one(facetable))])].map((each) => ({
          field: each,
          order: this.one(['ascending', 'descending'] as const),
        })),
      }),
      ...(this.chance(30) && { intervals: this.one(['generic', 'timed'] as const) }),
    };
  }
}

const documentOf = ({ fields, groups, spans }: ModelItem) => ({
  timespan: [
    {
      start: '-INF',
      end: '+INF',
      field: fieldsOf(fields),
      group: groups.map((group) => ({ name: group.name, mode: 'add', field: fieldsOf(group.fields) })),
    },
    ...spans.map(({ start, end, fields: inTime }) => ({ start, end, field: fieldsOf(inTime) })),
  ],
});

async function idOf(world: World, [name]: Credentials): Promise<string> {
  const [row] = await world.service.store.read('SELECT id FROM user WHERE name = ?', [name]);
  return String(row![0]);
}

it('search: hits, order, pages and facets are those of a plain search over all items', {
  timeout: 3_600_000,
}, async () => {
  const random = new Random(seedOfRun);
  for (let left = comparisons; left > 0; left -= inOneWorld) await compare(random, Math.min(left, inOneWorld));
});

async function compare(random: Random, comparisons: number): Promise<void> {
  const world = await openAssets();
  const { store } = world.service;
  const types = { words: 'string', exact: 'string-exact-sortable', number: 'integer-sortable' } as const;
  for (const sent of people) await send(world, sent);
  for (const name of names) await send(world, field(name, types[kinds[name]!]));
  for (const group of ['Film', 'Book']) {
    await send(world, by(`PUT /API/metadata-field/field-group/${group}`, { field: names.map((name) => ({ name })) }));
  }
  const model = new Model(kinds);
  let items: ModelItem[] = [];
  let serial = 0;
  const add = async () => {
    const as = random.one(users);
    const item = random.item(++serial, as[0]);
    await send(world, by('POST /API/import/placeholder', documentOf(item), json, as));
    items.push(item);
  };
  for (let index = 0; index < 40; index++) await add();
  await keepOrders(world);

  for (let index = 0; index < comparisons; index++) {
    if (index % changesEvery === changesEvery - 1) {
      const gone = random.one(items);
      await send(world, by(`DELETE /API/item/${gone.id}`));
      items = items.filter((each) => each !== gone);
      await add();
    }
    const as = random.one(users);
    const viewer = await viewerFor(store, { administrator: as === admin, userId: await idOf(world, as) });
    const search = random.search();
    const seen = items.filter((each) => as === admin || each.owner === as[0]);
    const expected = model.search(seen, search);
    const document = search as ItemSearch;
    const number = 1 + random.below(50);
    const first = 1 + random.below(4);
    // Half of the pages are read from the order of a field, the others are sorted.
    const result = await find(
      store,
      viewer,
      'item',
      document,
      { first, number },
      index % 2 === 0 ? { fewHits: 0 } : {},
    );
    const told = `${as[0]}: ${JSON.stringify(search)}`;
    expect(result.hits, told).toBe(expected.hits);
    const page = expected.entries.slice(first - 1, first - 1 + number);
    expect(
      result.entries.map(({ id, start }) => [id, start]),
      told,
    ).toEqual(page);
    const facets = await facetsOf(store, result.search, document, result.resolved);
    const counted = facets.map(({ count = [] }) => count.map((each) => [each.fieldValue, each.value]));
    expect(counted, told).toEqual(expected.facets);
  }
}
