import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { testClock } from '../../support/clock.ts';
import { type Answer, openBehind, type Sent, type World } from '../../support/matrix.ts';
import { by, json, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/store.ts';
import { made, named, reader, text } from './scenarios/support.ts';

const xml = { accept: 'application/xml', 'content-type': 'application/json' };
const plain = { accept: 'text/plain', 'content-type': 'application/json' };
const sentXml = { accept: 'application/json', 'content-type': 'application/xml' };
const harbour = text('harbour');

const put = (target: string, body: object | string, headers = json, as = admin) => {
  const length = String(Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body)));
  return by(`PUT /API${target}`, body, { ...headers, 'content-length': length }, as);
};

const searches: readonly (readonly [title: string, sent: Sent])[] = [
  ['everything', put('/item', {})],
  ['a text', put('/item', harbour)],
  ['a text, as XML', put('/item', harbour, xml)],
  ['a text, as ids', put('/item?url=true', harbour, plain)],
  ['a text, for a reader without entries', put('/item', harbour, json, reader)],
  ['a value, with its metadata', put('/item?content=metadata', named('x_tag', 'sea'))],
  ['timespans', put('/item', { ...named('x_actor', 'Carla*'), intervals: 'timed' })],
  ['one instance of a group', put('/item', { group: [{ name: 'Film', ...named('x_actor', 'Ann') }] })],
  ['an order', put('/item', { sort: [{ field: 'x_fold', order: 'descending' }] })],
  ['the first page by a cursor', put('/item?cursor=*&number=2', harbour)],
  ['facets and suggestions', put('/item', { facet: [{ field: 'x_tag' }], ...text('harbuor'), suggestion: {} })],
  ['highlights', put('/item', { ...harbour, highlight: { field: ['title'] } })],
  ['autocompletes beside it', put('/item', { ...harbour, autocomplete: [{ text: 'ha' }] })],
  ['items of a collection', put('/collection/VX-1/item', {})],
  ['collections', put('/collection', text('Harbours'))],
  ['both kinds', put('/search', text('harbour*'))],
  ['both kinds, as ids', put('/search', text('harbour*'), plain)],
  ['shapes', put('/search/shape', {})],
  ['files', put('/search/file', { item: harbour })],
  ['autocompletes', put('/search/autocomplete', { text: 'har' })],
  ['a query without its last parenthesis', put('/item', text('(harbour', true))],
  ['an order of no kind', put('/item', { sort: [{ field: 'x_fold', order: 'up' }] })],
  ['what nothing knows', put('/item', { ...harbour, txt: 'a', sord: [] })],
  [
    'what nothing knows, beside an order of no kind',
    put('/item', { txt: 'a', sort: [{ field: 'x_fold', order: 'up' }] }),
  ],
  ['what nothing knows, in an autocomplete', put('/search/autocomplete', { text: 'har', fields: 'a' })],
  ['what nothing knows, in a body that does not tell its length', by('PUT /API/item', { ...harbour, txt: 'a' }, json)],
  ['no body', put('/item', '')],
  ['a body in XML', put('/item', '<ItemSearchDocument><text>harbour</text><txt/></ItemSearchDocument>', sentXml)],
  ['groups that meet all of it', put('/item/metadata-group', { ...named('x_actor', 'Ann'), fields: [] })],
  ['a text in the address', by('GET /API/item?q={"text":[{"value":"harbour"}]}', undefined, json, admin)],
  ['a cursor of another order', put('/item?cursor=1', { ...harbour, sort: [{ field: 'x_fold' }] })],
];

/** No thread sees a body that is refused. */
const refused: typeof searches = [
  ['an autocomplete without a text', put('/search/autocomplete', { fields: 'a' })],
  ['an autocomplete without a body', put('/search/autocomplete', '')],
  ['a body that is cut off', put('/item', '{"text": [{"value":')],
  ['a body in XML with a fault', put('/item', '<ItemSearchDocument><text>harbour</ItemSearchDocument>', sentXml)],
];

