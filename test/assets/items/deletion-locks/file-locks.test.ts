import { beforeEach, expect, it } from 'vitest';
import { newUser } from '../../../support/cast.ts';
import { ended } from '../../../support/files.ts';
import { asking, done, rowsOf } from '../../../support/requests.ts';
import { prepare } from '../../../support/scenario.ts';
import { admin, type Credentials } from '../../../support/service.ts';
import { start } from '../../../support/transfers.ts';
import { importer, type RoomWorld, worldOf } from '../../../support/world.ts';

const ask = asking(importer);

const locks = ['_deletion_lock_write', '_deletion_lock_read'];
const locker: Credentials = ['locker', 'p'];
const keeper: Credentials = ['keeper', 'p'];
const owner: Credentials = ['owner', 'p'];
const json = { accept: 'application/json', 'content-type': 'application/json' };
const forever = JSON.stringify({ expiryTime: '2099-01-01T00:00:00.000Z' });

let world: RoomWorld;
beforeEach(async () => {
  world = await worldOf('imports');
  const imports = ['_import', '_item_read', '_item_write', '_item_shape_read'];
  await prepare(world, [
    newUser(locker, [...locks, ...imports]),
    newUser(keeper, [...locks, '_file_write']),
    newUser(owner, [...locks, ...imports]),
  ]);
  world.from.put('clip.txt', 'clip');
  const job = await start(world, ask('POST /API/import?uri=memory:///in/clip.txt', undefined, owner));
  expect((await ended(world, job.jobId)).status).toBe('FINISHED');
});

const send = async (request: string, as: Credentials, body?: string) =>
  world.send({ ...ask(request, body, as), headers: json });
const lock = (as: Credentials, file = 'VX-1') => send(`POST /API/file/${file}/deletion-lock`, as, forever);
const grant = (permission: string, as: Credentials) =>
  done<{ id: string }>(world, {
    ...ask('POST /API/item/VX-1/access', JSON.stringify({ user: as[0], permission }), admin),
    headers: json,
  });

it('nobody locks a file of an item without ALL on it, also with _file_write', async () => {
  const before = await world.sequence();
  expect([(await lock(locker)).status, (await lock(keeper)).status]).toEqual([403, 403]);
  expect(await world.sequence()).toBe(before);
  await grant('WRITE', locker);
  expect((await lock(locker)).status).toBe(403);
  await grant('ALL', locker);
  expect((await lock(locker)).status).toBe(200);
});

it('a file that no item uses is locked with _file_write, and not without', async () => {
  world.from.put('free.txt', 'free');
  await prepare(world, [ask('POST /API/storage/VX-1/file?path=free.txt&state=CLOSED', undefined, importer)]);
  const [, free] = (await rowsOf(world, 'file')).map(({ id }) => String(id));
  expect([(await lock(locker, free)).status, (await lock(keeper, free)).status]).toEqual([403, 200]);
});

it('the owner of an item lifts the lock that others set on its file', async () => {
  const { id } = await grant('ALL', locker);
  const set = JSON.parse((await lock(locker)).body) as { id: string };
  await done(world, ask(`DELETE /API/item/VX-1/access/${id}`, undefined, admin));
  expect((await send(`PUT /API/file/VX-1/deletion-lock/${set.id}`, locker, forever)).status).toBe(403);
  expect((await send(`DELETE /API/file/VX-1/deletion-lock/${set.id}`, keeper)).status).toBe(403);
  expect((await send(`PUT /API/file/VX-1/deletion-lock/${set.id}`, owner, forever)).status).toBe(403);
  expect((await send(`DELETE /API/file/VX-1/deletion-lock/${set.id}`, owner)).status).toBe(200);
  expect(await rowsOf(world, 'deletion_lock')).toEqual([]);
});

it('attack: who has ALL on an item, and is not its owner, lifts no lock of another user on its file', async () => {
  const set = JSON.parse((await lock(owner)).body) as { id: string };
  await grant('ALL', locker);
  const refused = await send(`DELETE /API/file/VX-1/deletion-lock/${set.id}`, locker);
  expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('a deletion lock of the user locker')]);
  expect(await rowsOf(world, 'deletion_lock')).toHaveLength(1);
});
