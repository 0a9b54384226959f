import { expect, it } from 'vitest';
import { named, openScenarios, reader, text, values } from './support.ts';

const { ids, search, status } = openScenarios();

const inTime = (...content: readonly object[]) => ({ timespans: content });

it.each([
  ['an empty search finds all', {}, ['VX-5', 'VX-4', 'VX-3', 'VX-2', 'VX-1']],
  ['a field', named('x_tag', 'sea'), ['VX-2', 'VX-1']],
  ['a field in a group', named('Film/x_actor', 'Ann'), ['VX-4']],
  ['a field in a group of a group', named('Film/Scene/x_role', 'lead scene'), ['VX-4']],
  ['a group that lacks the field', named('Scene/x_actor', 'Ann'), []],
  ['a timed field alone', inTime(named('x_actor', 'Carla*')), ['VX-5', 'VX-5']],
  ['a timed field is no other field', named('x_actor', 'Carla*'), []],
  ['no timed field', inTime(named('x_actor', 'Ann')), []],
  [
    'timed and other fields',
    { ...named('title', 'Interview*'), ...inTime(named('x_actor', 'Carla*')) },
    ['VX-5', 'VX-5'],
  ],
  ['a text, timed or not', text('speaks'), ['VX-5']],
  ['operators', { operator: [{ operation: 'NOT', ...named('x_tag', 'sea') }] }, ['VX-5', 'VX-4', 'VX-3']],
  [
    'paths within operators',
    {
      operator: [
        { operation: 'OR', field: [{ name: 'Film/x_actor', value: values('Bob') }, named('x_tag', 'old').field[0]] },
      ],
    },
    ['VX-4', 'VX-2'],
  ],
  ['a timespan that any of two criteria fits', inTime({ operation: 'OR', ...named('x_role', 'singer') }), ['VX-5']],
] as const)('searches of version 2 find items: %s', async (_title, body, expected) => {
  expect(await ids(body, '/search2/item')).toEqual(expected);
});

it('searches of version 2 sort, and name facets, as those of version 1', async () => {
  const sort = [{ field: 'Film/x_count', order: 'descending' }];
  expect(await ids({ ...named('x_count', '3', '7', '10'), sort }, '/search2/item')).toEqual(['VX-2', 'VX-3', 'VX-1']);
  const found = await search({ facet: [{ field: 'x_tag' }] }, '/search2/item');
  expect(found.facet![0]!.count!.map(({ fieldValue }) => fieldValue)).toEqual(['sea', 'old']);
});

it('searches of version 2 have four forms, and one for items and collections', async () => {
  expect(await ids(named('title', 'Harbours'), '/search2/collection')).toEqual(['VX-1']);
  const both = await search(text('harbour*'), '/search2');
  expect(both.entry!.map(({ type, id }) => `${type} ${id}`).sort()).toEqual([
    'Collection VX-1',
    'Item VX-1',
    'Item VX-2',
  ]);
  expect(await search({}, '/search2/file')).toMatchObject({ hits: 0 });
  expect((await search({}, '/search2/shape')).hits).toBe((await search({}, '/search/shape')).hits);
  expect(
    await status(
      '<SearchDocument><timespans><field><name>x_role</name></field></timespans></SearchDocument>',
      '/search2/item',
    ),
  ).toBe(200);
  expect(await status({ field: [{}] }, '/search2/item')).toBe(400);
});

it('searches of version 2 find what the caller may read', async () => {
  expect(await ids({}, '/search2/item', reader)).toEqual([]);
});
