import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { yieldTurn } from '../../../../src/core/lib/turn.ts';
import type { SearchEngine } from '../../../../src/spi/index.ts';
import { type EnginePlace, enginePlace } from '../../../opensearch/place.ts';
import { fieldsOf, join, newCollection } from '../../../support/assets.ts';
import type { Answer } from '../../../support/matrix.ts';
import { by, json, send } from '../../../support/requests.ts';
import type { ServiceOptions } from '../../../support/service.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';
import { add, catchUp, type EngineWorld, engineWorld, search } from './engine-world.ts';

/** Answers while an engine is slow, read-only, dead, empty or hung. `npm run test:opensearch` asks a real engine. */

type Service = EngineWorld<SearchEngine>;
const longest = 15 * 60_000;
const tag = (value: string) => ({ field: [{ name: 'x_tag', value: [{ value }] }] });
const criterion = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });
const since = { field: [{ name: 'created', range: [{ value: [{ value: '2001-01-01T00:00:00Z' }, { value: '' }] }] }] };
const facet = [{ field: 'x_tag' }];
const put = (document: object, path = '/API/item') => by(`PUT ${path}`, document, json);

interface Begun {
  readonly place: EnginePlace;
  readonly world: Service;
  readonly items: readonly [string, string];
  readonly collection: string;
  /** Whether searches of the engine take longer than those wait who have another way. */
  isSlow: boolean;
  /** Whether the engine is not built again. */
  staysEmpty: boolean;
  /** Whether the engine takes requests and never answers. */
  isHung: boolean;
}

/** `keeps`: the state `empty` follows. */
async function begun(options: ServiceOptions, keeps = false): Promise<Begun> {
  const place = await enginePlace();
  if (keeps) await place.keep();
  const { engine } = place;
  let beginning: Begun | undefined;
  const unlessHung = <T>(work: () => Promise<T>): Promise<T> =>
    beginning?.isHung ? new Promise<never>(() => undefined) : work();
  const troubled: SearchEngine = {
    ...engine,
    async search(query, signal) {
      if (beginning?.isSlow) await beginning.world.clock.sleep(8000);
      return unlessHung(() => engine.search(query, signal));
    },
    words: (query) => unlessHung(() => engine.words(query)),
    state: (isBrief) => unlessHung(() => engine.state(isBrief)),
    async begin() {
      if (beginning?.staysEmpty) throw new Error('Expected room for a second index');
      await engine.begin();
    },
  };
  const world = await engineWorld(options, troubled);
  for (const sent of givenTo('assets')) await send(world, sent);
  const items = [await add(world, { x_tag: 'a' }), await add(world, { x_tag: 'a' })] as const;
  const collection = /VX-\d+/.exec((await send(world, newCollection('?name=above'))).body)![0];
  for (const id of items) await send(world, join(collection, id));
  await catchUp(world);
  beginning = { place, world, items, collection, isSlow: false, staysEmpty: false, isHung: false };
  return beginning;
}

/** Answer while time goes on and the feed tries. */
async function answerTo({ world, isHung }: Begun, sent: Parameters<Service['send']>[0]): Promise<Answer> {
  let answer: Answer | undefined;
  const asked = world.send(sent).then((each) => {
    answer = each;
  });
  while (!answer) {
    // A tick would wait for the answer that never comes.
    if (!isHung) await world.service.tick(1000);
    await world.clock.advance(1000);
    await yieldTurn();
  }
  await asked;
  return answer;
}

const states: Readonly<Record<string, (at: Begun) => Promise<unknown>>> = {
  alive: async () => undefined,
  slow: async (at) => {
    at.isSlow = true;
  },
  'read-only': ({ place }) => place.block(true),
  dead: ({ place }) => place.kill(),
  empty: async (at) => {
    at.staysEmpty = true;
    await at.place.kill();
    await at.place.startOlder();
  },
  hung: async (at) => {
    at.isHung = true;
  },
};

const requests: Readonly<Record<string, (at: Begun) => Parameters<Service['send']>[0]>> = {
  'Items without criteria': () => put({}),
  'Collections without criteria': () => put({}, '/API/collection'),
  'Both without criteria': () => put({}, '/API/search'),
  'Items of a collection': ({ collection }) => put({}, `/API/collection/${collection}/item`),
  'Items by id': ({ items }) => put(criterion('itemId', items[0])),
  'By date': () => put(since),
  'By user': () => put(criterion('user', 'admin')),
  'By media type': () => put(criterion('mediaType', 'none')),
  'By collection': ({ collection }) => put(criterion('__collection', collection)),
  'Without criteria, with facets': () => put({ facet }),
  'Words and fields': () => put({ text: [{ value: 'a' }], facet }),
  Completions: () => put({ text: 'a' }, '/API/search/autocomplete'),
};

