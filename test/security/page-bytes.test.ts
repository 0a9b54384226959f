import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { made } from '../assets/shapes/support.ts';
import { item, join, newCollection } from '../support/assets.ts';
import { aroundReads } from '../support/databases.ts';
import { basic, openWorld, type Sent, type World } from '../support/matrix.ts';
import { by, json, send, xml } from '../support/requests.ts';
import { admin } from '../support/service.ts';

const long = 'x'.repeat(90_000);
const text = (name: string, value: string) => ({
  timespan: [{ start: '-INF', end: '+INF', field: [{ name, value: [{ value }] }] }],
});
const values = (count: number) => ({
  field: Array.from({ length: count }, (_, index) => ({ key: `key-${index}`, value: 'y'.repeat(9_000) })),
});

/** Three items, collections, shapes and documents, each of which has 90,000 bytes: three are more than 1,000 values. */
async function fill(world: World, count = 3): Promise<void> {
  await send(world, newCollection('?name=all'));
  for (let made = 1; made <= count; made++) {
    await send(world, item({ title: `${made} ${long}` }));
    await send(world, join('VX-1', `VX-${made}`));
  }
}

/** As a caller could by many requests. */
const lengthen = ({ service: { store } }: World, type: string) =>
  store.commit(
    {
      changes: [{ sql: `UPDATE key_value SET value = printf('%.*c', 90000, 'x') WHERE entity_type = ?`, args: [type] }],
      events: [],
    },
    { user: 'test' },
  );

async function shapes(world: World): Promise<void> {
  for (const number of [1, 2, 3]) {
    await send(world, item({ title: `${number}` }));
    const { id } = await made(world, {}, '', `VX-${number}`);
    await send(world, by(`PUT /API/item/VX-${number}/shape/${id}/metadata`, values(10)));
  }
}

const asked = (request: string, body?: object): Sent => by(request, body);

/** Lists of things that hold what callers wrote. Each is asked for two entries, which fit, and for all, which do not. */
const pages: readonly (readonly [
  of: string,
  prepare: (world: World) => Promise<unknown>,
  ask: (query: string) => Sent,
])[] = [
  ['items', fill, (query) => asked(`GET /API/item?content=metadata&${query}`)],
  ['a search of items', fill, (query) => asked(`PUT /API/item?content=metadata&${query}`, {})],
  ['items by content paths', fill, (query) => asked(`GET /API/item?content=metadata&terse=true&${query}`)],
  ['a search', fill, (query) => asked(`GET /API/search?content=metadata&${query.replace('3', '4')}`)],
  ['the items of a collection', fill, (query) => asked(`GET /API/collection/VX-1/item?content=metadata&${query}`)],
  [
    'the items of a library',
    async (world) => {
      await fill(world);
      await send(world, asked('POST /API/library', { item: [1, 2, 3].map((id) => ({ id: `VX-${id}` })) }));
    },
    (query) => asked(`GET /API/library/VX*1?content=metadata&${query}`),
  ],
  [
    'collections',
    async (world) => {
      for (const made of [1, 2, 3]) {
        await send(world, newCollection(`?name=${made}`));
        await send(world, by(`PUT /API/collection/VX-${made}/metadata`, text('title', `${made} ${long}`)));
      }
    },
    (query) => asked(`GET /API/collection?content=metadata&${query}`),
  ],
  ['items with their shapes', shapes, (query) => asked(`GET /API/item?content=shape&${query}`)],
  ['shapes', shapes, (query) => asked(`GET /API/search/shape?content=metadata&${query}`)],
  [
    'change sets',
    async (world) => {
      await send(world, item({ title: 'first' }));
      for (const made of ['a', 'b', 'c'])
        await send(world, by('PUT /API/item/VX-1/metadata', text('title', `${made} ${long}`)));
    },
    (query) => asked(`GET /API/item/VX-1/metadata/changes?first=3&${query}`),
  ],
  [
    'relations',
    async (world) => {
      await send(world, item({ title: 'a' }));
      for (const other of [2, 3, 4]) {
        await send(world, item({ title: 'b' }));
        await send(world, by(`POST /API/item/VX-1/relation/VX-${other}?direction=U&note=x`));
      }
      await lengthen(world, 'item-relation');
    },
    (query) => asked(`GET /API/item/VX-1/relation?${query}`),
  ],
  [
    'deletion locks',
    async (world) => {
      for (const made of [1, 2, 3]) {
        await send(world, item({ title: 'a' }));
        const metadata = { field: [{ key: 'a', value: 'b' }] };
        await send(
          world,
          by(`POST /API/item/VX-${made}/deletion-lock`, { expiryTime: '2099-01-01T00:00:00Z', metadata }),
        );
      }
      await lengthen(world, 'deletion-lock');
    },
    (query) => asked(`GET /API/deletion-lock?${query}`),
  ],
];

