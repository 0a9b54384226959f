import { describe, expect, it } from 'vitest';
import { Archives } from '../../../src/production/exporting/archives/archive.ts';
import { testClock } from '../../support/clock.ts';
import { isLong } from '../../support/long.ts';
import type { World } from '../../support/matrix.ts';
import { ask, bodyOf, done } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { openExports, titled } from '../../support/transfers.ts';
import { exporter } from '../../support/world.ts';
import { hasPython, unzipped } from '../../support/zips.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what an answer has.
type Read = any;

const order = (world: World, item: readonly string[], more: object = {}, as: Credentials = admin): Promise<Read> =>
  done(world, ask('POST /API/item/archive', { item, ...more }, as));

const fetched = async (world: World, { uri }: Read, headers: Record<string, string> = {}, method = 'GET') =>
  world.service.fetch(new Request(uri, { method, headers }));
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe('an archive of chosen items', () => {
  it.runIf(hasPython)(
    'is one download from an address without credentials, and goes on where it broke off',
    async () => {
      const world = await openExports();
      const items = [await titled(world, 'Harbour'), await titled(world, 'harbour')];
      const made = await order(world, items, { tag: ['original', 'lowres'], title: 'For Ann' });
      expect(made).toMatchObject({
        files: 4,
        leftOut: 0,
        uri: expect.stringMatching(/\/APInoauth\/archive\/VX-\d+\?secret=[\w-]{22}$/),
      });
      const head = await fetched(world, made, {}, 'HEAD');
      const response = await fetched(world, made);
      const [bytes, etag] = [await bytesOf(response), response.headers.get('etag')!];
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
      expect(response.headers.get('content-disposition')).toContain('"For Ann.zip"');
      expect(unzipped(bytes).map(({ name, text }) => [name, text])).toEqual([
        ['Harbour.mov', 'hello'],
        ['Harbour (Preview (small MP4)).mp4', 'low'],
        ['harbour (2).mov', 'hello'],
        ['harbour (Preview (small MP4)) (2).mp4', 'low'],
      ]);
      const rest = await fetched(world, made, { range: 'bytes=40-', 'if-range': etag });
      expect([rest.status, await bytesOf(rest)]).toEqual([206, bytes.subarray(40)]);
    },
  );

  it('is refused without items, with too many, and with a wrong title', async () => {
    const world = await openExports();
    const item = await titled(world);
    for (const [body, context] of [
      [{}, '/ArchiveDocument/item'],
      [{ item: Array.from({ length: 1001 }, (_, at) => `VX-${at}`) }, '/ArchiveDocument/item[1001]'],
      [{ item: [item], title: 'x'.repeat(201) }, '/ArchiveDocument/title'],
    ] as const) {
      const answer = await world.send(ask('POST /API/item/archive', body));
      expect([answer.status, bodyOf<Read>(answer).invalidInput.context]).toEqual([400, context]);
    }
    expect((await world.send(ask('POST /API/item/archive', { item: ['VX-999'] }))).status).toBe(404);
  });
});

