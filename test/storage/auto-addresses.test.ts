import { describe, expect, it, vi } from 'vitest';
import { ben, eve, past, soon, usage } from '../assets/usage/support.ts';
import { newUser } from '../support/cast.ts';
import { ask, done } from '../support/requests.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';
import { itemWith, openExports } from '../support/transfers.ts';
import type { RoomWorld } from '../support/world.ts';

const roles = ['_item_read', '_item_search', '_item_shape_read', '_item_uri'];
const hour = 3_600_000;
const film = 'bytes of in/a.mov';
const host = 'http://portico.test';

/** Ben reads an item with an original, and Eve, too, whom no terms stop. There is another item with a file. */
async function open() {
  const world = await openExports();
  await prepare(world, [newUser(ben, roles), newUser(eve, [...roles, '_usage_override'])]);
  const item = await itemWith(world, 'in/a.mov');
  await itemWith(world, 'in/b.mov');
  for (const [user] of [ben, eve])
    await done(world, ask(`POST /API/item/${item}/access`, { user, permission: 'READ' }));
  return { world, item, address: await addressFor(world, item) };
}

async function addressesFor(world: RoomWorld, item: string, as = ben): Promise<readonly string[]> {
  const { uri = [] } = await done<{ uri?: string[] }>(
    world,
    ask(`GET /API/item/${item}/uri?methodType=AUTO`, undefined, as),
  );
  return uri.map((each) => each.slice(host.length));
}

const addressFor = async (world: RoomWorld, item: string, as = ben): Promise<string> =>
  (await addressesFor(world, item, as))[0]!;

const get = async (world: RoomWorld, address: string, method = 'GET', headers = {}) =>
  world.send({ request: `${method} ${address}`, headers });