/** Lists of entities of many people, which leave content out before they are refused. */
const shared = pages.filter(([of]) => /^(items|a search|the items of|collections)/.test(of));

describe('an attack by pages of long metadata', () => {
  it.each(shared)(
    'refuses no list of %s: it leaves out the content of the heaviest, and names it',
    async (of, prepare, ask) => {
      const world = await openWorld('fetch', { settings: { maxPageValues: 1000 } });
      await prepare(world);
      const [short, whole] = [await world.send(ask('number=2')), await world.send(ask('number=3'))];
      expect([short.status, whole.status]).toEqual([200, 200]);
      expect(short.headers.get('portico-left-out')).toBeNull();
      const leftOut = whole.headers.get('portico-left-out')!;
      expect(leftOut).toMatch(/^VX-[1-3]$/);
      expect(whole.body).toContain(`"${leftOut}"`);
      expect(whole.body.length).toBeGreaterThan(160_000);
      // A collection has its title twice in the answer.
      expect(whole.body.length).toBeLessThan(of === 'collections' ? 400_000 : 200_000);
    },
  );

  it('refuses no list of items with thousands of external ids: it leaves those of the heaviest out', async () => {
    const world = await openWorld('fetch', { settings: { maxPageValues: 1000 } });
    for (const made of [1, 2, 3]) await send(world, item({ title: `${made}` }));
    const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO external_id (entity_type, external_id, entity_id)
      SELECT 'item', id || '-' || i || printf('%.*c', 60, 'x'), id FROM n, item`;
    await world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
    const page = (number: number) => world.send(asked(`GET /API/item?content=external&number=${number}`));
    const [short, whole] = [await page(2), await page(3)];
    expect([short.status, short.headers.get('portico-left-out')]).toEqual([200, null]);
    expect([whole.status, whole.headers.get('portico-left-out')]).toEqual([200, expect.stringMatching(/^VX-[1-3]$/)]);
  });

  const others = pages.filter((page) => !shared.includes(page));
  it.each(others)('is refused for %s: the page has a bound of bytes', async (_of, prepare, ask) => {
    const world = await openWorld('fetch', { settings: { maxPageValues: 1000 } });
    await prepare(world);
    const [short, whole] = [await world.send(ask('number=2')), await world.send(ask('number=3'))];
    expect(short.status, short.body.slice(0, 300)).toBe(200);
    expect(short.body.length).toBeGreaterThan(90_000);
    expect(whole.status).toBe(400);
    expect(whole.body).toContain('more than 1000 values (PORTICO_MAX_PAGE_VALUES)');
    expect(whole.body).toContain('"number"');
  });

  it('leaves a page of one entry readable, whatever it weighs', async () => {
    const world = await openWorld('fetch', { settings: { maxPageValues: 1000 } });
    await send(world, item({ title: 'x'.repeat(900_000) }));
    expect((await world.send(asked('GET /API/item?content=metadata&number=1'))).status).toBe(200);
  });

  it('counts what items inherit from collections', async () => {
    const world = await openWorld('fetch', { settings: { maxPageValues: 1000 } });
    await send(world, asked('PUT /API/metadata-field/test_wide', { type: 'string', inheritance: 'true' }));
    await send(world, newCollection('?name=a'));
    await send(world, by('PUT /API/collection/VX-1/metadata', text('test_wide', long)));
    for (const made of [1, 2, 3]) {
      await send(world, item({ title: `${made}` }));
      await send(world, join('VX-1', `VX-${made}`));
    }
    const page = (number: number) => world.send(asked(`GET /API/item?content=metadata&number=${number}`));
    const leftOut = [await page(2), await page(3)].map(({ headers }) => headers.get('portico-left-out'));
    expect(leftOut).toEqual([null, expect.stringMatching(/^VX-\d$/)]);
  });
});

describe('a page that is sent while its parts are loaded', () => {
  const target = '/API/item?content=metadata&number=20';
  const get = (world: World, headers: Record<string, string>, method = 'GET') =>
    world.service.fetch(
      new Request(`http://portico.test${target}`, { method, headers: { authorization: basic(admin), ...headers } }),
    );

  it('is the document that the same items are one by one, in every form', async () => {
    const world = await openWorld('fetch');
    await fill(world, 6);
    for (const accept of [json, xml]) {
      const response = await get(world, accept);
      expect([response.status, response.headers.get('content-length')]).toEqual([200, null]);
      const body = await response.text();
      for (const made of [1, 2, 3, 4, 5, 6]) expect(body).toContain(`${made} ${long}`);
      const packed = await get(world, { ...accept, 'accept-encoding': 'gzip' });
      expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
      expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString() === body).toBe(true);
      const { body: short } = await world.send({
        as: admin,
        request: 'GET /API/item?content=metadata&number=2',
        headers: accept,
      });
      const entry = accept === json ? /"hits":6,"item":\[(.*?),\{"/s : /<item .*?<\/item>/s;
      expect(body).toContain(entry.exec(short)![accept === json ? 1 : 0]);
    }
    const whole = JSON.parse(await (await get(world, json)).text()) as { item: { id: string }[] };
    expect(whole.item.map(({ id }) => id)).toEqual(['VX-6', 'VX-5', 'VX-4', 'VX-3', 'VX-2', 'VX-1']);
  });

  it('loads no further than its caller reads, and nothing more for one who leaves or sends HEAD', async () => {
    const world = await openWorld('fetch');
    await fill(world, 12);
    let states = 0;
    aroundReads(world.service.store, async (sql, read) => {
      const rows = await read();
      if (/"doc"|\bdoc\b/.test(sql) && !sql.includes('octet_length')) states += rows.length;
      return rows;
    });
    const response = await get(world, json);
    const reader = response.body!.getReader();
    await reader.read();
    expect(states).toBe(3);
    await reader.cancel();
    expect(states).toBe(3);
    states = 0;
    const head = await get(world, json, 'HEAD');
    expect([head.status, await head.text(), states]).toEqual([200, '', 3]);
    states = 0;
    await (await get(world, json)).text();
    expect(states).toBe(12);
  });

  it('is broken off where a later part fails: its caller sees no end, and the log says why', async () => {
    const world = await openWorld('socket');
    world.expectErrors('answer-broken-off');
    await fill(world, 6);
    let asked = 0;
    aroundReads(world.service.store, async (sql, read) => {
      if (sql.includes('"doc"') && ++asked === 2) throw new Error('no page');
      return read();
    });
    await expect(world.send({ as: admin, request: `GET ${target}`, headers: json })).rejects.toThrow();
    expect(world.lines.find(({ event }) => event === 'answer-broken-off')).toMatchObject({
      path: '/item',
      error: 'no page',
    });
  });
});