/** Outcome of a request in a word of the table. */
function outcomeOf({ status, body, headers }: Answer): string {
  if (status !== 200) return String(status);
  const { facet: facets = [] } = JSON.parse(body) as { facet?: { count?: unknown[] }[] };
  if (facets.some(({ count }) => count === undefined)) return 'no counts';
  return headers.has('warning') ? 'stale' : 'current';
}

/** Rows of the table in the operator's page. */
function documented(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync('docs/operate/search-engine.md', 'utf8');
  const rows = text.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return new Map(rows.flatMap(([name = '', ...cells]) => (Object.hasOwn(requests, name) ? [[name, cells]] : [])));
}

for (const [at, [state, bring]] of Object.entries(states).entries()) {
  it(
    `engine-only: what answers what is what the documents say, while the engine is ${state} and a change of the caller waits`,
    async () => {
      const beginning = await begun({ settings: { searchIndex: 'engine' } }, state === 'empty');
      const { world, items, collection } = beginning;
      world.expectErrors('work-failed');
      await bring(beginning);
      const outcomes = new Map<string, string>();
      for (const [name, request] of Object.entries(requests)) {
        // A change of the caller that an engine in trouble does not get.
        const newest = await add(world, { x_tag: 'a' });
        await send(world, join(collection, newest));
        const answer = await answerTo(beginning, request(beginning));
        outcomes.set(name, outcomeOf(answer));
        const isNow = outcomes.get(name) === 'current' || outcomes.get(name) === 'no counts';
        if (name === 'Items by id') expect(answer.body).toContain(items[0]);
        else if (isNow && !name.startsWith('Coll') && name !== 'Completions') expect(answer.body).toContain(newest);
      }
      const expected = new Map(Array.from(documented(), ([name, cells]) => [name, cells[at]!]));
      expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected));
    },
    longest,
  );

  it(
    `beside the database: it answers everything, while the engine is ${state}`,
    async () => {
      const beginning = await begun({}, state === 'empty');
      beginning.world.expectErrors('work-failed');
      await bring(beginning);
      const newest = await add(beginning.world, { x_tag: 'a' });
      for (const [name, request] of Object.entries(requests)) {
        const answer = await answerTo(beginning, request(beginning));
        expect([name, outcomeOf(answer)]).toEqual([name, 'current']);
        if (name === 'Words and fields') expect(answer.body).toContain(newest);
      }
    },
    longest,
  );
}

it(
  'attack: stale answers of a read-only index tell nothing of what the caller may not read any more, at any lag',
  async () => {
    const beginning = await begun({ settings: { searchIndex: 'engine' } });
    const { world, place, items } = beginning;
    const [user] = stranger;
    const entries: string[] = [];
    for (const id of items) {
      const { body } = await send(world, by(`POST /API/item/${id}/access`, { user, permission: 'READ' }, json));
      entries.push((JSON.parse(body) as { id: string }).id);
    }
    await catchUp(world);
    world.expectErrors('work-failed');
    await place.block(true);
    const asked = by('PUT /API/item', { ...tag('a'), facet }, json, stranger);
    const seen = async () => {
      const { status, body, headers } = await world.send(asked);
      const {
        hits,
        item = [],
        facet: facets = [],
      } = JSON.parse(body) as {
        hits: number;
        item?: { id: string }[];
        facet?: { count?: { value: number }[] }[];
      };
      const counts = facets.flatMap(({ count = [] }) => count.map(({ value }) => value));
      return { status, hits, ids: item.map(({ id }) => id), counts, isStale: headers.has('warning') };
    };
    expect(await seen()).toEqual({ status: 200, hits: 2, ids: [items[1], items[0]], counts: [2], isStale: false });
    await send(world, by(`DELETE /API/item/${items[0]}/access/${entries[0]}`));
    expect(await seen()).toMatchObject({ hits: 1, ids: [items[1]], counts: [1] });
    await world.clock.advance(60_000);
    expect(await seen()).toEqual({ status: 200, hits: 1, ids: [items[1]], counts: [1], isStale: true });
    const plan = await send(world, by('PUT /API/item?explain=true', tag('a'), json));
    expect(JSON.parse(plan.body)).toMatchObject({
      strategy: 'engine',
      warning: expect.stringContaining('lacks changes'),
    });
    await send(world, by(`DELETE /API/item/${items[1]}`));
    expect(await seen()).toEqual({ status: 200, hits: 0, ids: [], counts: [], isStale: true });
    await world.clock.advance(86_400_000);
    const { status, body } = await world.send(asked);
    expect([status, body]).toEqual([503, expect.stringContaining('(setting searchStale)')]);
    await place.block(false);
    await catchUp(world);
    expect(await seen()).toEqual({ status: 200, hits: 0, ids: [], counts: [], isStale: false });
  },
  longest,
);