describe('an address by the method of type AUTO', () => {
  it('plays and downloads without credentials, in ranges, too, on pages of any origin', async () => {
    const { world, address } = await open();
    expect(address).toMatch(/^\/APInoauth\/storage\/VX-1\/file\/VX-1\/\d+~[\w-]{43}\/VX-1\.mov$/);
    const whole = await get(world, address);
    expect([whole.status, whole.body]).toEqual([200, film]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/quicktime',
      'content-disposition': 'inline',
      'accept-ranges': 'bytes',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const part = await get(world, address, 'GET', { range: 'bytes=9-10', accept: 'video/webm,video/*;q=0.9' });
    expect([part.status, part.body, part.headers.get('content-range')]).toEqual([206, 'in', 'bytes 9-10/17']);
    const head = await get(world, address, 'HEAD', { accept: 'application/json, text/plain, */*' });
    expect([head.status, head.body, head.headers.get('content-length')]).toEqual([200, '', '17']);
  });

  it('is the same for an hour, and lasts 12 at most', async () => {
    const { world, item, address } = await open();
    await world.clock.advance(hour / 2);
    expect(await addressFor(world, item)).toBe(address);
    await world.clock.advance(11 * hour);
    expect((await get(world, address)).status).toBe(200);
    expect(await addressFor(world, item)).not.toBe(address);
    await world.clock.advance(hour / 2);
    expect((await get(world, address)).status).toBe(403);
  });

  it('is made without a statement for each file', async () => {
    const { world } = await open();
    const reads = vi.spyOn(world.service.store, 'read');
    const countFor = async (number: number) => {
      reads.mockClear();
      const path = `/API/storage/VX-1/file?methodType=AUTO&number=${number}&count=false`;
      const { file } = await done<{ file: { uri: string[] }[] }>(world, ask(`GET ${path}`));
      expect(file.map(({ uri }) => uri.length)).toEqual(Array.from({ length: number }, () => 1));
      return reads.mock.calls.length;
    };
    for (let at = 0; at < 18; at++) await itemWith(world, `in/more-${at}.mp4`);
    const alone = await countFor(1);
    expect(alone).toBeGreaterThan(0);
    expect(await countFor(20)).toBe(alone);
  });

  it('has no key in the log', async () => {
    const { world, address } = await open();
    const [, key = ''] = /(\d+~[\w-]{43})/.exec(address) ?? [];
    await get(world, address);
    await get(world, address.replace('VX-1.mov', 'VX-1.mp4'));
    const uri = encodeURIComponent(host + address);
    await world.send(ask(`POST /API/import?uri=${uri}`));
    const lines = JSON.stringify(world.lines);
    expect(lines).toContain('/APInoauth/storage/VX-1/file/VX-1/***/VX-1.mov');
    expect(lines).not.toContain(key);
    const log = await world.send(ask('GET /API/log?path=/import'));
    expect(log.body).toContain('uri=');
    expect(log.body).not.toContain(key.slice(-43));
  });

  it('an altered address leads nowhere: another file, storage, end, ending, signature or method', async () => {
    const { world, address } = await open();
    const [, expires = '', signature = ''] = /\/(\d+)~([\w-]{43})\//.exec(address) ?? [];
    const seal = `${expires}~${signature}`;
    for (const [altered, status] of [
      [address.replace('/file/VX-1/', '/file/VX-2/'), 403],
      [address.replace('/file/VX-1/', '/file/VX-2/').replace('VX-1.mov', 'VX-2.mov'), 403],
      [address.replace('/file/VX-1/', '/file/VX-99/'), 403],
      [address.replace('/storage/VX-1/', '/storage/VX-2/'), 404],
      [address.replace(expires, String(Number(expires) + 3600)), 403],
      [address.replace(expires, `0${expires}`), 403],
      [address.replace('~', '-above~'), 403],
      [address.replace(seal, ''), 404],
      [address.replace(seal, '0~'), 403],
      [address.replace(seal, `${expires}~${signature.slice(1)}`), 403],
      [address.replace(seal, `${expires}~${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`), 403],
      [address.replace(seal, `${seal}~${signature}`), 403],
      [address.replace('.mov', '.html'), 404],
      [address.replace('.mov', ''), 404],
      [`${address}/more`, 404],
    ] as const)
      expect([altered, (await get(world, altered)).status]).toEqual([altered, status]);
    for (const method of ['PUT', 'POST', 'DELETE'])
      expect([method, (await get(world, address, method)).status]).toEqual([method, 405]);
    expect((await get(world, address)).body).toBe(film);
  });

  it('the key of another address opens nothing else: a link to write, another file, or a stream', async () => {
    const { world, address } = await open();
    const seal = /\d+~[\w-]{43}/;
    for (const query of ['?write=true', '']) {
      const { uri } = await done<{ uri: [string] }>(world, ask(`POST /API/file/VX-2/uri${query}`));
      const { searchParams } = new URL(uri[0]);
      const stolen = address.replace(seal, `${searchParams.get('expires')}~${searchParams.get('signature')}`);
      expect([query, (await get(world, stolen)).status]).toEqual([query, 403]);
    }
    const { uri } = await done<{ uri: [string] }>(world, ask('POST /API/file/VX-1/uri?write=true'));
    const { searchParams } = new URL(uri[0]);
    const written = address.replace(seal, `${searchParams.get('expires')}~${searchParams.get('signature')}`);
    expect((await get(world, written)).status).toBe(403);
  });

  it('nobody gets one to a file that he may not read', async () => {
    const { world } = await open();
    const other = 'GET /API/item/VX-2';
    for (const path of ['/uri?methodType=AUTO', '?content=uri,shape&methodType=AUTO'])
      expect((await world.send(ask(other + path, undefined, ben))).status).toBe(403);
    const list = ask('GET /API/item?content=uri,shape&methodType=AUTO', undefined, ben);
    expect((await world.send(list)).body.match(/\/file\/VX-\d+\//g)).toEqual(['/file/VX-1/', '/file/VX-1/']);
    expect((await world.send(ask('GET /API/file/VX-1?methodType=AUTO', undefined, ben))).status).toBe(403);
  });

  it('ends with the rights of its file, and is not made where these have ended', async () => {
    const { world, item, address } = await open();
    const above = await addressFor(world, item, eve);
    await done(world, usage(`item/${item}`, { usableUntil: soon }, admin));
    // The end comes into new addresses, and closes the old ones.
    const bounded = await addressFor(world, item);
    expect(bounded).toContain(`/${Date.parse(soon) / 1000}~`);
    expect((await get(world, bounded)).status).toBe(200);
    await world.clock.advance(2 * hour);
    for (const each of [address, bounded, above]) expect([each, (await get(world, each)).status]).toEqual([each, 403]);
    expect(await addressesFor(world, item)).toEqual([]);
    await done(world, usage(`item/${item}`, { usableUntil: past }, admin));
    expect(await addressesFor(world, item)).toEqual([]);
    const free = await addressFor(world, item, eve);
    expect(free).toContain('-above~');
    expect((await get(world, free)).status).toBe(200);
  });

  it('leads nowhere once its file is deleted', async () => {
    const { world, address } = await open();
    await done(world, ask('DELETE /API/file/VX-1'));
    expect((await get(world, address)).status).toBe(404);
  });
});
