import { expect, it } from 'vitest';
import { newItem } from '../../../support/assets.ts';
import { faultyDatabase } from '../../../support/databases.ts';
import { registered } from '../../../support/files.ts';
import { describeMatrix, type World } from '../../../support/matrix.ts';
import { migratedDatabase } from '../../../support/migrated.ts';
import { openWorld, receiving, register, told } from '../../../support/receiver.ts';
import { by, jsonOf, send, sqlIn } from '../../../support/requests.ts';
import { prepare } from '../../../support/scenario.ts';
import { worldOf } from '../../../support/world.ts';

const inASecond = ({ clock }: World) => new Date(clock.now() + 1000).toISOString();
const lock = (entity: string, expiryTime: string) => by(`POST /API/${entity}/deletion-lock`, { expiryTime });
const future = '2999-01-01T00:00:00.000Z';

describeMatrix('deletion locks', (entry) => {
  it('tell receivers when they are made, protect, change, expire and go', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    const trigger = { deletionLock: { create: '', modify: '', delete: '', effective: '', expire: '' } };
    await register(world, { url: `${receiver.address}/all` }, trigger, '/deletion-lock');
    await send(world, newItem());
    await send(world, lock('item/VX-1', future));
    await send(world, by('PUT /API/deletion-lock/VX-1', { expiryTime: inASecond(world) }));
    await world.service.tick();
    expect(receiver.received.map((each) => told(each)['action'])).toEqual(['CREATE', 'EFFECTIVE', 'MODIFY']);
    await world.clock.advance(1000);
    for (let round = 0; round < 3; round++) await world.service.tick();
    expect(told(receiver.received[3]!)).toMatchObject({
      action: 'EXPIRE',
      deletionLockId: 'VX-1',
      entityType: 'item',
      entityId: 'VX-1',
    });
    // The expired lock stays, and protects nothing.
    expect(await jsonOf(world, 'GET /API/deletion-lock/VX-1')).toMatchObject({ isExpired: true });
    await send(world, by('DELETE /API/item/VX-1'));
    await world.service.tick();
    expect(receiver.received.slice(4).map((each) => told(each)['action'])).toEqual(['DELETE']);
  });

  it('go when they expire, where the property says so, except those of files', async () => {
    const world = await worldOf('files', {}, entry.open);
    await prepare(world, registered('a.mov'));
    await send(world, newItem());
    const property = { key: 'autoRemoveExpiredDeletionLocks', value: 'true' };
    await send(world, by('PUT /API/configuration/properties', property));
    await send(world, lock('item/VX-1', inASecond(world)));
    await send(world, lock('file/VX-1', inASecond(world)));
    const before = (await world.events()).at(-1)!.sequence;
    await world.clock.advance(1000);
    for (let round = 0; round < 3; round++) await world.service.tick();
    expect((await world.events(before)).map(({ name, payload }) => `${name} ${payload['deletionLockId']}`)).toEqual([
      'deletionLock/expire VX-1',
      'deletionLock/delete VX-1',
      'deletionLock/expire VX-2',
    ]);
    expect(await jsonOf(world, 'GET /API/deletion-lock')).toMatchObject({ lock: [{ id: 'VX-2', entityType: 'File' }] });
  });
});

it('a lock that somebody extends while its end is told goes on, and is not removed', async () => {
  const database = faultyDatabase(await migratedDatabase());
  const world = await worldOf('files', { database });
  await send(world, newItem());
  await send(world, by('PUT /API/configuration/properties', { key: 'autoRemoveExpiredDeletionLocks', value: 'true' }));
  await send(world, lock('item/VX-1', inASecond(world)));
  const before = await world.sequence();
  let isExtended = false;
  database.beforeNextWrite(async () => {
    isExtended = true;
    await sqlIn(world, `UPDATE deletion_lock SET expires_at = 8e15`);
  }, 'AND told = 0 AND expires_at');
  await world.clock.advance(1000);
  for (let round = 0; round < 3; round++) await world.service.tick();
  expect([isExtended, await world.events(before)]).toEqual([true, []]);
  expect(await jsonOf(world, 'GET /API/deletion-lock')).toMatchObject({ lock: [{ id: 'VX-1', isExpired: false }] });
});

it('a locked file is copied and explicitly moved, and not taken elsewhere by its path', async () => {
  const world = await worldOf('files');
  world.storage.place('memory:///in/').put('a.mov', 'bytes');
  await prepare(world, registered('a.mov'));
  await send(world, lock('file/VX-1', future));
  const relocated = await world.send(by('POST /API/file/VX-1/path?path=b.mov'));
  expect([relocated.status, relocated.headers.get('portico-error')]).toEqual([409, 'entity-locked']);
  for (const [query, type] of [
    ['', 'COPY_FILE'],
    ['?move=true', 'MOVE_FILE'],
  ]) {
    const { jobId } = JSON.parse((await send(world, by(`POST /API/file/VX-1/storage/VX-2${query}`))).body) as {
      jobId: string;
    };
    for (let round = 0; round < 12; round++) {
      await world.service.tick();
      await world.clock.advance(10_000);
    }
    expect(await jsonOf(world, `GET /API/job/${jobId}`)).toMatchObject({ type, status: 'FINISHED' });
  }
});

it('a lock keeps a file, and the file of a locked item, at every call that would delete it', async () => {
  const world = await worldOf('files');
  await prepare(world, registered('a.mov', 'b.mov'));
  await send(world, newItem());
  const containerComponent = { file: [{ id: 'VX-1' }] };
  await send(world, by('POST /API/item/VX-1/shape/create', { containerComponent }));
  const refused = async (request: string) => {
    const { status, headers } = await world.send(by(request));
    expect([status, headers.get('portico-error')], request).toEqual([409, 'entity-locked']);
  };
  const calls = (file: string) => [`DELETE /API/file/${file}`, `PUT /API/storage/file/${file}/state/TO_BE_DELETED`];

  await send(world, lock('item/VX-1', future));
  const inherited = await jsonOf(world, 'GET /API/storage/file/VX-1/deletion-lock');
  expect(inherited).toMatchObject({ lock: [{ id: 'VX-1', entityType: 'Item', isInherited: true, isEffective: true }] });
  for (const request of calls('VX-1')) await refused(request);
  await send(world, by('DELETE /API/deletion-lock/VX-1'));

  await send(world, lock('file/VX-1', future));
  for (const request of [...calls('VX-1'), 'DELETE /API/item/VX-1', 'DELETE /API/item/VX-1/shape/VX-1']) {
    await refused(request);
  }
  await send(world, by('DELETE /API/file/VX-1/deletion-lock/VX-2'));
  await send(world, by('DELETE /API/item/VX-1'));

  await send(world, lock('storage/file/VX-2', future));
  await refused('DELETE /API/file/VX-2/entity');
  await send(world, by('DELETE /API/deletion-lock/VX-3'));
  await send(world, by('DELETE /API/file/VX-2/entity'));
});
