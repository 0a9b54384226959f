import { describe, expect, it } from 'vitest';
import { type Api, type Ask, createApi, Refused, Unanswered } from '../../../src/entry/migrate/calls.ts';
import { entriesOf, openOriginal, type Page } from '../../../src/entry/migrate/original.ts';
import { at, Path } from '../../../src/entry/migrate/places.ts';
import { hastyClock } from './support.ts';

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** An API whose answers are given one after the other. */
function apiOf(answers: (() => Response | Promise<Response>)[], rate?: number) {
  const clock = hastyClock();
  const asked: string[] = [];
  const told: string[] = [];
  const ask: Ask = async (path, { method = 'GET' }) => {
    asked.push(`${method} ${path}`);
    return answers.shift()!();
  };
  const stop = new AbortController();
  // The largest byte makes each pause as long as it can be.
  const random = { bytes: (length: number) => new Uint8Array(length).fill(255) };
  const api = createApi({ ask, clock, random, rate, signal: stop.signal, tell: (text) => told.push(text) });
  return { api, clock, asked, told, stop };
}

const fails = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
const torn = () => new Response('{"item":[{"id"', { headers: { 'content-type': 'application/json' } });

describe('calls of an API', () => {
  it('waits longer after each failure of a read, and begins again', async () => {
    const { api, clock } = apiOf([fails, torn, () => json({}, 500), () => json({}, 502), () => json({ hits: 3 })]);
    expect(await api.read(at`/item`)).toEqual({ hits: 3 });
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000]);
    expect(api.figures).toMatchObject({ requests: 5, retries: 4, paused: 15_000 });
  });

  it('leaves a busy API in peace for as long as it says, with all callers, and tells a person', async () => {
    const busy = () => json({}, 429, { 'retry-after': '30' });
    const { api, clock, told } = apiOf([busy, () => json({}), () => json({})]);
    const begin = clock.now();
    await Promise.all([api.read(at`/a`), api.read(at`/b`)]);
    expect(clock.now() - begin).toBe(30_000);
    expect(told).toEqual(['GET /a: 429: pauses for 30 s']);
  });

  it('makes a change again only where it was not made', async () => {
    const busy = apiOf([() => json({}, 503), () => json({ id: 'VX-1' })]);
    expect(await busy.api.write('POST', at`/item`, {})).toEqual({ id: 'VX-1' });
    await expect(apiOf([fails]).api.write('POST', at`/item`, {})).rejects.toThrow(Unanswered);
    await expect(apiOf([() => json({}, 500)]).api.write('POST', at`/item`, {})).rejects.toThrow(Refused);
  });

  it('says what an ExceptionDocument says', async () => {
    const fault = {
      notFound: null,
      invalidInput: { context: 'metadata', id: 'x_a', explanation: 'Expected a number' },
    };
    const refused = apiOf([() => json(fault, 400)]).api.write('PUT', at`/item/VX-1/metadata?a=b`, {});
    await expect(refused).rejects.toThrow('PUT /item/VX-1/metadata: 400 Expected a number: x_a');
    const none = { notFound: { type: 'Item', id: 'VX-9' } };
    expect(await apiOf([() => json(none, 404)]).api.find(at`/item/VX-9`)).toBeUndefined();
    // Any server says 404 of a path that it does not know.
    await expect(apiOf([() => json({}, 404)]).api.find(at`/item/VX-9`)).rejects.toThrow('GET /item/VX-9: 404');
  });

  it.each<[string, (api: Api) => Promise<unknown>, number]>([
    ['a document', (api) => api.read(at`/item`), 64],
    ['a picture', (api) => api.bytes(at`/thumbnail/VX-1/VX-1/0`, 'image/jpeg'), 32],
    ['a file of 3 MB', async (api) => new Response((await api.open(at`/file`, () => 3e6)).body).arrayBuffer(), 3],
  ])('lets go of %s without end, and does not ask for it again', async (_title, read, megabytes) => {
    let pulled = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1 << 20));
      },
      cancel() {
        isCancelled = true;
      },
    });
    const { api, asked } = apiOf([() => new Response(body, { headers: { 'content-type': 'application/json' } })]);
    await expect(read(api)).rejects.toThrow('Expected an answer of at most');
    expect([pulled <= megabytes + 3, isCancelled, asked.length]).toEqual([true, true, 1]);
  });

  it('refuses a document of empty values, which takes thirty times its bytes', async () => {
    const headers = { 'content-type': 'application/json' };
    const { api, asked } = apiOf([() => new Response(`{"item":[${'{},'.repeat(2e6)}{}]}`, { headers })]);
    await expect(api.read(at`/item`)).rejects.toThrow('Expected a document of at most 3000000 values');
    expect(asked).toHaveLength(1);
  });

  it('gives up an answer, and a piece of a file, that does not come within two minutes', async () => {
    const { api, clock } = apiOf(Array.from({ length: 7 }, () => () => new Response(new ReadableStream())));
    clock.isPatient = false;
    await expect(api.read(at`/item`)).rejects.toThrow('GET /item: Expected an answer within 120 seconds');
    clock.isPatient = true;
    const { body } = await api.open(at`/file`, () => 3e6);
    clock.isPatient = false;
    await expect(body.getReader().read()).rejects.toThrow('Expected a piece of the answer within 120 seconds');
  });

  it('ends at once when a person stops it', async () => {
    const { api, stop, asked } = apiOf([fails, fails]);
    stop.abort(new Error('Stopped'));
    await expect(api.read(at`/item`)).rejects.toThrow('Stopped');
    expect(asked).toEqual([]);
  });
});