/** A search is done on the serving thread where it is alone, and on a reader thread where other requests come. */
describe('searches beside other requests', () => {
  const ends: (() => Promise<unknown>)[] = [];
  const done: string[] = [];
  const clock = testClock();
  let world: World;

  beforeAll(async () => {
    const directory = await temporaryDirectory();
    const opened = await openDatabase(`file:${join(directory.path, 'portico.db')}`);
    const { performFor } = opened;
    const database: Database = Object.assign(opened, {
      performFor: (...given: Parameters<NonNullable<typeof performFor>>) => {
        done.push(given[1]);
        return performFor!(...given);
      },
    });
    world = await openBehind('fetch', { database, clock }, (end) => ends.push(end));
    ends.push(() => directory.remove());
    for (const sent of made) await send(world, sent);
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const comeBefore = (as: Credentials) => send(world, { request: 'GET /API/whoami', as });

  it.each([...searches, ...refused])('find the same there: %s', async (title, sent) => {
    const isRefused = refused.some(([each]) => each === title);
    const tell = ({ status, headers, body }: Answer) => ({
      status,
      body,
      type: headers.get('content-type'),
      ignored: headers.get('portico-ignored'),
    });
    await clock.advance(1000);
    done.length = 0;
    const alone = tell(await world.send(sent));
    // Highlights look through the metadata of their hits, which a reader thread does in any case.
    expect(done).toHaveLength(title === 'highlights' ? 1 : 0);
    done.length = 0;
    await comeBefore(admin);
    const beside = tell(await world.send(sent));
    expect(done).toHaveLength(isRefused ? 0 : 1);
    expect(beside).toEqual(alone);
  });

  it('find what the request before has changed, and nothing that it has closed', async () => {
    const ids = async (as: Credentials) =>
      (
        JSON.parse((await send(world, put('/item', text('fresh'), json, as))).body) as { item: { id: string }[] }
      ).item.map(({ id }) => id);
    await comeBefore(admin);
    expect(await ids(admin)).toEqual([]);
    const title = {
      timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Fresh' }] }] }],
    };
    for (let turn = 0; turn < 5; turn++) {
      await send(world, put('/item/VX-4/metadata', title));
      expect(await ids(admin)).toEqual(['VX-4']);
      const given = await send(world, by('POST /API/item/VX-4/access', { permission: 'READ', user: reader[0] }));
      expect(await ids(reader)).toEqual(['VX-4']);
      const { id } = JSON.parse(given.body) as { id: string };
      await send(world, { request: `DELETE /API/item/VX-4/access/${id}`, as: admin });
      expect(await ids(reader)).toEqual([]);
      title.timespan[0]!.field[0]!.value = [{ value: `Fresh ${turn}` }];
    }
  });

  it('are kept by the history, as those that are alone', async () => {
    await comeBefore(admin);
    const searched = text('lighthouse');
    await send(world, put('/item', { ...searched, txt: 'a' }));
    const { body } = await send(world, by('GET /API/item/history'));
    expect(JSON.parse(body)).toMatchObject({
      search: expect.arrayContaining([expect.objectContaining({ query: searched, user: admin[0] })]),
    });
    expect(body).not.toContain('txt');
  });

  it('move up in the history when they are made again, and are written once in a minute', async () => {
    const [first, second] = [text('lighthouse keeper'), text('lighthouse lamp')];
    const listed = async () => {
      const { body } = await send(world, by('GET /API/item/history?maxResults=2'));
      const { search } = JSON.parse(body) as { search: { query: object; timestamp: string }[] };
      return search.map(({ query, timestamp }) => [query, Date.parse(timestamp) - began]);
    };
    const written = async () => {
      const sql = `SELECT at - ? FROM search_history WHERE query IN (?, ?) ORDER BY at`;
      const args = [began, JSON.stringify(first), JSON.stringify(second)];
      return (await world.service.store.read(sql, args)).map(([at]) => Number(at));
    };
    const began = clock.now();
    for (const each of [first, second, first, first]) {
      await send(world, put('/item', each));
      await clock.advance(1000);
    }
    expect(await listed()).toEqual([
      [first, 3000],
      [second, 1000],
    ]);
    expect(await written()).toEqual([0, 1000]);
    await clock.advance(56_500);
    for (const each of [second, first]) {
      await send(world, put('/item', each));
      await clock.advance(100);
    }
    expect(await listed()).toEqual([
      [first, 60_600],
      [second, 60_500],
    ]);
    expect(await written()).toEqual([1000, 60_600]);
  });

  it('leave the serving thread where two come at once', async () => {
    await clock.advance(1000);
    done.length = 0;
    const both = await Promise.all([send(world, put('/item', harbour)), send(world, put('/item', harbour))]);
    expect(both[0]!.body).toBe(both[1]!.body);
    expect(done).toEqual(['item list', 'item list']);
  });
});
