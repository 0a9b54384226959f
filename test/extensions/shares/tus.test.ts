import { expect, it } from 'vitest';
import { memoryStorage, storageError } from '../../../src/kit/testing/storage/memory-storage.ts';
import type { StorageScheme } from '../../../src/spi/index.ts';
import { testClock } from '../../support/clock.ts';
import { openWorld } from '../../support/matrix.ts';
import { bodyOf } from '../../support/requests.ts';
import { memoryPlugin, type ServiceOptions } from '../../support/service.ts';
import { film, type Guest, gone, isGone, maker, type Opened, openShares, other, type Read } from './support.ts';

const hour = 3_600_000;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const tus = { 'tus-resumable': '1.0.0' };

async function open(bounds = { files: 2, bytes: 100 }, settings: object = {}, options: ServiceOptions = {}) {
  const at = await openShares((all) => openWorld('fetch', all), { ...options, settings });
  const collection = await at.collection('Drop', await at.item('First'));
  const share = await at.share(`collection/${collection}`, { upload: bounds, asksName: true });
  return { at, collection, share, guest: await at.guest(share.token, { name: 'Ann' }) };
}

const begin = (at: Opened, { id, cookie }: Pick<Guest, 'id' | 'cookie'>, size: number | string, name = 'a.mp4') =>
  at.by(cookie, `POST /APInoauth/share/${id}/upload`, {
    headers: {
      ...tus,
      'upload-length': String(size),
      'upload-metadata': `filename ${base64(name)},import ${base64('false')}`,
    },
  });

/** Path of an upload that has begun. */
async function begun(at: Opened, guest: Guest, size: number): Promise<string> {
  const answer = await begin(at, guest, size);
  expect([answer.status, answer.headers.get('tus-resumable')]).toEqual([201, '1.0.0']);
  const { pathname } = new URL(answer.headers.get('location')!, 'http://localhost');
  expect(pathname).toMatch(new RegExp(`^/APInoauth/share/${guest.id}/upload/VX-\\d+$`));
  return pathname;
}

const ask = (
  at: Opened,
  { cookie }: Pick<Guest, 'cookie'>,
  request: string,
  more: Record<string, string> = {},
  body?: string,
) => at.by(cookie, request, { headers: { ...tus, ...more }, ...(body !== undefined && { body }) });

const append = (at: Opened, guest: Pick<Guest, 'cookie'>, path: string, offset: number, body: string) =>
  ask(
    at,
    guest,
    `PATCH ${path}`,
    {
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(body.length),
    },
    body,
  );

const left = async (at: Opened, guest: Guest) => bodyOf<Read>(await at.get(guest)).upload;

const uploaded = async (at: Opened, { id }: Read) => (await at.told(`GET /share/${id}`)).uploaded;

it('an upload of a guest goes on where it broke off, and becomes an item of the collection with its event', async () => {
  const { at, collection, share, guest } = await open();
  const before = await at.world.sequence();
  const path = await begun(at, guest, film.length);
  expect(await uploaded(at, share)).toEqual({ files: 0, bytes: 0 });
  expect(await left(at, guest)).toEqual({ files: 1, bytes: 100 - film.length });
  expect((await append(at, guest, path, 0, film.slice(0, 6))).status).toBe(204);
  const told = await ask(at, guest, `HEAD ${path}`);
  expect([told.status, told.headers.get('upload-offset'), told.headers.get('upload-length')]).toEqual([200, '6', '16']);
  expect(isGone(await append(at, guest, path, 3, 'x'))).toBe('409 part-conflict');
  const last = await append(at, guest, path, 6, film.slice(6));
  expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '16']);
  expect((await ask(at, guest, `HEAD ${path}`)).headers.get('upload-offset')).toBe('16');
  const events = await at.world.events(before);
  expect(events.find(({ name }) => name === 'share/upload')).toMatchObject({
    user: `share:${share.id}`,
    payload: { guest: 'Ann' },
  });
  expect(bodyOf<Read>(await at.get(guest, '/item')).item).toHaveLength(2);
  expect((await at.told(`GET /collection/${collection}/item`)).item).toHaveLength(2);
  // Uploads that became items keep their place, also when the upload is given up or ends.
  expect((await ask(at, guest, `DELETE ${path}`)).status).toBe(204);
  expect(await uploaded(at, share)).toEqual({ files: 1, bytes: film.length });
});

