import { expect, it } from 'vitest';
import { storageError } from '../../../src/kit/testing/storage/memory-storage.ts';
import { newUser } from '../../support/cast.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { openTranscoding, setPreset, withOriginal } from '../../support/media.ts';
import type { Receiver, ScriptedAnswer } from '../../support/receiver.ts';
import { receiving, told } from '../../support/receiver.ts';
import { ask, done, json } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import type { RoomWorld, WorldOptions } from '../../support/world.ts';

const curious: Credentials = ['curious', 'password of curious'];

/** A receiver that names the new files of all storages, and whose notification a user registers. */
async function naming(world: RoomWorld, answer: ScriptedAnswer, as: Credentials = admin): Promise<Receiver> {
  const receiver = await receiving();
  receiver.script(answer);
  const action = { http: { url: receiver.address, contentType: 'application/json' } };
  const body = { action, trigger: { storage: { filename: '' } } };
  await done(world, { as, headers: json, request: 'POST /API/storage/notification', body });
  await world.clock.advance(1);
  return receiver;
}

async function opened(options: WorldOptions = {}) {
  const world = await openTranscoding({ settings: { outboundAllow: ['127.0.0.1'] }, ...options });
  await withOriginal(world);
  await setPreset(world, 'lowres');
  return world;
}

const transcode = async (world: Awaited<ReturnType<typeof opened>>) =>
  ended(world, (await done<JobSeen>(world, ask('POST /API/item/VX-100/transcode?tag=lowres&storageId=VX-2'))).jobId);

const shapeOf = (job: JobSeen) => job.data!.find(({ key }) => key === 'shapeIds')!.value;

it('a notification that names the file of a transcode gets the item, its metadata, the tag and the shape', async () => {
  const world = await opened();
  const receiver = await naming(world, { body: 'harbour_low' });
  const job = await transcode(world);
  expect(job.status).toBe('FINISHED');
  expect([...world.to.files.keys()]).toEqual([expect.stringMatching(/^harbour_low\./)]);
  const seen = told(receiver.received[0]!);
  expect(seen).toMatchObject({ action: 'FILENAME', storageId: 'VX-2', itemId: 'VX-100', shapeTag: 'lowres' });
  expect(seen['shapeId']).toBe(shapeOf(job));
  expect(seen['metadata']).toMatch(/^<\?xml.*<MetadataDocument.*shapeTag<\/name>.*original/s);
});

it('a file that is named again is of the same shape', async () => {
  let breaks = 1;
  const scheme: WorldOptions['scheme'] = (inner) => ({
    ...inner,
    open(...given) {
      const driver = inner.open(...given);
      const stat = async (path: string) => {
        if (path.startsWith('harbour') && breaks-- > 0) throw storageError('offline', 'gone for now');
        return driver.stat(path);
      };
      return { ...driver, stat };
    },
  });
  const world = await opened({ scheme });
  const receiver = await naming(world, { body: 'harbour_low' });
  receiver.script({ body: 'harbour_low' });
  const job = await transcode(world);
  expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
  const seen = receiver.received.map((request) => told(request)['shapeId']);
  expect(seen).toEqual([shapeOf(job), shapeOf(job)]);
});

it('the script of a storage is told the shape of a transcode', async () => {
  const world = await opened();
  await done(world, {
    ...ask('PUT /API/storage/VX-2/metadata/filenameScript', '"of-" + context.getShape().getId()'),
    headers: { 'content-type': 'text/plain' },
  });
  const job = await transcode(world);
  expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
  expect([...world.to.files.keys()]).toEqual([`of-${shapeOf(job)}`]);
});

it('a notification of somebody who may not read an item is not told its metadata', async () => {
  const world = await opened();
  await prepare(world, [
    newUser(curious, ['_storage_read', '_storage_write', '_storage_notification_read', '_storage_notification_write']),
  ]);
  const receiver = await naming(world, { body: 'mine' }, curious);
  expect((await transcode(world)).status).toBe('FINISHED');
  const seen = told(receiver.received[0]!);
  expect(seen).toMatchObject({ itemId: 'VX-100', shapeTag: 'lowres' });
  expect(seen).not.toHaveProperty('metadata');
});

it('a receiver that fails is named in the log of the transcode', async () => {
  const world = await opened();
  await naming(world, { status: 500, body: 'x' });
  const job = await transcode(world);
  expect(job.status).toBe('FINISHED');
  expect(JSON.stringify(job.log)).toMatch(/Expected the notification VX-\d+ to name the file VX-\d+: \S+ 500/);
});