describe('lists of the original', () => {
  const all = Array.from({ length: 10 }, (_, index) => index + 1);
  /** Reads a list as a release answers it. */
  async function read(answer: (first: number, number: number, cursor?: string) => Page<number>, hasCursors = false) {
    const broken: number[] = [];
    const ids: number[] = [];
    const entries = entriesOf<number>({
      ...{ size: 4, hasCursors, idOf: String, broken: (position) => broken.push(position) },
      short: (expected, found) => broken.push(found - expected),
      read: async (page) => ('cursor' in page ? answer(0, page.number, page.cursor) : answer(page.first, page.number)),
    });
    for await (const entry of entries) ids.push(entry);
    return { ids, broken };
  }
  const slice = (first: number, number: number) => all.slice(first - 1, first - 1 + number);

  it.each<[string, (first: number, number: number) => Page<number>]>([
    ['with totals', (first, number) => ({ hits: 10, entries: slice(first, number) })],
    ['without totals', (first, number) => ({ entries: slice(first, number) })],
    ['in half pages', (first, number) => ({ hits: 10, entries: slice(first, Math.ceil(number / 2)) })],
    ['that know no pages', () => ({ entries: all })],
    ['that repeat the last entry', (first, number) => ({ hits: 10, entries: slice(Math.max(first - 1, 1), number) })],
  ])('%s give each entry once', async (_title, answer) => {
    expect(await read(answer)).toEqual({ ids: all, broken: [] });
  });

  it('ask in halves around an entry that breaks each page', async () => {
    const { ids, broken } = await read((first, number) => {
      const entries = slice(first, number);
      if (entries.includes(6)) throw new Refused('PUT /item', 500, '', {}, '');
      return { hits: 10, entries };
    });
    expect([ids, broken]).toEqual([all.filter((each) => each !== 6), [6]]);
  });

  it('go on by numbers where cursors are refused', async () => {
    const { ids } = await read((first, number, cursor) => {
      if (cursor !== undefined) throw new Refused('PUT /item', 400, '', {}, '');
      return { hits: 10, entries: slice(first, number) };
    }, true);
    expect(ids).toEqual(all);
  });

  it('are looked at again when entries have moved meanwhile', async () => {
    let looks = 0;
    const { ids } = await read((first, number) => {
      // An entry is deleted before the second page: all others move up by one.
      const left = ++looks === 1 ? all : all.slice(1);
      return { hits: left.length, entries: left.slice(first - 1, first - 1 + number) };
    });
    expect(ids.toSorted((a, b) => a - b)).toEqual(all);
  });

  it.each([
    ['4.9.3-gabc', '/item;first=1;number=2?first=1&number=2&content=metadata', false],
    ['4.17.9-g6e43cb3', '/item;first=1;number=2?first=1&number=2&content=metadata', true],
    ['25.2', '/item?first=1&number=2&content=metadata', true],
  ])('of release %s have the parameters that it reads', async (version, path, hasCursors) => {
    const { api } = apiOf([
      () =>
        json({
          component: [
            { name: 'API', version },
            { name: 'db', version: '1' },
          ],
        }),
    ]);
    const original = await openOriginal(api, 'http://old/API');
    expect(original.pagePath(at`/item`, { first: 1, number: 2 }, 'content=metadata')).toEqual(new Path(path));
    expect(original.hasCursors).toBe(hasCursors);
  });
});