it('an upload that recovery makes an item of has its event, and keeps its place', async () => {
  const clock = testClock();
  const storage = memoryStorage(() => clock.now());
  let isAway = false;
  const scheme: StorageScheme = {
    ...storage,
    open(address) {
      const driver = storage.open(address);
      const publish: typeof driver.publish = async (...given) => {
        if (isAway) throw storageError('offline', 'Unplugged');
        return driver.publish!(...given);
      };
      return { ...driver, publish };
    },
  };
  const { at, share, guest } = await open(undefined, {}, { clock, plugins: [memoryPlugin(scheme)] });
  const before = await at.world.sequence();
  const path = await begun(at, guest, film.length);
  isAway = true;
  expect((await append(at, guest, path, 0, film)).status).toBe(503);
  isAway = false;
  await clock.advance(16_000);
  await at.world.service.tick();
  const events = (await at.world.events(before)).filter(({ name }) => /^(?:item\/create|share\/upload)$/.test(name));
  expect(events.map(({ name, user }) => [name, user])).toEqual(
    ['item/create', 'share/upload'].map((name) => [name, `share:${share.id}`]),
  );
  expect(events.at(-1)).toMatchObject({ payload: { guest: 'Ann' } });
  expect(bodyOf<Read>(await at.get(guest, '/item')).item).toHaveLength(2);
  expect(await uploaded(at, share)).toEqual({ files: 1, bytes: film.length });
});

it('an empty file is an item at once', async () => {
  const { at, share, guest } = await open();
  await begun(at, guest, 0);
  expect(await uploaded(at, share)).toEqual({ files: 1, bytes: 0 });
  expect(bodyOf<Read>(await at.get(guest, '/item')).item).toHaveLength(2);
});

it('a guest whose maker may only read the collection by now begins no upload, and continues none', async () => {
  const { at } = await open();
  const { id: collection } = await at.told('POST /collection?name=Theirs', undefined, other);
  const grants = (permission: string) =>
    at.told(`POST /collection/${collection}/access`, { user: 'maker', permission }, other);
  const { id: entry } = await grants('WRITE');
  const share = await at.share(`collection/${collection}`, { upload: { files: 2, bytes: 100 } });
  const guest = await at.guest(share.token);
  const path = await begun(at, guest, 3);
  expect((await append(at, guest, path, 0, 'a')).status).toBe(204);
  await grants('READ');
  await at.told(`DELETE /collection/${collection}/access/${entry}`, undefined, other);
  expect(isGone(await begin(at, guest, 1))).toBe(gone);
  expect(isGone(await append(at, guest, path, 1, 'b'))).toBe(gone);
});

it('a guest who begins more than the bounds allow is refused, and one who gives up gives the place back', async () => {
  const { at, share, guest } = await open();
  const [path] = [await begun(at, guest, 50), await begun(at, guest, 50)];
  expect(isGone(await begin(at, guest, 0))).toBe('507 quota-exceeded');
  expect((await ask(at, guest, `DELETE ${path}`)).status).toBe(204);
  expect(isGone(await ask(at, guest, `HEAD ${path}`))).toBe(gone);
  expect(isGone(await begin(at, guest, 51))).toBe('507 quota-exceeded');
  expect((await begin(at, guest, 50)).status).toBe(201);
  expect(await uploaded(at, share)).toEqual({ files: 0, bytes: 0 });
  expect(await left(at, guest)).toEqual({ files: 0, bytes: 0 });
});

