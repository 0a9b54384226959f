import { expect, it } from 'vitest';
import { done, ended, type JobSeen, type JobsWorld, json } from '../media/jobs/world.ts';
import { receiving, told } from '../notifications/delivery/world.ts';
import { newUser } from '../support/cast.ts';
import type { Receiver, ScriptedAnswer } from '../support/receiver.ts';
import { prepare } from '../support/scenario.ts';
import { admin, type Credentials } from '../support/service.ts';
import { ask, openTranscoding, setPreset, withOriginal } from './world.ts';

const curious: Credentials = ['curious', 'password of curious'];

/** A receiver that names the new files of all storages, and whose notification a user registers. */
async function naming(world: JobsWorld, answer: ScriptedAnswer, as: Credentials = admin): Promise<Receiver> {
  const receiver = await receiving();
  receiver.script(answer);
  const action = { http: { url: receiver.address, contentType: 'application/json' } };
  const body = { action, trigger: { storage: { filename: '' } } };
  await done(world, { as, headers: json, request: 'POST /API/storage/notification', body });
  await world.clock.advance(1);
  return receiver;
}

async function opened() {
  const world = await openTranscoding({ settings: { outboundAllow: ['127.0.0.1'] } });
  await withOriginal(world);
  await setPreset(world, 'lowres');
  return world;
}

const transcode = async (world: Awaited<ReturnType<typeof opened>>) =>
  ended(world, (await done<JobSeen>(world, ask('POST /API/item/VX-100/transcode?tag=lowres&storageId=VX-2'))).jobId);

it('N13 who names the file of a transcode is told the item, its metadata and the tag', async () => {
  const world = await opened();
  const receiver = await naming(world, { body: 'harbour_low' });
  expect((await transcode(world)).status).toBe('FINISHED');
  expect([...world.to.files.keys()]).toEqual([expect.stringMatching(/^harbour_low\./)]);
  const seen = told(receiver.received[0]!);
  expect(seen).toMatchObject({ action: 'FILENAME', storageId: 'VX-2', itemId: 'VX-100', shapeTag: 'lowres' });
  expect(seen['metadata']).toMatch(/^<\?xml.*<MetadataDocument.*shapeTag<\/name>.*original/s);
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

it('N13 a receiver that fails is named in the log of the transcode', async () => {
  const world = await opened();
  await naming(world, { status: 500, body: 'x' });
  const job = await transcode(world);
  expect(job.status).toBe('FINISHED');
  expect(JSON.stringify(job.log)).toMatch(/Expected the notification VX-\d+ to name the file VX-\d+: \S+ 500/);
});
