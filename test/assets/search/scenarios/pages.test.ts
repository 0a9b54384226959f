import { expect, it } from 'vitest';
import { pagesByCursor } from '../../../support/cursors.ts';
import { by, json } from '../../../support/requests.ts';
import { admin } from '../../../support/service.ts';
import { named, openScenarios, reader, text } from './support.ts';

const { answer, done, ids, search } = openScenarios();

it('sorting by values, what is missing last, and the newest first otherwise', async () => {
  const sorted = (...sort: [string, string?][]) =>
    ids({ sort: sort.map(([name, order]) => ({ field: name, ...(order && { order }) })) });
  expect(await sorted(['x_count'])).toEqual(['VX-1', 'VX-3', 'VX-2', 'VX-5', 'VX-4']);
  expect(await sorted(['x_count', 'descending'])).toEqual(['VX-2', 'VX-3', 'VX-1', 'VX-5', 'VX-4']);
  expect(await sorted(['x_fold'])).toEqual(['VX-2', 'VX-1', 'VX-3', 'VX-5', 'VX-4']);
  expect(await sorted(['x_tag', 'descending'], ['x_count'])).toEqual(['VX-1', 'VX-2', 'VX-3', 'VX-5', 'VX-4']);
  expect(await sorted(['itemId'])).toEqual(['VX-1', 'VX-2', 'VX-3', 'VX-4', 'VX-5']);
  expect(await ids({ sort: [{ field: '_relevance' }], ...text('harbour') })).toHaveLength(2);
});

it('cursors walk through all hits, every page has one, and the page behind the last hit is empty', async () => {
  for (const body of [
    {},
    { sort: [{ field: 'x_count', order: 'descending' }] },
    { field: [{ name: 'created' }], sort: [{ field: 'x_tag' }, { field: 'x_count' }] },
    named('x_tag', 'nothing has this'),
  ]) {
    const whole = await ids(body);
    // The last page is full where all hits, or one of them, are on a page.
    for (const number of [1, 2, 5, 9]) {
      const pages = await pagesByCursor(async (cursor) => {
        const { item = [], nextCursor: next } = await search({ ...body, cursor }, `/item;number=${number}`);
        return { entries: item.map(({ id }) => id), next };
      });
      expect(pages.flatMap(({ entries }) => entries)).toEqual(whole);
      expect(pages).toHaveLength(Math.ceil(whole.length / number));
    }
  }
  expect((await answer(by('PUT /API/item?cursor=nonsense', named('x_tag', '*')))).status).toBe(400);
});

it('words in timed values alone are found by cursors as by numbers of pages', async () => {
  for (const path of ['/item', '/search']) {
    const whole = await search(named('x_actor', 'Carla'), path);
    expect(whole.hits).toBe(2);
    const entriesOf = ({ item, entry }: Awaited<ReturnType<typeof search>>) => item ?? entry ?? [];
    const first = await search({ ...named('x_actor', 'Carla'), cursor: '*' }, `${path}?number=1`);
    const second = await search({ ...named('x_actor', 'Carla'), cursor: first.nextCursor! }, `${path}?number=1`);
    expect([...entriesOf(first), ...entriesOf(second)]).toEqual(entriesOf(whole));
    expect([first.hits, second.hits]).toEqual([2, 2]);
  }
});

it('paging, hits alone, and hits that nobody counts', async () => {
  expect(await search({}, '/item;number=0')).toMatchObject({ hits: 5, item: [] });
  expect(await search(text('harbour'), '/item;first=2;number=1')).toMatchObject({ hits: 2, item: [{ id: 'VX-1' }] });
  expect(await search(text('harbour'), '/item;first=9')).toMatchObject({ hits: 2, item: [] });
  expect(await search(text('harbour'), '/item?count=false')).not.toHaveProperty('hits');
  for (const path of ['/item', '/collection', '/search', '/search/shape', '/search/file'])
    expect(await search({}, `${path}?count=bounded`)).toEqual(await search({}, path));
  const { status, body } = await answer(by('PUT /API/item?count=perhaps', text('harbour')));
  expect([status, body]).toEqual([400, expect.stringMatching(/Expected .+true.+, .+false.+ or .+bounded/)]);
  expect((await done(by('PUT /API/item?url=true', text('night'), { accept: 'text/plain' }))).body).toBe(
    'http://portico.test/API/item/VX-1\r\n',
  );
  expect((await search(text('night'), '/item?content=metadata&field=title')).item![0]!.metadata).toBeDefined();
});

it('keeps what a user has searched for, equal searches once', async () => {
  for (const word of ['one', 'two', 'one']) await search(text(word), '/item', reader);
  const history = async (more = '', as = reader) =>
    JSON.parse((await done(by(`GET /API/item/history${more}`, undefined, json, as))).body) as {
      search: { query: { text?: { value: string }[] }; user: string }[];
    };
  const { search: kept } = await history();
  const words = kept.flatMap(({ query }) => query.text?.[0]?.value ?? []);
  expect(words.filter((word) => ['one', 'two', 'three'].includes(word)).toSorted()).toEqual(['one', 'two']);
  expect(kept[0]!.user).toBe('reader');
  expect((await history('?username=reader&maxResults=1', admin)).search).toHaveLength(1);
  // A request behind a cursor continues an earlier search, and adds nothing to the history.
  const { nextCursor } = await search({ ...named('title', '*'), cursor: '*' }, '/item;number=1');
  expect(nextCursor).not.toBe('*');
  await search({ ...text('continued'), cursor: nextCursor! }, '/item;number=1');
  expect(JSON.stringify(await history('', admin))).not.toContain('continued');
  expect((await answer(by('GET /API/item/history?username=admin', undefined, json, reader))).status).toBe(403);
});

it('a saved search answers under an address of its own', async () => {
  const saved = await answer(by('PUT /API/item?save=true&number=1', text('harbour')));
  expect(saved.status).toBe(303);
  const location = saved.headers.get('location')!;
  expect(location).toMatch(/^http:\/\/portico\.test\/API\/item\/saved\/\w+\?number=1$/);
  expect(JSON.parse((await done(by(`GET ${location}`))).body)).toMatchObject({
    hits: 2,
    item: [{ id: 'VX-2' }],
  });
  expect((await answer(by('GET /API/item/saved/none'))).status).toBe(404);
});
