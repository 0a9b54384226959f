import { expect, it } from 'vitest';
import { settle } from '../../support/clock.ts';
import { openWorld } from '../../support/matrix.ts';
import { bodyOf } from '../../support/requests.ts';
import { film, gone, isGone, maker, type Opened, openShares, type Read } from './support.ts';

async function open(document: object = {}) {
  const at = await openShares((options) => openWorld('fetch', options));
  const item = await at.item('First');
  const collection = await at.collection('Drop', item);
  const share = await at.share(`collection/${collection}`, document);
  return { at, share };
}

/** As a browser at an address sends it. */
async function by(at: Opened, address: string, cookie: string, request: string, init: RequestInit = {}) {
  const [method = '', target = ''] = request.split(' ');
  const headers = {
    accept: 'application/json',
    host: 'localhost',
    'sec-fetch-site': 'same-origin',
    ...(cookie !== '' && { cookie }),
    ...(init.headers as Readonly<Record<string, string>>),
  };
  const sent = new Request(`http://localhost${target}`, { ...init, method, headers, duplex: 'half' } as RequestInit);
  return at.world.service.fetch(sent, { rawTarget: target, address });
}

const enter = (at: Opened, token: string, address: string) =>
  by(at, address, '', 'POST /APInoauth/share', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });

async function enterFrom(at: Opened, token: string, address: string) {
  const answer = await enter(at, token, address);
  expect(answer.status).toBe(200);
  return { id: ((await answer.json()) as { id: string }).id, cookie: answer.headers.get('set-cookie')!.split(';')[0]! };
}

it('a neighbour comes in by a link again and again, to push a guest of the same network out: slowed by address and link', async () => {
  const { at, share } = await open();
  const other = await at.share('collection/VX-1');
  const guest = await enterFrom(at, share.token, '192.0.2.7');
  const before = await at.world.sequence();
  const statuses = async (address: string, times: number) => {
    const all: number[] = [];
    for (let turn = 0; turn < times; turn++) all.push((await enter(at, share.token, address)).status);
    return [200, 429].map((status) => all.filter((each) => each === status).length);
  };
  expect(await statuses('192.0.2.9', 103)).toEqual([100, 3]);
  expect(await statuses('192.0.2.10', 103)).toEqual([99, 4]);
  // A refused entrance changes nothing, and says when to come again.
  expect(await at.world.events(before)).toHaveLength(199);
  const { headers } = await enter(at, share.token, '192.0.2.7');
  expect([headers.get('retry-after'), headers.get('set-cookie')]).toEqual(['120', null]);
  // Other networks, and other links, are free. A guest who is in stays in.
  await enterFrom(at, share.token, '198.51.100.1');
  await enterFrom(at, other.token, '192.0.2.9');
  expect((await at.get(guest, '/item')).status).toBe(200);
  await at.world.clock.advance(120_000);
  expect(await statuses('192.0.2.9', 2)).toEqual([1, 1]);
  // So one network has 920 of the 1,000 uses that are kept when the stay of the guest ends.
  const { use } = await at.told(`GET /share/${share.id}/use?number=1000`);
  expect(use.at(-1)).toMatchObject({ address: '192.0.2.7' });
});

it('a crowd from one network, 1,005 entrances, neither pushes another guest out nor hides that guest among the uses', async () => {
  const { at, share } = await open();
  const guest = await enterFrom(at, share.token, '192.0.2.7');
  const first = await enterFrom(at, share.token, '2001:db8:1::1');
  const { store } = at.world.service;
  const [[network] = []] = await store.read('SELECT network FROM share_use ORDER BY id DESC LIMIT 1');
  const crowd = `INSERT INTO share_use (share_id, digest, at, until, network)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 996) SELECT ?, 'D-' || i, 0, 0, ? FROM n`;
  await store.commit({ changes: [{ sql: crowd, args: [share.id, network!] }], events: [] }, { user: 'test' });
  for (let turn = 1; turn <= 8; turn++) await enterFrom(at, share.token, `2001:db8:${turn}::1`);
  expect((await at.get(guest, '/item')).status).toBe(200);
  expect(isGone(await at.get(first, '/item'))).toBe(gone);
  const uses = await store.read('SELECT address FROM share_use');
  expect(uses).toHaveLength(1_000);
  expect(uses.flat()).toContain('192.0.2.7');
});

/** An upload that sends one byte, and nothing more. */
function idleUpload(at: Opened, { id, cookie }: { id: string; cookie: string }, address: string, size = film.length) {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1)),
  });
  const headers = { 'content-length': String(size) };
  return by(at, address, cookie, `POST /APInoauth/share/${id}/file?filename=idle.mp4`, { body, headers });
}

const upload = (at: Opened, { id, cookie }: { id: string; cookie: string }, address: string) =>
  by(at, address, cookie, `POST /APInoauth/share/${id}/file?filename=a.mp4`, {
    body: film,
    headers: { 'content-length': String(film.length) },
  });

const turns = async () => {
  for (let turn = 0; turn < 50; turn++) await settle();
};

it('one guest sends four files at a time, and idle ones make room for the next', async () => {
  const { at, share } = await open({ upload: { files: 50, bytes: 1_000_000 } });
  const guest = await enterFrom(at, share.token, '192.0.2.7');
  const idle = Array.from({ length: 4 }, () => idleUpload(at, guest, '192.0.2.7'));
  await turns();
  expect((await upload(at, guest, '192.0.2.7')).status).toBe(429);
  await at.world.clock.advance(30_000);
  expect((await upload(at, guest, '192.0.2.7')).status).toBe(200);
  expect((await Promise.race(idle)).status).toBe(408);
});

it('fifty idle uploads of a byte do not hold a drop link: neither its places nor its bytes', async () => {
  const { at, share } = await open({ upload: { files: 60, bytes: 50 * film.length } });
  const crowd: { id: string; cookie: string }[] = [];
  for (let guest = 0; guest < 13; guest++) crowd.push(await enterFrom(at, share.token, '2001:db8::1'));
  const idle = Array.from({ length: 50 }, (_, turn) => idleUpload(at, crowd[turn % 13]!, '2001:db8::1'));
  await turns();
  expect(bodyOf<Read>(await at.get(crowd[0]!)).upload.files).toBe(10);
  const guest = await enterFrom(at, share.token, '192.0.2.7');
  // Another network makes room at once.
  expect((await upload(at, guest, '192.0.2.7')).status).toBe(200);
  expect((await Promise.race(idle)).status).toBe(408);
  // All bytes are taken: those that send nothing give theirs back.
  expect((await upload(at, guest, '192.0.2.7')).status).toBe(507);
  await at.world.clock.advance(30_000);
  expect((await upload(at, guest, '192.0.2.7')).status).toBe(200);
  expect((await Promise.all(idle)).map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 408));
  expect(await at.told(`GET /share/${share.id}`, undefined, maker)).toMatchObject({ uploaded: { files: 2 } });
});
