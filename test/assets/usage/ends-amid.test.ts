import { describe, expect, it } from 'vitest';
import { opened, renderer, segment } from '../../extensions/sequences/conforming/rendering.ts';
import { film, openShares } from '../../extensions/shares/support.ts';
import { addresses, addressOf, open, read, streamed } from '../../extensions/streaming/support.ts';
import { newUser } from '../../support/cast.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { openWorld } from '../../support/matrix.ts';
import { asking, bodyOf, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { whyOf } from '../../support/transfers.ts';
import { begin, hour, later, past, soon, usage } from './support.ts';

const ask = asking(admin);
const dan: Credentials = ['dan', 'p'];
const roles = ['_item_read', '_item_shape_read', '_metadata_read', '_share_read', '_share_write'];
const item = 'VX-100';

/** A film with a stream, which Dan plays, downloads and shares. `more`: roles of his. */
async function played(...more: readonly string[]) {
  const { world, shapeId, original } = await streamed();
  await prepare(world, [newUser(dan, [...roles, ...more])]);
  await done(world, ask(`POST /API/item/${item}/access`, { user: 'dan', permission: 'READ' }));
  const set = (terms: object, entity = `item/${item}`) => done(world, usage(entity, terms, admin));
  const shared = await done<{ token: string }>(
    world,
    ask(`POST /API/item/${item}/share`, { play: ['__hls'], download: ['original'] }, dan),
  );
  /** As a browser sends it. */
  const by = (request: string, cookie = '', body?: object) => {
    const headers = { accept: 'application/json, */*;q=0.5', host: 'localhost', 'sec-fetch-site': 'same-origin' };
    return world.send({ request, body, headers: { ...headers, ...(cookie !== '' && { cookie }) } });
  };
  const entered = await by('POST /APInoauth/share', '', { token: shared.token });
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  const { id } = bodyOf<{ id: string }>(entered);
  const guest = (path: string) => by(`GET /APInoauth/share/${id}${path}`, cookie);
  return { world, shapeId, original, set, guest };
}

const status = async (answer: Promise<{ readonly status: number; readonly headers: Headers }>) => {
  const { status, headers } = await answer;
  return `${status} ${headers.get('portico-error') ?? ''}`.trim();
};
const closed = '403 not-usable';

describe('an item whose rights end while a stream plays, a ZIP runs and a share is open', () => {
  it('is left by all of them at that time, and by nobody before', async () => {
    const { world, original, set, guest } = await played();
    await set({ usableUntil: begin, reason: 'Licence' });
    const manifest = (await read(world, '?duration=720', undefined, dan)).body;
    const playlist = addressOf(manifest, '480p');
    const [segments] = addresses((await open(world, playlist)).body);
    const ofGuest = addressOf((await guest(`/item/${item}/stream`)).body, '480p');
    const { uri } = await done<{ uri: string }>(
      world,
      ask('POST /API/item/archive', { item: [item], tag: ['original', '__hls'] }, dan),
    );
    const zip = (await world.service.fetch(new Request(uri))).body!.getReader();
    for (let count = 0; count < 2; count++) expect((await zip.read()).done).toBe(false);
    for (const each of [playlist, segments!, ofGuest]) expect(await status(open(world, each))).toBe('200');
    const bytes = `/item/${item}/shape/${original}`;
    expect(await status(guest(bytes))).toBe('200');
    // Addresses end with the rights, although the manifest was to last twelve hours.
    for (const each of [playlist, segments!, ofGuest])
      expect(Number(/grant=(\d+)/.exec(each)![1]) * 1000).toBe(Date.parse(begin));

    await world.clock.advance(hour - 1);
    expect(await status(open(world, segments!))).toBe('200');
    await world.clock.advance(1);
    for (const each of [playlist, segments!, ofGuest]) expect(await status(open(world, each))).toBe('403 not-allowed');
    let late = '';
    const rest = async () => {
      for (;;) {
        const { done, value } = await zip.read();
        if (done) return;
        late += Buffer.from(value).toString('latin1');
      }
    };
    await expect(rest()).rejects.toThrow('An archive broke off: the log says why');
    // The head of the next file is the last that comes: 30 bytes, and the name whose length they have.
    const head = late.lastIndexOf('PK\x03\x04');
    expect([head >= 0, late.length - head]).toEqual([true, 30 + late.charCodeAt(head + 26)]);
    expect(await status(read(world, '', 'application/vnd.apple.mpegurl, application/json', dan))).toBe(closed);
    for (const path of [bytes, `/item/${item}/stream`]) expect(await status(guest(path))).toBe(closed);
    const shown = bodyOf<{ shape?: unknown[]; waits: boolean }>(await guest(`/item/${item}`));
    expect([shown.shape ?? [], shown.waits]).toEqual([[], true]);
    const next = await done<{ uri: string; files: number; leftOut: number }>(
      world,
      ask('POST /API/item/archive', { item: [item] }, dan),
    );
    const list = await (await world.service.fetch(new Request(next.uri))).text();
    expect([next.files, next.leftOut, list]).toEqual([
      ...[0, 1],
      expect.stringMatching(/not-included\.txt.*: Expected a use before .*, when its rights ended: "Licence"/s),
    ]);
  });

  it('is left earlier where the time is moved while addresses last', async () => {
    const { world, set, guest } = await played();
    const playlist = addressOf((await read(world, '', undefined, dan)).body, '480p');
    const [segments] = addresses((await open(world, playlist)).body);
    const ofGuest = addressOf((await guest(`/item/${item}/stream`)).body, '480p');
    await set({ usableUntil: past });
    for (const each of [playlist, segments!, ofGuest]) expect(await status(open(world, each))).toBe(closed);
    await set({ usableUntil: later });
    const { status: code, headers } = await open(world, segments!);
    expect([code, headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  });

  it('plays on for who is above the terms, and for no guest of theirs', async () => {
    const { world, set, guest } = await played('_usage_override');
    await set({ usableUntil: begin });
    const playlist = addressOf((await read(world, '', undefined, dan)).body, '480p');
    const ofGuest = addressOf((await guest(`/item/${item}/stream`)).body, '480p');
    await world.clock.advance(hour);
    const [segments] = addresses((await open(world, playlist)).body);
    expect([await status(open(world, playlist)), await status(open(world, segments!))]).toEqual(['200', '200']);
    expect(await status(open(world, ofGuest))).toBe('403 not-allowed');
    expect(await status(guest(`/item/${item}/stream`))).toBe(closed);
    // An address of everybody does not become one of those above the terms.
    const forged = playlist.replace('-above', '');
    expect(await status(open(world, forged))).toBe('403 not-allowed');
  });
});

describe('a guest of a share', () => {
  it('gets no picture, no bytes and no archive outside of the rights, and all of them within', async () => {
    const at = await openShares((options) => openWorld('fetch', options));
    const [first, second] = [await at.item('First'), await at.item('Second')];
    const shapes = [await at.shape(first, 'original'), await at.shape(second, 'original')];
    const collection = await at.collection('Both', first, second);
    const { token } = await at.share(`collection/${collection}`, { download: ['original'] });
    const guest = await at.guest(token);
    const set = (entity: string, terms: object) => at.told(`PUT /${entity}/usage`, terms, admin);
    await set(`item/${first}`, { usableFrom: soon, reason: 'Embargo' });
    const bytes = (index: number) => at.get(guest, `/item/${[first, second][index]}/shape/${shapes[index]}`);
    const refused = await bytes(0);
    expect([refused.status, refused.body]).toEqual([
      403,
      expect.stringContaining('when its rights begin: \\"Embargo\\"'),
    ]);
    expect(await status(at.get(guest, `/item/${first}/picture`))).toBe(closed);
    expect((await bytes(1)).body).toBe(film);
    const archive = (await at.get(guest, '/archive')).body;
    expect([archive.split(film).length - 1, archive]).toEqual([
      1,
      expect.stringContaining('First: Expected a use from'),
    ]);
    expect(await status(at.send(`POST /item/${first}/share`, {}))).toBe(closed);
    expect(await status(at.send('POST /share', { selection: [second, first] }))).toBe(closed);
    await set(`collection/${collection}`, { usableUntil: past });
    expect(await status(bytes(1))).toBe(closed);
    expect(await status(at.send(`POST /collection/${collection}/share`, {}))).toBe(closed);
    await at.told(`DELETE /collection/${collection}/usage`, undefined, admin);
    await at.world.clock.advance(2 * hour);
    expect((await bytes(0)).body).toBe(film);
  });
});

describe('a rendering of an item whose rights', () => {
  const cut = { track: [{ segment: [segment('VX-101', 0, 50)] }] };
  const render = 'POST /API/sequence/render?tag=cut&destinationItem=VX-100';

  async function granted() {
    const world = await opened(cut);
    for (const [id, permission] of [
      ['VX-100', 'WRITE'],
      ['VX-101', 'READ'],
    ])
      await done(world, ask(`POST /API/item/${id}/access`, { permission, user: renderer[0] }));
    return world;
  }

  it('ended is refused, and one that was ordered before fails', async () => {
    const world = await granted();
    const { jobId } = await done<JobSeen>(world, ask(`${render}&holdJob=true`, { sequence: cut }, renderer));
    await done(world, usage('item/VX-101', { usableUntil: past, reason: 'Licence' }, admin));
    expect(await status(world.send(ask(render, { sequence: cut }, renderer)))).toBe(closed);
    await done(world, ask(`PUT /API/job/${jobId}?status=READY`));
    const end = await ended(world, jobId);
    expect([end.status, whyOf(end)]).toEqual(['FAILED_TOTAL', expect.stringContaining('its rights ended: "Licence"')]);
    expect(world.fake.joinOrders).toEqual([]);
  });
});
