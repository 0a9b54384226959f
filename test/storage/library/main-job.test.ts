import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { ended, type JobSeen } from '../../support/files.ts';
import { fieldsOf, openTranscoding, setPreset } from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { decoded } from './decoded.ts';
import { film, mediaWorld } from './world.ts';

const { transcoder, host } = mediaWorld();

it('a film becomes an item that a search finds, with a thumbnail and a web proxy, and is exported', async () => {
  const world = await openTranscoding({ transcoders: [transcoder], media: host });
  const bytes = film('short');
  world.from.put('harbour.mp4', bytes);
  await setPreset(world, 'web', {
    format: 'mp4',
    video: { codec: 'h264', bitrate: 300_000, scaling: { width: 160, height: 90 } },
  });
  const query = 'uri=memory:///in/harbour.mp4&tag=web&storageId=VX-2';
  const job = await ended(world, (await done<JobSeen>(world, ask(`POST /API/import?${query}`))).jobId);
  expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
  await world.service.tick();

  const found = await done<{ hits: number; item: { id: string }[] }>(world, ask('PUT /API/item', { text: 'harbour' }));
  expect(found.hits).toBe(1);
  const item = found.item[0]!.id;
  const { representativeThumbnail = '', durationSeconds } = await fieldsOf(world, item);
  expect(Number(durationSeconds)).toBeCloseTo(3, 1);
  const [user, password] = admin;
  const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}`, accept: 'image/jpeg' };
  const answer = await world.service.fetch(new Request(`http://localhost${representativeThumbnail}`, { headers }));
  const picture = await decoded(new Uint8Array(await answer.arrayBuffer()));
  expect(picture).toMatchObject({ width: 320, height: 180 });
  expect(Math.max(...picture.left), 'it is not black').toBeGreaterThan(190);

  const uri = encodeURIComponent('memory:///out/delivery/');
  for (const tag of ['original', 'web']) {
    const { jobId } = await done<JobSeen>(world, ask(`POST /API/item/${item}/export?uri=${uri}&tag=${tag}`));
    const end = await ended(world, jobId);
    expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
  }
  const sha1 = (given: Uint8Array) => createHash('sha1').update(given).digest('hex');
  const exported = [...world.to.files].filter(([path]) => path.startsWith('delivery/'));
  const rows = await world.service.store.read('SELECT hash FROM file JOIN file_use ON file_id = file.id');
  expect(exported.map(([, file]) => sha1(file.bytes)).sort()).toEqual([...new Set(rows.map(([hash]) => hash))].sort());
  expect(exported.map(([, file]) => sha1(file.bytes))).toContain(sha1(bytes));
});
