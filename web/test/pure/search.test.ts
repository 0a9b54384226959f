import { describe, expect, it } from 'vitest';
import { facetsOf, facetValues, fieldInfos, kindOf } from '../../src/pages/library/facets.ts';
import {
  documentOf,
  emptySearch,
  readSearch,
  textCriterion,
  withPick,
  withRange,
  writeSearch,
} from '../../src/pages/library/search.ts';

describe('a search in the address', () => {
  it('comes back as it was written', () => {
    let search = { ...emptySearch, text: 'harbour & "night"', sort: '-film_year' };
    search = withPick(withPick(search, 'film_genre', 'Drama', true), 'film_genre', 'A: B, "C"', true) as typeof search;
    search = withRange(search, 'film_year', { from: '1960', to: '' }) as typeof search;
    expect(readSearch(new URLSearchParams(writeSearch(search).toString()))).toEqual(search);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'an address filters by %s: it is the name of a field as any other',
    (name) => {
      const search = readSearch(new URLSearchParams({ f: `${name}:x`, r: `${name}:1..2` }));
      expect(Object.entries(search.picks)).toEqual([[name, ['x']]]);
      expect(Object.entries(search.ranges)).toEqual([[name, { from: '1', to: '2' }]]);
      expect(writeSearch(search).toString()).toBe(
        new URLSearchParams({ f: `${name}:x`, r: `${name}:1..2` }).toString(),
      );
      expect(withPick(emptySearch, 'title', 'x', true).picks[name]).toBeUndefined();
      expect(withPick(search, name, 'x', false).picks[name]).toBeUndefined();
      expect(withRange(search, name, undefined).ranges[name]).toBeUndefined();
    },
  );

  it('is empty when nothing is searched', () => {
    expect(writeSearch(emptySearch).toString()).toBe('');
    expect(readSearch(new URLSearchParams('f=&f=:x&f=nocolon&r=a&r=a:b&r=a:..&q='))).toEqual(emptySearch);
  });

  it('drops a filter with its last value', () => {
    const one = withPick(emptySearch, 'film_genre', 'Drama', true);
    expect(withPick(one, 'film_genre', 'Drama', false)).toEqual(emptySearch);
    expect(withRange(withRange(emptySearch, 'a', { from: '1', to: '2' }), 'a', undefined)).toEqual(emptySearch);
  });
});

describe('the text of a search', () => {
  it.each([
    ['harb', { value: 'harb*', noescape: true }],
    ['harbour ', { value: 'harbour', noescape: false }],
    ['över natten', { value: 'över natten*', noescape: true }],
    ['"at night" -pier', { value: '"at night" -pier', noescape: true }],
    ['night OR pier', { value: 'night OR pier', noescape: true }],
    ['"at ni', { value: '"at ni', noescape: false }],
    ['night (pier', { value: 'night (pier', noescape: false }],
    ['night OR', { value: 'night OR', noescape: false }],
    ['VX-12', { value: 'VX-12', noescape: false }],
    ['a: b', { value: 'a: b', noescape: false }],
  ])('%s', (text, criterion) => {
    expect(textCriterion(text)).toEqual(criterion);
  });

  it('is no criterion when it is empty', () => {
    expect(textCriterion('  ')).toBeUndefined();
  });
});

describe('the document of a search', () => {
  const facets = [
    { field: 'film_genre', label: 'Genre', kind: 'values' },
    { field: 'film_released', label: 'Released', kind: 'date' },
  ] as const;
  const options = { facets, counts: true, marked: ['title'] };

  it('lets a facet ignore its own filter, so that further values can be chosen', () => {
    const document = documentOf(withPick(emptySearch, 'film_genre', 'Drama', true), options);
    expect(document.filter).toEqual([
      { name: 'film_genre', field: [{ name: 'film_genre', value: [{ value: 'Drama' }] }] },
    ]);
    expect(document.facet).toMatchObject([{ field: 'film_genre', exclude: ['film_genre'] }]);
  });

  it('takes days whole, and leaves an open end open', () => {
    const document = documentOf(
      withRange(emptySearch, 'film_released', { from: '2026-01-31', to: '2026-01-31' }),
      options,
    );
    expect(document.filter?.[0]?.field).toEqual([
      {
        name: 'film_released',
        range: [
          {
            value: [{ value: new Date(2026, 0, 31).toISOString() }, { value: new Date(2026, 1, 1).toISOString() }],
            exclusiveMaximum: true,
          },
        ],
      },
    ]);
    const open = documentOf(withRange(emptySearch, 'film_year', { from: '1990', to: '' }), options);
    expect(open.filter?.[0]?.field?.[0]?.range).toEqual([{ value: [{ value: '1990' }, { maximum: true }] }]);
  });

  it('marks hits only where words are searched, and counts only when asked', () => {
    expect(documentOf(emptySearch, options).highlight).toBeUndefined();
    expect(documentOf({ ...emptySearch, text: 'a' }, options).highlight).toMatchObject({
      prefix: '\ue000',
      suffix: '\ue001',
    });
    expect(documentOf(emptySearch, { ...options, counts: false }).facet).toBeUndefined();
    expect(documentOf({ ...emptySearch, sort: '-title' }, options).sort).toEqual([
      { field: 'title', order: 'descending' },
    ]);
  });
});

describe('facets', () => {
  const fields = fieldInfos(
    [
      {
        name: 'b',
        type: 'string-exact',
        data: [
          { key: 'facet', value: 'true' },
          { key: 'label_en', value: 'Bee' },
        ],
      },
      {
        name: 'a',
        type: 'date-sortable',
        data: [
          { key: 'ui_order', value: '1' },
          { key: 'facet', value: 'true' },
        ],
      },
      { name: 'secret', type: 'string', data: [{ key: 'ui_hidden', value: 'true' }] },
      { name: '__internal', type: 'string' },
      { name: 'plain', type: 'string' },
    ],
    'sv',
  );

  it('are the fields that say so, in their order, with the label of the language or of English', () => {
    expect(fields.map(({ name, label }) => [name, label])).toEqual([
      ['a', 'a'],
      ['b', 'Bee'],
      ['plain', 'plain'],
    ]);
    expect(
      facetsOf(fields, [
        { field: 'b', label: 'own', kind: 'values' },
        { field: 'mediaType', label: 'Kind', kind: 'values' },
      ]),
    ).toEqual([
      { field: 'a', label: 'a', kind: 'date' },
      { field: 'b', label: 'Bee', kind: 'values' },
      { field: 'mediaType', label: 'Kind', kind: 'values' },
    ]);
    expect(['float-sortable', 'long', 'string', 'date'].map(kindOf)).toEqual(['number', 'number', 'values', 'date']);
  });

  it('keep a chosen value that nothing has any more', () => {
    const answer = { field: 'a', count: [{ value: 3, fieldValue: 'x', count: 3 }] };
    expect(facetValues(answer, ['y', 'x'])).toEqual([
      { value: 'y', count: 0, chosen: true },
      { value: 'x', count: 3, chosen: true },
    ]);
    expect(facetValues(undefined, ['y'])).toEqual([{ value: 'y', count: undefined, chosen: true }]);
  });
});
