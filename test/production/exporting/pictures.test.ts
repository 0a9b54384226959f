import { expect, it } from 'vitest';
import type { JobSeen } from '../../support/files.ts';
import { ask, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { exported, itemWith, openExports, urisOf, whyOf } from '../../support/transfers.ts';
import { exporter, type RoomWorld } from '../../support/world.ts';
import { fakeTranscoder, jpeg, png } from '../transcoding/fake-transcoder.ts';

const out = encodeURIComponent('memory:///out/web/');

async function withPictures(): Promise<{ world: RoomWorld; item: string; fake: ReturnType<typeof fakeTranscoder> }> {
  const fake = fakeTranscoder();
  const world = await openExports({}, { transcoders: [fake] });
  const item = await itemWith(world, 'in/a.mov');
  await done(world, ask(`PUT /API/item/${item}/thumbnailresource`));
  for (const [kind, bytes] of [
    ['thumbnail', png],
    ['poster', jpeg('poster')],
  ] as const) {
    const headers = { accept: 'text/plain', 'content-type': 'application/octet-stream' };
    const sent = await world.send({
      as: admin,
      headers,
      request: `PUT /API/${kind}/VX-1/${item}/250@PAL`,
      body: bytes,
    });
    expect(sent.status, sent.body).toBe(200);
  }
  return { world, item, fake };
}

it('a thumbnail or a poster goes to a folder or to a name, as it is', async () => {
  const { world, item, fake } = await withPictures();
  const job = await exported(world, `/thumbnail/VX-1/${item}/10/export?uri=${out}`);
  const name = `web/${item}_thumbnail_10000.png`;
  expect([job.type, job.status, urisOf(job)]).toEqual(['EXPORT', 'FINISHED', [`memory:///out/${name}`]]);
  expect(world.to.files.get(name)?.bytes).toEqual(png);
  const named = encodeURIComponent('memory:///out/front.jpg');
  expect(urisOf(await exported(world, `/poster/VX-1/${item}/10/export?uri=${named}`))).toEqual([
    'memory:///out/front.jpg',
  ]);
  expect(world.to.files.get('front.jpg')?.bytes).toEqual(jpeg('poster'));
  expect(fake.stillOrders).toEqual([]);
});

it('another form of a picture is made by the transcoder, and waits for one', async () => {
  const { world, item, fake } = await withPictures();
  const job = await exported(world, `/thumbnail/VX-1/${item}/10/export?uri=${out}&format=jpg`);
  expect(urisOf(job)).toEqual([`memory:///out/web/${item}_thumbnail_10000.jpg`]);
  expect(fake.stillOrders).toEqual([{ seconds: [0], type: 'image/jpeg' }]);
  fake.missing = 'install something';
  const { jobId } = await done<JobSeen>(world, ask(`POST /API/poster/VX-1/${item}/10/export?uri=${out}&format=png`));
  await world.service.tick();
  expect((await done<JobSeen>(world, ask(`GET /API/job/${jobId}`))).status).toBe('WAITING');
});

it('an export of a picture is refused where it names none, and fails where the picture goes meanwhile', async () => {
  const { world, item } = await withPictures();
  const status = async (path: string, as = admin) => (await world.send(ask(`POST /API${path}`, undefined, as))).status;
  expect(await status(`/thumbnail/VX-1/${item}/11/export?uri=${out}`)).toBe(404);
  expect(await status(`/thumbnail/VX-1/${item}/10/export`)).toBe(400);
  expect(await status(`/thumbnail/VX-1/${item}/10/export?uri=${out}&format=gif`)).toBe(400);
  expect(await status(`/thumbnail/VX-1/${item}/10/export?uri=file%3A%2F%2F%2Fa%2F..%2Fb`)).toBe(400);
  expect(await status(`/thumbnail/VX-1/${item}/10/export?uri=${out}`, exporter)).toBe(403);
  const { jobId } = await done<JobSeen>(world, ask(`POST /API/thumbnail/VX-1/${item}/10/export?uri=${out}`));
  await done(world, ask(`DELETE /API/thumbnail/VX-1/${item}/10`));
  await world.service.tick();
  const job = await done<JobSeen>(world, ask(`GET /API/job/${jobId}`));
  expect([job.status, whyOf(job)]).toEqual(['FAILED_TOTAL', expect.stringContaining('to stay until the job ends')]);
});

it('a client of the original starts an export of a picture by GET', async () => {
  const { world, item } = await withPictures();
  const { jobId, type } = await done<JobSeen>(world, ask(`GET /API/thumbnail/VX-1/${item}/10/export?uri=${out}`));
  expect(type).toBe('EXPORT');
  await world.service.tick();
  expect((await done<JobSeen>(world, ask(`GET /API/job/${jobId}`))).status).toBe('FINISHED');
});

it('a HEAD, and a picture in a page of another site, start no export', async () => {
  const { world, item } = await withPictures();
  const request = `/API/thumbnail/VX-1/${item}/10/export?uri=${out}`;
  expect((await world.send(ask(`HEAD ${request}`))).status).toBe(200);
  const page = (mode: string) => ({
    ...ask(`GET ${request}`),
    headers: { accept: '*/*', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode },
  });
  for (const mode of ['no-cors', 'navigate', 'cors']) expect((await world.send(page(mode))).status, mode).toBe(401);
  expect((await done<{ hits: number }>(world, ask('GET /API/job?type=EXPORT'))).hits).toBe(0);
});