describe('somebody who has the address of an archive', () => {
  it('uses it twice, guesses its secret, or comes too late', async () => {
    const world = await openExports();
    const item = await titled(world);
    const made = await order(world, [item]);
    const status = async (headers: Record<string, string> = {}, { uri } = made) =>
      (await fetched(world, { uri }, headers)).status;
    for (const uri of [`${made.uri}x`, made.uri.replace(/\?.*/, ''), made.uri.replace(/secret=.*/, 'secret=')])
      expect(await status({}, { ...made, uri })).toBe(404);
    const first = await fetched(world, made);
    await bytesOf(first);
    const etag = first.headers.get('etag')!;
    for (const headers of [
      {},
      { range: 'bytes=1-' },
      { range: 'bytes=1-', 'if-range': '"other"' },
      { 'if-range': etag },
    ])
      expect(await status(headers as Record<string, string>)).toBe(404);
    const late = await order(world, [item]);
    await world.clock.advance(15 * 60_000);
    expect(await status({}, late)).toBe(404);
    await world.clock.advance(24 * 3_600_000);
    expect(await status({ range: 'bytes=1-', 'if-range': etag })).toBe(404);
  });

  it('two at once: one of them gets it', async () => {
    const world = await openExports();
    const made = await order(world, [await titled(world)]);
    const answers = await Promise.all([fetched(world, made), fetched(world, made)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });

  it('gets nothing that its user may no longer read, or once the logins of the user are revoked', async () => {
    const world = await openExports();
    const item = await titled(world);
    const allow = (permission: string) =>
      done(
        world,
        ask(`POST /API/item/${item}/access`, {
          permission,
          user: exporter[0],
          priority: permission === 'NONE' ? 1 : 0,
        }),
      );
    await allow('READ');
    await done(world, ask(`PUT /API/group/_item_shape_read/user/${exporter[0]}`));
    const [made, later] = [await order(world, [item], {}, exporter), await order(world, [item], {}, exporter)];
    await allow('NONE');
    const text = new TextDecoder('latin1').decode(await bytesOf(await fetched(world, made)));
    expect([text.includes('hello'), text.includes('not-included.txt')]).toEqual([false, true]);
    await done(world, ask(`DELETE /API/user/${exporter[0]}/tokens`));
    expect((await fetched(world, later)).status).toBe(404);
  });

  it('makes them without end: the oldest of one user go', async () => {
    const world = await openExports();
    const item = await titled(world);
    const first = await order(world, [item]);
    for (let count = 0; count < 20; count++) {
      await world.clock.advance(1);
      await order(world, [item]);
    }
    expect((await fetched(world, first)).status).toBe(404);
    expect(await world.service.store.read('SELECT count(*) FROM archive_order')).toEqual([[20]]);
  });
});

const basic = ([user, password]: Credentials) => `Basic ${btoa(`${user}:${password}`)}`;

/** A ZIP file at once, with the credentials of a user. */
const zipped = (world: World, query: string, as: Credentials = admin, headers = {}, method = 'GET') =>
  world.service.fetch(
    new Request(`http://localhost/API/export/zip?${query}`, {
      method,
      headers: { authorization: basic(as), ...headers },
    }),
  );

const collectionOf = async (world: World, name: string, ...members: readonly string[]): Promise<string> => {
  const { id } = await done<{ id: string }>(world, ask(`POST /API/collection?name=${encodeURIComponent(name)}`));
  for (const member of members) await done(world, ask(`PUT /API/collection/${id}/${member}`));
  return id;
};

const permit = (world: World, entity: string, permission: string) => {
  const [user] = exporter;
  return done(world, ask(`POST /API/${entity}/access`, { permission, user, priority: permission === 'NONE' ? 1 : 0 }));
};

describe('a ZIP file of a selection and of collections', () => {
  it.runIf(hasPython)(
    'has folders of collections, no two names alike, each item once, and goes on where it broke off',
    async () => {
      const world = await openExports();
      const [harbour, other, bridge] = [
        await titled(world, 'Harbour'),
        await titled(world, 'harbour'),
        await titled(world, 'Bridge'),
      ];
      const { id: empty } = await done<{ id: string }>(world, ask('POST /API/import/placeholder'));
      const day = await collectionOf(world, 'Day 1', harbour, bridge, empty);
      const again = await collectionOf(world, 'day 1', other, harbour);
      const all = await collectionOf(world, 'AC/DC', bridge, `${day}?type=collection`, `${again}?type=collection`);
      const query = `id=${harbour}&id=${other},${harbour}&collection=${all}&title=All`;
      const response = await zipped(world, query);
      const bytes = await bytesOf(response);
      expect(response.headers.get('content-disposition')).toContain('"All.zip"');
      expect(unzipped(bytes).map(({ name, text }) => [name, text])).toEqual([
        ['not-included.txt', 'AC-DC/Day 1/untitled: There is no file to download\r\n'],
        ['Harbour.mov', 'hello'],
        ['harbour (2).mov', 'hello'],
        ['AC-DC/Bridge.mov', 'hello'],
      ]);
      const folders = await bytesOf(await zipped(world, `collection=${all}&tag=lowres`));
      expect(unzipped(folders).map(({ name }) => name)).toEqual([
        'not-included.txt',
        'AC-DC/Bridge (Preview (small MP4)).mp4',
        'AC-DC/Day 1/Harbour (Preview (small MP4)).mp4',
        'AC-DC/day 1 (2)/harbour (Preview (small MP4)).mp4',
      ]);
      const head = await zipped(world, query, admin, {}, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
      const rest = await zipped(world, query, admin, { range: 'bytes=90-', 'if-range': response.headers.get('etag')! });
      expect([rest.status, await bytesOf(rest)]).toEqual([206, bytes.subarray(90)]);
      const ordered = await order(world, [], { collection: [all] });
      expect(ordered).toMatchObject({ files: 3, leftOut: 1 });
      expect(unzipped(await bytesOf(await fetched(world, ordered))).map(({ name }) => name)).toContain(
        'AC-DC/Day 1/Harbour.mov',
      );
    },
  );

  it('names nothing that the caller may not read', async () => {
    const world = await openExports();
    const [open, secret] = [await titled(world, 'Open'), await titled(world, 'Secret')];
    const inner = await collectionOf(world, 'Hidden', open);
    const all = await collectionOf(world, 'All', secret, `${inner}?type=collection`);
    for (const role of ['_item_shape_read', '_collection_read'])
      await done(world, ask(`PUT /API/group/${role}/user/${exporter[0]}`));
    await permit(world, `collection/${all}`, 'READ');
    for (const entity of [`collection/${inner}`, `item/${secret}`]) await permit(world, entity, 'NONE');
    const text = new TextDecoder('latin1').decode(await bytesOf(await zipped(world, `collection=${all}`, exporter)));
    expect(['Secret', 'Hidden', 'Open', 'not-included'].filter((word) => text.includes(word))).toEqual([]);
    for (const query of [`id=${secret}`, `collection=${inner}`])
      expect((await zipped(world, query, exporter)).status).toBe(403);
  });

  it.each<[what: string, operation: object]>([
    ['a shape', { shape: { tag: 'original' } }],
    ['the addresses of the files', { uri: {} }],
  ])('has no bytes where %s is closed to the caller', async (_, operation) => {
    const world = await openExports();
    const item = await titled(world);
    await permit(world, `item/${item}`, 'READ');
    await done(world, ask(`PUT /API/group/_item_shape_read/user/${exporter[0]}`));
    const text = async () =>
      new TextDecoder('latin1').decode(await bytesOf(await zipped(world, `id=${item}`, exporter)));
    expect(await text()).toContain('hello');
    const closed = { permission: 'NONE', user: exporter[0], operation, priority: 1 };
    await done(world, ask(`POST /API/item/${item}/access`, closed));
    expect(await text()).not.toContain('hello');
  });

  it.each([
    ['the access entry', (world: World, item: string) => permit(world, `item/${item}`, 'NONE')],
    ['the role', (world: World) => done(world, ask(`DELETE /API/group/_item_shape_read/user/${exporter[0]}`))],
    ['the login', (world: World) => done(world, ask(`DELETE /API/user/${exporter[0]}/tokens`))],
  ])('breaks off before the next file once %s of the caller has ended', async (_, take) => {
    const world = await openExports();
    const item = await titled(world);
    await permit(world, `item/${item}`, 'READ');
    await done(world, ask(`PUT /API/group/_item_shape_read/user/${exporter[0]}`));
    const response = await zipped(world, `id=${item}`, exporter);
    await take(world, item);
    expect(response.status).toBe(200);
    await expect(bytesOf(response)).rejects.toThrow('An archive broke off');
  });

  it('is refused without names, beyond its bounds, and for unknown tags', async () => {
    const world = await openExports();
    const item = await titled(world);
    let deep = await collectionOf(world, 'deepest');
    for (let level = 0; level < 50; level++) deep = await collectionOf(world, 'above', `${deep}?type=collection`);
    for (const [query, explanation] of [
      ['', 'Expected the id of an item or a collection'],
      [`id=${'1,'.repeat(1001)}`, 'Expected at most 1000 of it'],
      [`id=${item}&tag=${'a,'.repeat(21)}`, 'Expected at most 20 of it'],
      [`id=${item}&title=${'x'.repeat(201)}`, 'Expected at most 200 characters'],
      [`collection=${deep}`, 'Expected at most 50 levels of collections in one archive'],
    ] as const) {
      const response = await zipped(world, query, admin, { accept: 'application/zip, application/json' });
      expect([response.status, ((await response.json()) as Read).invalidInput?.explanation]).toEqual([
        400,
        explanation,
      ]);
    }
    for (const query of ['id=VX-999', 'collection=VX-999', `id=${item}&tag=nothing`])
      expect((await zipped(world, query)).status).toBe(404);
    await done(world, ask(`PUT /API/group/_item_shape_read/user/${exporter[0]}`));
    expect((await zipped(world, `collection=${deep}`, exporter)).status).toBe(403);
  });

  it('of more than ten thousand files is refused, and of so many has no two names alike', async () => {
    const world = await openExports();
    const item = await titled(world);
    const all = await collectionOf(world, 'All', item);
    await manyLike(world, item, all, 10_000);
    const more = await zipped(world, `collection=${all}`, admin, { accept: 'application/zip, application/json' });
    expect([more.status, ((await more.json()) as Read).invalidInput.explanation]).toEqual([
      400,
      'Expected at most 10000 files in one archive',
    ]);
    // Names of so many files must not take ever longer: the long form reads them.
    if (!isLong || !hasPython) return;
    await done(world, ask(`DELETE /API/collection/${all}/${item}`));
    const response = await zipped(world, `collection=${all}`);
    const files = unzipped(await bytesOf(response));
    expect([files.length, new Set(files.map(({ name }) => name)).size, files.at(-1)]).toMatchObject([
      10_000,
      10_000,
      { name: 'All/untitled (10000).mov', text: 'hello' },
    ]);
  });
});

/** Items beside another one, with the same file as their originals, in a collection. */
const manyLike = (world: World, item: string, collection: string, count: number) =>
  world.service.store.commit(
    {
      changes: [
        `item (id, serial, created_at) SELECT 'L-' || i, 500000 + i, 0 FROM n`,
        `shape (id, serial, item_id, essence_version, placeholder, mime_types, created_at, version)
          SELECT 'L-' || i, 500000 + i, 'L-' || i, 0, 0, '[]', 0, 1 FROM n`,
        `shape_tagged (shape_id, tag, item_id, essence_version, position) SELECT 'L-' || i, 'original', 'L-' || i, 0, 0 FROM n`,
        `component (id, shape_id, kind, position, expected, document) SELECT 'L-' || i, 'L-' || i, 'container', 0, 0, '{}' FROM n`,
        `file_use (file_id, item_id, shape_id, component_id)
          SELECT file_id, 'L-' || i, 'L-' || i, 'L-' || i FROM n CROSS JOIN file_use WHERE item_id = '${item}' AND shape_id IN
            (SELECT shape_id FROM shape_tagged WHERE tag = 'original')`,
        `collection_member (collection_id, member_type, member_id, position, reference)
          SELECT '${collection}', 'item', 'L-' || i, 1000000 + i, 'l' || i FROM n`,
      ].map((sql) => ({
        sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO ${sql}`,
        args: [count],
      })),
      events: [],
    },
    { user: 'test' },
  );

it('attack: forty HEADs are planned once, and a plan takes one of the two places of its taker', async () => {
  const clock = testClock();
  const archives = new Archives({ clock, fingerprint: (text: string) => text.padEnd(27, '-') } as never);
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let plans = 0;
  const ask = (method: 'GET' | 'HEAD', group = 'a share', id = 'a guest') =>
    archives.reply(
      { requestId: '1', method, headers: new Headers() },
      {
        taker: { id, group },
        key: group,
        async plan() {
          plans++;
          await begun;
          return 'title';
        },
        open: () => Promise.reject(new Error('Expected no file')),
      },
    );
  const forty = Array.from({ length: 40 }, () => ask('HEAD').catch(({ code }) => code as string));
  expect(plans).toBe(2);
  begin();
  const answers = await Promise.all(forty);
  expect(answers.slice(2)).toEqual(Array(38).fill('too-many-transfers'));
  expect(answers.slice(0, 2)).toMatchObject(Array(2).fill({ status: 200, headers: { 'content-length': '22' } }));
  for (let count = 0; count < 40; count++) expect(await ask('HEAD')).toEqual(answers[0]);
  await ask('HEAD', 'a share', 'another guest');
  expect(plans).toBe(2);
  await ask('HEAD', 'another share');
  const bytes = await ask('GET');
  expect(plans).toBe(4);
  await (bytes.body as ReadableStream).cancel();
  await clock.advance(60_000);
  await ask('HEAD');
  expect(plans).toBe(5);
});