it('a guest who begins a hundred uploads and cancels them has taken nothing, and counts for nothing', async () => {
  const { at, share, guest } = await open({ files: 100, bytes: 100 });
  const paths = await Promise.all(Array.from({ length: 100 }, () => begun(at, guest, 1)));
  expect((await begin(at, guest, 1)).status).toBe(507);
  const answers = await Promise.all(paths.map((path) => ask(at, guest, `DELETE ${path}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  // A second cancel, as of a page that heard no answer, gives nothing back twice.
  expect(isGone(await ask(at, guest, `DELETE ${paths[0]}`))).toBe(gone);
  expect(await left(at, guest)).toEqual({ files: 100, bytes: 100 });
  expect(await uploaded(at, share)).toEqual({ files: 0, bytes: 0 });
});

it('of two guests who begin at once, one gets the last place', async () => {
  const { at, share, guest } = await open({ files: 2, bytes: 100 });
  await begun(at, guest, 1);
  const other = await at.guest(share.token, { name: 'Ben' });
  const answers = await Promise.all([begin(at, guest, 1), begin(at, other, 1)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 507]);
  expect(await left(at, other)).toEqual({ files: 0, bytes: 98 });
});

it('an upload that ends while its share is revoked makes no item', async () => {
  const { at, collection, share, guest } = await open();
  const path = await begun(at, guest, 2);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await at.told(`DELETE /share/${share.id}`);
        controller.enqueue(new Uint8Array(2));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  await at.by(guest.cookie, `PATCH ${path}`, { body, headers: { ...headers, 'content-length': '2' } });
  expect((await at.told(`GET /collection/${collection}/item`)).item).toHaveLength(1);
});

it('an item says from whom it came, and through which link, also once that is revoked', async () => {
  const { at, collection, share, guest } = await open();
  await at.told(`PUT /share/${share.id}`, { title: 'Rushes', upload: { files: 2, bytes: 100 }, asksName: true });
  const { item: before } = await at.told(`GET /collection/${collection}/item`);
  const path = await begun(at, guest, 1);
  await at.world.clock.advance(1000);
  await append(at, guest, path, 0, 'x');
  const at1 = new Date(at.world.clock.now()).toISOString();
  const { item } = await at.told(`GET /collection/${collection}/item`);
  const [{ id }] = item.filter((each: Read) => each.id !== before[0].id);
  const origin = { share: share.id, title: 'Rushes', name: 'Ann', at: expect.any(String) };
  expect((await at.told(`GET /item/${id}/share`)).origin).toEqual(origin);
  expect((await at.told(`GET /item/${before[0].id}/share`)).origin).toBeUndefined();
  const [use] = (await at.told(`GET /share/${share.id}/use`)).use;
  expect(use).toMatchObject({ name: 'Ann', file: [{ item: id, name: 'a.mp4' }] });
  expect(Date.parse(use.file[0].at)).toBe(Date.parse(at1));
  await at.told(`DELETE /share/${share.id}`);
  expect((await at.told(`GET /item/${id}/share`)).origin).toEqual(origin);
  const { status } = await at.send(`GET /item/${id}/share`, undefined, other);
  expect(status).toBe(403);
  await at.told(`DELETE /item/${id}`);
  expect(await at.world.service.store.read('SELECT count(*) FROM share_upload')).toEqual([[0]]);
});

it('places of a guest who begins uploads and sends nothing are free again once these have ended', async () => {
  const { at, share, guest } = await open({ files: 2, bytes: 100 }, { transferIdleHours: 2 });
  for (let count = 0; count < 2; count++) await begun(at, guest, 50);
  const other = await at.guest(share.token, { name: 'Ben' });
  await at.world.clock.advance(hour);
  expect((await begin(at, other, 50)).status).toBe(507);
  await at.world.clock.advance(hour);
  expect(await left(at, other)).toEqual({ files: 2, bytes: 100 });
  expect((await begin(at, other, 50)).status).toBe(201);
  expect(await uploaded(at, share)).toEqual({ files: 0, bytes: 0 });
});

it('another guest of the share, a guest of another one, or somebody without a cookie reaches no upload', async () => {
  const { at, share, guest } = await open();
  const path = await begun(at, guest, 10);
  const other = await at.guest(share.token, { name: 'Ben' });
  const second = await at.collection('Second');
  const elsewhere = await at.guest((await at.share(`collection/${second}`, { upload: { files: 1, bytes: 10 } })).token);
  const foreign = path.replace(`/${guest.id}/`, `/${elsewhere.id}/`);
  for (const [who, where] of [
    [other, path],
    [elsewhere, path],
    [elsewhere, foreign],
    [{ cookie: '' }, path],
  ] as const)
    for (const method of ['HEAD', 'DELETE']) expect(isGone(await ask(at, who, `${method} ${where}`))).toBe(gone);
  expect(isGone(await append(at, other, path, 0, 'x'))).toBe(gone);
  expect((await append(at, guest, path, 0, 'x'.repeat(10))).status).toBe(204);
});

it('a page of another site sends nothing in the name of a guest', async () => {
  const { at, guest } = await open();
  const path = await begun(at, guest, 10);
  for (const request of [`POST /APInoauth/share/${guest.id}/upload`, `PATCH ${path}`, `DELETE ${path}`]) {
    const answer = await ask(
      at,
      guest,
      request,
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test', 'upload-length': '1' },
      request.startsWith('PATCH') ? 'x' : undefined,
    );
    expect([request, answer.status]).toEqual([request, 403]);
  }
  expect(await left(at, guest)).toEqual({ files: 1, bytes: 90 });
});

it('an upload goes no further once the share takes no files, or has ended', async () => {
  const { at, share, guest } = await open();
  const path = await begun(at, guest, 10);
  await at.told(`PUT /share/${share.id}`, { asksName: true });
  expect(isGone(await append(at, guest, path, 0, 'x'))).toBe(gone);
  expect(isGone(await begin(at, guest, 1))).toBe(gone);
  await at.told(`DELETE /share/${share.id}`);
  expect(isGone(await append(at, guest, path, 0, 'x'))).toBe(gone);
  expect(await at.world.service.store.read('SELECT count(*) FROM share_upload')).toEqual([[0]]);
});

it('a guest who names a storage, a path or another collection in the metadata is not heard', async () => {
  const { at, collection, guest } = await open();
  const metadata = [
    'collection VlgtOTk=',
    `storage ${base64('VX-1')}`,
    `path ${base64('../x')}`,
    `filename ${base64('b.mp4')}`,
  ];
  const answer = await ask(at, guest, `POST /APInoauth/share/${guest.id}/upload`, {
    'upload-length': '1',
    'upload-metadata': metadata.join(),
  });
  expect(answer.status).toBe(201);
  const { pathname } = new URL(answer.headers.get('location')!, 'http://localhost');
  expect((await append(at, guest, pathname, 0, 'x')).status).toBe(204);
  expect((await at.told(`GET /collection/${collection}/item`)).item).toHaveLength(2);
});

it('refuses a length that is none, a name that is too long, and an upload without end of a guest', async () => {
  const { at, guest } = await open({ files: 1000, bytes: 1000 });
  for (const size of ['', '-1', '1e3', '1'.repeat(16)]) expect((await begin(at, guest, size)).status).toBe(400);
  expect((await begin(at, guest, 1, 'x'.repeat(256))).status).toBe(400);
  const rows = Array.from(
    { length: 100 },
    (_, at) => `('R-${at}', '${guest.id}', (SELECT max(id) FROM share_use), '', 0, 9e15)`,
  );
  const sql = `INSERT INTO share_upload (id, share_id, use_id, transfer_id, size, ends) VALUES ${rows}`;
  await at.world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: maker[0] });
  expect(isGone(await begin(at, guest, 1))).toBe('429 too-many-transfers');
});

it('a guest learns of the own files whether they can be read, and nothing of those of another guest', async () => {
  const { at, share, guest } = await open({ files: 3, bytes: 1_000 });
  const list = async (of: Guest) => {
    const { status, body } = await at.by(of.cookie, `GET /APInoauth/share/${of.id}/upload`);
    expect(status).toBe(200);
    return (JSON.parse(body).file ?? []) as Read[];
  };
  const path = await begun(at, guest, film.length);
  expect(await list(guest)).toEqual([]);
  await append(at, guest, path, 0, film);
  const upload = path.split('/').at(-1);
  expect(await list(guest)).toEqual([{ upload, name: 'a.mp4', state: 'READING' }]);
  await at.world.service.tick(100);
  expect(await list(guest)).toEqual([{ upload, name: 'a.mp4', state: 'UNREADABLE' }]);
  const later = await begin(at, guest, film.length, 'a.bin');
  const { pathname } = new URL(later.headers.get('location')!, 'http://localhost');
  await append(at, guest, pathname, 0, film);
  await at.world.service.tick(100);
  expect((await list(guest)).map(({ name, state }) => [name, state])).toEqual([
    ['a.bin', 'READ'],
    ['a.mp4', 'UNREADABLE'],
  ]);
  expect(await list(await at.guest(share.token, { name: 'Bo' }))).toEqual([]);
});
