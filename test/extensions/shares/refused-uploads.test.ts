import { expect, it } from 'vitest';
import { openWorld, type World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import { sendWell } from '../../support/ways.ts';
import { film, gone, isGone, type Opened, openShares, other } from './support.ts';

const upload = (at: Opened, { id, cookie }: { id: string; cookie: string }) =>
  at.by(cookie, `POST /APInoauth/share/${id}/file?filename=a.mp4`, {
    body: film,
    headers: { 'content-length': String(film.length) },
  });

/** Items, files and jobs of the database, and bytes that a scan of the storage finds. */
async function kept(world: World): Promise<readonly unknown[]> {
  await sendWell(world, { as: admin, request: 'POST /API/storage/VX-1/rescan' });
  await world.clock.advance(600_000);
  await world.service.tick(1_000);
  const [row] = await world.service.store.read(
    'SELECT (SELECT count(*) FROM item), (SELECT count(*) FROM file), (SELECT count(*) FROM job), (SELECT count(*) FROM publication)',
  );
  return row!.map(Number);
}

async function open(settings: object = {}) {
  const at = await openShares((options) => openWorld('fetch', options), { settings });
  const collection = await at.collection('Drop', await at.item('First'));
  const share = await at.share(`collection/${collection}`, { upload: { files: 20, bytes: 1_000 } });
  return { at, collection, share, guest: await at.guest(share.token) };
}

it('a guest whose uploads the collection refuses, eight times, leaves no item, no file, no job and no byte', async () => {
  const { at, share, guest } = await open({ maxCollectionMembers: 1 });
  const before = await at.world.sequence();
  for (let time = 0; time < 8; time++) {
    const { status, body } = await upload(at, guest);
    expect([status, body]).toEqual([507, expect.stringContaining('room in its collection')]);
  }
  expect(await kept(at.world)).toEqual([1, 0, 0, 0]);
  expect(await at.told(`GET /share/${share.id}`)).toMatchObject({ uploaded: { files: 0, bytes: 0 } });
  expect((await at.world.events(before)).map(({ name }) => name)).toEqual([]);
});

it('a guest whose maker loses WRITE on the collection while the bytes come leaves nothing', async () => {
  const { at } = await open();
  const { id: collection } = await at.told('POST /collection?name=Theirs', undefined, other);
  const grant = { user: 'maker', permission: 'WRITE' };
  const { id: entry } = await at.told(`POST /collection/${collection}/access`, grant, other);
  const share = await at.share(`collection/${collection}`, { upload: { files: 20, bytes: 1_000 } });
  const guest = await at.guest(share.token);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await at.told(`DELETE /collection/${collection}/access/${entry}`, undefined, other);
        controller.enqueue(new TextEncoder().encode(film));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const request = `POST /APInoauth/share/${guest.id}/file?filename=a.mp4`;
  const answer = await at.by(guest.cookie, request, { body, headers: { 'content-length': String(film.length) } });
  expect(isGone(answer)).toBe(gone);
  expect(await kept(at.world)).toEqual([1, 0, 0, 0]);
  expect(await at.told(`GET /share/${share.id}`)).toMatchObject({ uploaded: { files: 0, bytes: 0 } });
});

it('an upload is one commit: the item, its place in the collection and the event of the share', async () => {
  const { at, guest, collection } = await open();
  const before = await at.world.sequence();
  expect((await upload(at, guest)).status).toBe(200);
  const events = await at.world.events(before);
  const of = (name: string) => events.find((event) => event.name === name)!;
  const { itemId } = of('share/upload').payload as { itemId: string };
  expect(await at.told(`GET /collection/${collection}/item`)).toMatchObject({
    item: expect.arrayContaining([expect.objectContaining({ id: itemId })]),
  });
  const names = events.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['item/create', 'collection/modify', 'share/upload']));
  expect(new Set(events.map(({ user }) => user))).toEqual(new Set([`share:${guest.id}`]));
});
