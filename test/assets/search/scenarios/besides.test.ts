import { expect, it } from 'vitest';
import { by } from '../../../support/requests.ts';
import { named, openScenarios, reader, text } from './support.ts';

const { done, search } = openScenarios();

it('facets count values, and do without the filters that they exclude', async () => {
  const filter = [{ name: 'tag', operation: 'AND', ...named('x_tag', 'old') }];
  const facet = [{ field: 'x_tag' }, { field: 'x_tag', name: 'all', exclude: ['tag'] }, { field: 'x_none' }];
  const found = await search({ filter, facet });
  expect(found.hits).toBe(1);
  expect(found.facet).toEqual([
    {
      field: 'x_tag',
      count: [
        { value: 1, count: 1, fieldValue: 'old' },
        { value: 1, count: 1, fieldValue: 'sea' },
      ],
    },
    {
      field: 'x_tag',
      count: [
        { value: 2, count: 2, fieldValue: 'sea' },
        { value: 1, count: 1, fieldValue: 'old' },
      ],
      name: 'all',
    },
    { field: 'x_none' },
  ]);
  const limited = await search({
    facet: [
      { field: 'x_tag', minCount: 2 },
      { field: 'x_tag', maxResults: 1 },
      {
        field: 'x_count',
        range: [
          { start: '0', end: '7' },
          { start: '7', end: '*' },
        ],
      },
    ],
  });
  expect(limited.facet!.map(({ count }) => count?.length)).toEqual([1, 1, undefined]);
  expect(limited.facet![2]!.range).toEqual([
    { value: 1, count: 1, start: '0', end: '7' },
    { value: 2, count: 2, start: '7', end: '*' },
  ]);
});

it('a facet filter does not change the counts of its own facet', async () => {
  const found = await search({
    facetFilter: [{ field: 'x_tag', value: 'old' }],
    facet: [{ field: 'x_tag' }, { field: 'x_count' }],
  });
  expect(found.hits).toBe(1);
  expect(found.facet![0]!.count!.map(({ fieldValue, value }) => [fieldValue, value])).toEqual([
    ['sea', 2],
    ['old', 1],
  ]);
  expect(found.facet![1]!.count!.map(({ fieldValue }) => fieldValue)).toEqual(['10']);
});

it('highlights mark what the criteria meet, and filters mark nothing', async () => {
  const found = await search({
    ...text('harbour'),
    highlight: { field: ['title'] },
    filter: [{ ...named('title', 'old') }],
  });
  expect(found.item![0]!.timespan).toEqual([
    { field: [{ name: 'title', value: ['The old <em>harbour</em>'] }], start: '-INF', end: '+INF' },
  ]);
});

it('autocompletes values of exact fields and words of others', async () => {
  const complete = async (body: object) =>
    JSON.parse((await done(by('PUT /API/search/autocomplete', body))).body) as object;
  expect(await complete({ text: 's', field: 'x_tag' })).toEqual({ field: 'x_tag', suggestion: ['sea'] });
  expect(await complete({ text: 'harb', field: 'title' })).toEqual({
    field: 'title',
    suggestion: ['harbour', 'harbours'],
  });
  expect(await complete({ text: 'old ha' })).toEqual({ suggestion: ['harbour'] });
  expect(await complete({ text: 'harb', maximumSuggestions: 1 })).toEqual({ suggestion: ['harbour'] });
});

it('suggests near words for those that nothing has', async () => {
  const found = await search({ ...text('harbuor night'), suggestion: { maximumSuggestions: 3 } });
  expect(found.suggestion).toEqual([{ term: 'harbuor', suggestion: ['harbour', 'harbours'].slice(0, 1) }]);
});

it('suggests the same to a caller who may not see all fields', async () => {
  await done(by('POST /API/metadata-field/x_hidden/access', { user: 'admin', permission: 'READ' }));
  const entry = { user: 'reader', permission: 'READ' };
  for (const id of ['VX-1', 'VX-2']) await done(by(`POST /API/item/${id}/access`, entry));
  const suggestion = { maximumSuggestions: 3 };
  const found = await search({ ...text('harbuor night'), suggestion }, '/item', reader);
  expect(found.suggestion).toEqual([{ term: 'harbuor', suggestion: ['harbour'] }]);
  const inOne = { field: [{ name: 'title', value: [{ value: 'harbuor' }] }] };
  expect((await search({ ...inOne, suggestion }, '/item', reader)).suggestion).toEqual(found.suggestion);
});