it(
  'an engine-only service waits for no number of changes: thousands of others delay no search',
  async () => {
    const beginning = await begun({ settings: { searchIndex: 'engine' } });
    const { world, items } = beginning;
    const change = { timespan: [{ start: '-INF', end: '+INF', field: fieldsOf({ x_count: '1' }) }] };
    for (let each = 0; each < 1100; each++) await send(world, by(`PUT /API/item/${items[0]}/metadata`, change, json));
    const { status, body, headers } = await world.send(by('PUT /API/item', tag('a'), json, owner));
    expect([status, headers.has('warning')]).toEqual([200, false]);
    expect(body).toContain('"hits":0');
  },
  longest,
);

it(
  'columns answer as the index does: ids, dates, users, media types, collections, and their opposites',
  async () => {
    const worlds = [await begun({ settings: { searchIndex: 'engine' } }), await begun({})];
    const answers: unknown[][] = [];
    for (const [at, beginning] of worlds.entries()) {
      const { world, items, collection, place } = beginning;
      for (const as of [owner, stranger]) await add(world, { x_tag: 'b' }, as);
      await send(world, by(`POST /API/item/${items[0]}/access`, { user: stranger[0], permission: 'READ' }));
      await catchUp(world);
      if (at === 0) {
        world.expectErrors('work-failed');
        await place.kill();
      }
      const not = (document: object) => ({ operator: [{ operation: 'NOT', ...document }] });
      const documents = [
        criterion('itemId', items[0]),
        not(criterion('itemId', items[0])),
        criterion('user', 'admin'),
        criterion('user', `${owner[0].slice(0, 2)}*`),
        not(criterion('user', owner[0])),
        { ...criterion('mediaType', 'none'), sort: [{ field: 'created', order: 'descending' }] },
        since,
        { ...criterion('__collection', collection), ...since },
        { field: [...criterion('__collection', collection).field, ...criterion('user', 'admin').field] },
        { field: [{ name: 'created' }, { name: '__shape_size', value: [{ value: '0' }] }] },
        {
          operator: [
            { operation: 'OR', field: [...criterion('itemId', items[1]).field, ...criterion('user', owner[0]).field] },
          ],
        },
      ];
      const own: unknown[] = [];
      for (const document of documents)
        for (const as of [undefined, owner, stranger])
          for (const path of ['/API/item', '/API/search', `/API/collection/${collection}/item`]) {
            const { body, status } = await world.send(by(`PUT ${path}?number=3`, document, json, as ?? undefined));
            const { hits, item, entry } = JSON.parse(body) as Record<string, unknown>;
            const ids = ((item ?? entry ?? []) as { id: string }[]).map(({ id }) => id);
            own.push([JSON.stringify(document), as?.[0], path, status, hits, ids]);
          }
      answers.push(own);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(JSON.stringify(answers[0])).toContain('VX-');
  },
  longest,
);

it(
  'the self-test says at once that the engine is gone, read-only or late',
  async () => {
    const beginning = await begun({ settings: { searchIndex: 'engine' } });
    const { world, place } = beginning;
    const says = async () => {
      await world.clock.advance(1000);
      const { body } = await world.send(by('GET /API/selftest/search', undefined, json));
      const { status, message = [] } = JSON.parse(body) as { status: string; message?: readonly string[] };
      return `${status}: ${message.join('. ')}`;
    };
    expect(await says()).toMatch(/^ok: /);
    await place.block(true);
    expect(await says()).toMatch(/^warning: .*read-only/);
    await place.block(false);
    expect(await says()).toMatch(/^ok: /);
    await place.kill();
    expect(await says()).toMatch(/^failed: .*engine that answers/);
    await place.start();
    expect(await says()).toMatch(/^ok: /);
  },
  longest,
);

it(
  'a search that the database can answer too does not wait for a slow engine',
  async () => {
    const beginning = await begun({});
    const { world, items } = beginning;
    beginning.isSlow = true;
    const began = world.clock.now();
    const { body } = await answerTo(beginning, put(tag('a')));
    expect(JSON.parse(body)).toMatchObject({ hits: 2, item: [{ id: items[1] }, { id: items[0] }] });
    expect(world.clock.now() - began).toBeLessThan(8000);
    // The next one does not even ask.
    expect((await search(world, tag('a'))).noEngine).toContain('within 5 seconds');
  },
  longest,
);

it('a search that the engine alone answers is refused after five seconds while it hangs, and at once while it is left alone', async () => {
  const beginning = await begun({ settings: { searchIndex: 'engine' } });
  const { world } = beginning;
  beginning.isHung = true;
  const seconds: number[] = [];
  for (let at = 0; at < 5; at++) {
    const began = world.clock.now();
    const { status, body } = await answerTo(beginning, put(tag('a')));
    expect([status, body]).toEqual([503, expect.stringContaining('Expected an engine that answers')]);
    seconds.push((world.clock.now() - began) / 1000);
  }
  expect(
    seconds.slice(0, 4).every((each) => each >= 5 && each <= 7),
    `${seconds}`,
  ).toBe(true);
  // An engine that failed four times in sequence is left alone for two seconds.
  expect(seconds[4]).toBeLessThanOrEqual(1);
});
