import { describe, expect, it } from 'vitest';
import { type Ask, createApi, Refused, Unanswered } from '../../../src/entry/migrate/calls.ts';
import { entriesOf, openOriginal, type Page } from '../../../src/entry/migrate/original.ts';
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
    expect(await api.read('/item')).toEqual({ hits: 3 });
    expect(clock.slept).toEqual([1000, 2000, 4000, 8000]);
    expect(api.figures).toMatchObject({ requests: 5, retries: 4, paused: 15_000 });
  });

  it('leaves a busy API in peace for as long as it says, with all callers, and tells a person', async () => {
    const busy = () => json({}, 429, { 'retry-after': '30' });
    const { api, clock, told } = apiOf([busy, () => json(1), () => json(2)]);
    const begin = clock.now();
    await Promise.all([api.read('/a'), api.read('/b')]);
    expect(clock.now() - begin).toBe(30_000);
    expect(told).toEqual(['GET /a: 429: pauses for 30 s']);
  });

  it('makes a change again only where it was not made', async () => {
    const busy = apiOf([() => json({}, 503), () => json({ id: 'VX-1' })]);
    expect(await busy.api.write('POST', '/item', {})).toEqual({ id: 'VX-1' });
    await expect(apiOf([fails]).api.write('POST', '/item', {})).rejects.toThrow(Unanswered);
    await expect(apiOf([() => json({}, 500)]).api.write('POST', '/item', {})).rejects.toThrow(Refused);
  });

  it('says what an ExceptionDocument says', async () => {
    const fault = {
      notFound: null,
      invalidInput: { context: 'metadata', id: 'x_a', explanation: 'Expected a number' },
    };
    const refused = apiOf([() => json(fault, 400)]).api.write('PUT', '/item/VX-1/metadata?a=b', {});
    await expect(refused).rejects.toThrow('PUT /item/VX-1/metadata: 400 Expected a number: x_a');
    expect(await apiOf([() => json({}, 404)]).api.find('/item/VX-9')).toBeUndefined();
  });

  it('ends at once when a person stops it', async () => {
    const { api, stop, asked } = apiOf([fails, fails]);
    stop.abort(new Error('Stopped'));
    await expect(api.read('/item')).rejects.toThrow('Stopped');
    expect(asked).toEqual([]);
  });
});

describe('lists of the original', () => {
  const all = Array.from({ length: 10 }, (_, at) => at + 1);
  /** Reads a list as a release answers it. */
  async function read(answer: (first: number, number: number, cursor?: string) => Page<number>, hasCursors = false) {
    const broken: number[] = [];
    const ids: number[] = [];
    const entries = entriesOf<number>({
      ...{ size: 4, hasCursors, idOf: String, broken: (position) => broken.push(position) },
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
    expect(original.pagePath('/item', { first: 1, number: 2 }, 'content=metadata')).toBe(path);
    expect(original.hasCursors).toBe(hasCursors);
  });
});
