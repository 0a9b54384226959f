import { describe, expect, it } from 'vitest';
import type { ItemSearch } from '../../../src/assets/search/documents.ts';
import { find } from '../../../src/assets/search/find.ts';
import type { LimitedReader } from '../../../src/core/store/statement.ts';
import { by, json } from '../../support/requests.ts';
import { named, reader as noEntries, openScenarios, text, values } from './scenarios/support.ts';

const { answer, done, ids, search, store } = openScenarios();

/** The links of a search, the outermost first, around criteria. */
const nested = (links: readonly string[], inner: object): object =>
  links.reduceRight((of, link) => ({ [link]: of }), inner);

const around = (count: number, inner: object): object =>
  nested(
    Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 'shape' : 'item')),
    inner,
  );

describe('an attack by links to other entities', () => {
  const refused = async (document: object, target = '/item') => {
    const { status, body } = await answer(by(`PUT /API${target}`, document, json));
    return [status, (JSON.parse(body) as { invalidInput?: object }).invalidInput];
  };

  it.each([4, 7, 20])('with %i inside each other is refused by name', async (count) => {
    expect(await refused(around(count, text('harbour')))).toMatchObject([
      400,
      {
        context: 'search/item',
        explanation: 'Expected at most 3 links to other entities inside each other',
      },
    ]);
  });

  it('with more than ten in one search is refused by name', async () => {
    const operator = Array.from({ length: 11 }, () => ({ operation: 'OR', shape: named('tag', 'web') }));
    const expected = { context: 'search/shape', explanation: 'Expected at most 10 links to other entities' };
    expect(await refused({ operator })).toMatchObject([400, expected]);
    expect(await refused({ filter: operator })).toMatchObject([400, expected]);
    const fields = operator.map(() => ({ name: 'tag', target: 'shape', value: values('web') }));
    expect(await refused({ field: fields })).toMatchObject([400, expected]);
  });

  it.each(['/item', '/collection', '/search', '/search/shape', '/search/file'])(
    'deep in operators is refused by name where the engine reads no further, by %s',
    async (target) => {
      const found = { '/search/shape': ['item', 'file', 'shape'], '/search/file': ['item', 'shape', 'item'] }[target];
      let inner: object = nested(found ?? ['shape', 'file', 'item'], named('title', 'harbour'));
      const told = new Set<string>();
      for (let depth = 0; depth < 24; depth++) {
        const { status, body } = await answer(by(`PUT /API${target}`, { ...inner, facet: [{ field: 'x_tag' }] }, json));
        const { invalidInput } = JSON.parse(body) as { invalidInput?: { context: string; explanation: string } };
        told.add(status === 200 ? '200' : `${status} ${invalidInput?.context}: ${invalidInput?.explanation}`);
        inner = { operator: [{ operation: depth % 2 ? 'OR' : 'NOT', ...inner }], ...named('title', 'x') };
      }
      expect([...told]).toEqual([
        '200',
        '400 search/operator: Expected fewer operators, items, shapes and files inside each other',
        '400 search/operator: Expected at most 24 criteria inside each other',
      ]);
    },
  );
});

it('links of items and collections at once are read where metadata is timed, too', async () => {
  const linked = { ...named('x_actor', 'carla'), operator: [{ operation: 'NOT', file: named('path', 'none') }] };
  expect(await search(linked, '/search')).toMatchObject({ hits: 2, entry: [{ id: 'VX-5' }, { id: 'VX-5' }] });
});

describe('links inside each other', () => {
  it('find what the links one by one find', async () => {
    await done(by('PUT /API/shape-tag/web', {}));
    await done(by('POST /API/item/VX-3/shape/create?tag=web', { mimeType: ['video/mp4'] }));
    expect(await ids(nested(['shape', 'item'], named('title', 'wälder')))).toEqual(['VX-3']);
    expect(await ids(nested(['shape', 'item'], named('title', 'harbour')))).toEqual([]);
    expect(await ids(nested(['shape', 'item', 'shape'], named('tag', 'web')))).toEqual(['VX-3']);
    const shapes = await search(nested(['item', 'shape'], named('tag', 'web')), '/search/shape');
    expect(shapes.shape!.map(({ item }) => item)).toEqual([[{ id: 'VX-3' }]]);
    expect(await ids(nested(['item', 'shape', 'item'], named('title', 'wälder')), '/collection')).toEqual([]);
    expect(await ids(nested(['shape', 'item'], named('title', 'wälder')), '/item', noEntries)).toEqual([]);
  });

  it('gather the inner entities once, and not for each of the outer ones', async () => {
    const asked: [string, readonly unknown[]][] = [];
    const reader: LimitedReader = {
      isLimited: true,
      read(sql, args = [], max) {
        asked.push([sql, args]);
        return store().read(sql, args, max);
      },
    };
    const viewer = { administrator: true, userId: undefined, contexts: undefined };
    const document = nested(['file', 'item', 'file'], { field: [{ name: 'filename', value: values('a') }] });
    await find(reader, viewer, 'item', document as ItemSearch, { first: 1, number: 10 });
    const [[sql, args]] = asked.filter(([each]) => each.includes('file_use')) as [[string, never]];
    const plan = (await store().read(`EXPLAIN QUERY PLAN ${sql}`, args)).map((row) => String(row[3]));
    const perRow = plan.filter((line) => line.startsWith('CORRELATED'));
    // For the page and for the number of hits.
    expect([perRow.length, plan.filter((line) => line.startsWith('LIST SUBQUERY')).length]).toEqual([2, 4]);
  });
});
