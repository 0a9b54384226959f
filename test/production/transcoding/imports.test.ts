import { expect, it, vi } from 'vitest';
import { ended, type JobSeen, upload } from '../../support/files.ts';
import {
  importedThumbnails,
  openTranscoding,
  setPreset,
  type TranscodingWorld,
  withOriginal,
} from '../../support/media.ts';
import { ask, done, sqlIn } from '../../support/requests.ts';
import { worldOf } from '../../support/world.ts';
import { tiffWith } from '../checking/embedded-samples.ts';
import { png, wav } from '../checking/samples.ts';
import { fakeTranscoder } from './fake-transcoder.ts';

async function imported(world: TranscodingWorld, query: string) {
  const job = await done<JobSeen>(world, ask(`POST /API/import?uri=memory:///in/a.wav&storageId=VX-2&${query}`));
  const end = await ended(world, job.jobId);
  expect(end.status, JSON.stringify(end)).toBe('FINISHED');
  const item = end.data!.find(({ key }) => key === 'itemId')!.value;
  const { shape } = await done<{ shape: { tag: string[] }[] }>(world, ask(`GET /API/item/${item}?content=shape`));
  return { end, tags: shape.map(({ tag }) => tag.join()).toSorted() };
}

it('the job of an import makes a shape for each tag, unless the caller wants none', async () => {
  const world = await openTranscoding();
  for (const tag of ['lowres', 'web']) await setPreset(world, tag);
  world.from.put('a.wav', await wav({ seconds: 0.1 }));
  const { end, tags } = await imported(world, 'tag=lowres,web');
  expect(tags).toEqual(['lowres', 'original', 'web']);
  const { status } = end.log!.task.find(({ description }) => description === 'Transcoding')!;
  expect([end.type, status, world.fake.orders.length]).toEqual(['PLACEHOLDER_IMPORT', 'FINISHED', 2]);
  expect((await imported(world, 'tag=lowres&original=lowres')).tags).toEqual(['', 'lowres,original']);
  expect((await imported(world, 'tag=lowres&no-transcode=true')).tags).toEqual(['original']);
  expect(world.fake.orders).toHaveLength(3);
});

it('tag=original is no preset to look for: an import makes no other form, and a transcode only its pictures', async () => {
  const world = await openTranscoding();
  await setPreset(world, 'lowres');
  world.from.put('a.wav', await wav({ seconds: 0.1 }));
  expect((await imported(world, 'tag=original')).tags).toEqual(['original']);
  expect((await imported(world, 'tag=original,lowres')).tags).toEqual(['lowres', 'original']);
  expect(world.fake.orders).toHaveLength(1);
  await withOriginal(world);
  const { status, body } = await world.send(ask('POST /API/item/VX-100/transcode?tag=original'));
  expect(status).toBe(400);
  expect(body).toContain('Expected something to make: a tag besides original, createThumbnails or createPosters');
  const { jobId } = await done<JobSeen>(
    world,
    ask('POST /API/item/VX-100/transcode?tag=original&createThumbnails=true'),
  );
  expect((await ended(world, jobId)).status).toBe('FINISHED');
});

it('the job of an import ends with its media check where nothing else is wanted, or can be had', async () => {
  const world = await openTranscoding();
  world.from.put('a.wav', await wav({ seconds: 0.1 }));
  for (const name of ['a.png', 'b.png']) world.from.put(name, png(3, 4));
  const commit = vi.spyOn(world.service.store, 'commit');
  /** The commits that write the job, and what its last steps say. */
  const ending = async (name: string, query = '') => {
    commit.mockClear();
    const uri = `memory:///in/${name}&filename=${name}`;
    const { jobId } = await done<JobSeen>(world, ask(`POST /API/import?uri=${uri}${query}`));
    const { status, log } = await ended(world, jobId);
    expect(status).toBe('FINISHED');
    const written = commit.mock.calls.filter(([{ changes }]) =>
      changes.some(({ sql }) => /^update "?job"? set/i.test(sql)),
    );
    const task = log!.task.find(({ description }) => description === 'Transcoding')!;
    return [written.length, task.status, task.subStep?.map(({ description }) => description)];
  };
  // Writes of the job: it is taken, finds its file, and checks it.
  expect(await ending('a.wav')).toEqual([3, 'FINISHED', ['No stills: the media has no pictures']]);
  // Stills take time: the job says that it makes them, and that it has.
  expect(await ending('a.png')).toEqual([5, 'FINISHED', expect.anything()]);
  expect((await ending('b.png', '&createThumbnails=false'))[0]).toBe(3);
});

it('an import makes its pictures before its other forms, and those also where a picture fails', async () => {
  const world = await openTranscoding();
  await setPreset(world, 'lowres');
  world.fake.draws = ['audio'];
  world.from.put('a.wav', await wav({ seconds: 0.1 }));
  const [stills, run] = [vi.spyOn(world.fake, 'stills'), vi.spyOn(world.fake, 'run')];
  await imported(world, 'tag=lowres');
  expect(stills.mock.invocationCallOrder[0]).toBeLessThan(run.mock.invocationCallOrder[0]!);
  stills.mockRejectedValueOnce(Object.assign(new Error('Expected whole sound'), { kind: 'broken' }));
  const { jobId } = await done<JobSeen>(
    world,
    ask('POST /API/import?uri=memory:///in/a.wav&storageId=VX-2&tag=lowres'),
  );
  expect((await ended(world, jobId)).status).toBe('FINISHED_WARNING');
  expect(world.fake.orders).toHaveLength(2);
});

it('the import of a picture does not wait for imports that transcode', async () => {
  const world = await openTranscoding({ settings: { concurrentJobs: 2 } });
  await setPreset(world, 'lowres');
  world.from.put('a.wav', await wav({ seconds: 0.1 }));
  world.from.put('a.png', png(3, 4));
  let release: () => void = () => undefined;
  const run = vi.spyOn(world.fake, 'run').mockImplementation(
    () =>
      new Promise((_, reject) => {
        release = () => reject(Object.assign(new Error('Expected whole sound'), { kind: 'broken' }));
      }),
  );
  const start = async (query: string) =>
    (await done<JobSeen>(world, ask(`POST /API/import?uri=memory:///in/${query}`))).jobId;
  for (let film = 0; film < 2; film += 1) await start('a.wav&tag=lowres&priority=LOW');
  const picture = await start('a.png');
  const tick = world.service.tick();
  const statusOf = async () => (await done<JobSeen>(world, ask(`GET /API/job/${picture}`))).status;
  await vi.waitFor(async () => expect([await statusOf(), run.mock.calls.length]).toEqual(['FINISHED', 1]));
  run.mockRejectedValue(Object.assign(new Error('Expected whole sound'), { kind: 'broken' }));
  release();
  await tick;
});

it('the import of a sound draws its thumbnail, and goes on where it cannot be drawn', async () => {
  const world = await openTranscoding();
  world.fake.draws = ['audio'];
  world.from.put('a.wav', await wav({ seconds: 0.1 }));
  world.from.put('a.txt', new TextEncoder().encode('text'));
  expect(await importedThumbnails(world, 'a.wav')).toEqual(['FINISHED', 1]);
  expect(world.fake.stillOrders).toEqual([
    { seconds: [0], width: 320, height: 180, type: 'image/jpeg', draws: 'audio' },
  ]);
  expect(await importedThumbnails(world, 'a.txt')).toEqual(['FINISHED', 0]);
  expect(world.fake.stillOrders).toHaveLength(1);
  world.fake.failures.push(Object.assign(new Error('Expected whole sound'), { kind: 'broken' }));
  expect(await importedThumbnails(world, 'a.wav')).toEqual(['FINISHED_WARNING', 0]);
});

it('twenty imports of pictures ask no drawer of documents, and one that has to draw is asked', async () => {
  const drawer = { ...fakeTranscoder(), name: 'pdf', draws: ['application/pdf'] };
  const asked = vi.spyOn(drawer, 'abilities');
  const fake = fakeTranscoder();
  const world = { ...(await worldOf('placement', { transcoders: [drawer, fake] })), fake };
  for (let number = 0; number < 20; number++) {
    world.from.put(`${number}.png`, png(3, 4));
    expect(await importedThumbnails(world, `${number}.png`)).toEqual(['FINISHED', 1]);
  }
  expect([asked.mock.calls.length, fake.stillOrders.length]).toEqual([0, 20]);
  world.from.put('a.pdf', new TextEncoder().encode('%PDF-1.4\n%%EOF'));
  expect(await importedThumbnails(world, 'a.pdf')).toEqual(['FINISHED', 1]);
  expect([drawer.stillOrders.length, fake.stillOrders.length]).toEqual([1, 20]);
  // No other is able: one that draws documents and makes other forms, too, is of use.
  fake.missing = 'install ffmpeg';
  expect(await importedThumbnails(world, '0.png')).toEqual(['FINISHED', 1]);
  expect(drawer.stillOrders).toHaveLength(2);
});

it('a job reads the copy on the storage of the highest priority', async () => {
  const world = await openTranscoding();
  const { fileId, shapeId } = await withOriginal(world);
  await setPreset(world, 'lowres');
  const { id } = await done<{ id: string }>(world, upload('copy.mp4', 'bytes of a clip', 'VX-2'));
  await sqlIn(
    world,
    `INSERT INTO file_use SELECT '${id}', item_id, shape_id, component_id FROM file_use WHERE file_id = '${fileId}'`,
  );
  const priorities = async (first: string, second: string) => {
    await done(world, ask('PUT /API/storage/VX-1', { priority: first }));
    await done(world, ask('PUT /API/storage/VX-2', { priority: second }));
    const { jobId } = await done<JobSeen>(
      world,
      ask(`POST /API/item/VX-100/shape/${shapeId}/transcode?tag=lowres&storageId=VX-3`),
    );
    for (let round = 0; round < 3; round++) await world.service.tick();
    return done<JobSeen>(world, ask(`GET /API/job/${jobId}`));
  };
  world.from.offline = 'The cable is out';
  expect((await priorities('LOW', 'HIGH')).status).toBe('FINISHED');
  expect(await priorities('HIGH', 'LOW')).toMatchObject({ status: 'WAITING', waiting: { resourceId: 'VX-1' } });
});

/** Imports a picture of a format that browsers do not show. */
async function withTiff(query: string, failures: readonly Error[] = []) {
  const world = await openTranscoding();
  await setPreset(world, 'lowres');
  await setPreset(world, 'still', { format: 'jpg' });
  world.from.put('a.tif', tiffWith());
  world.fake.failures.push(...failures);
  const { jobId } = await done<JobSeen>(world, ask(`POST /API/import?uri=memory:///in/a.tif&storageId=VX-2&${query}`));
  const end = await ended(world, jobId);
  const item = end.data!.find(({ key }) => key === 'itemId')!.value;
  const { posters, thumbnails } = await done<Record<string, { uri?: string[] }>>(
    world,
    ask(`GET /API/item/${item}?content=thumbnail,poster`),
  );
  const pictures = [thumbnails?.['uri']?.length ?? 0, posters?.['uri']?.length ?? 0];
  return { world, item, status: end.status, text: JSON.stringify(end.log), pictures };
}

it('a picture that does not move becomes no film: an import says so, and a transcode is refused', async () => {
  const { world, item, status, text, pictures } = await withTiff('tag=lowres,still');
  const reason = 'Expected the tag of a picture, such as __jpeg: the media is a picture that does not move';
  expect([status, pictures]).toEqual(['FINISHED_WARNING', [1, 1]]);
  expect(text).toContain(`${reason}: found lowres`);
  expect(world.fake.orders.map(({ format }) => format)).toEqual(['jpg']);
  const refused = await world.send(ask(`POST /API/item/${item}/transcode?tag=lowres`));
  expect([refused.status, refused.body]).toEqual([400, expect.stringContaining(reason)]);
  expect(world.fake.orders).toHaveLength(1);
});

it('an import goes on where no program here reads the picture, and its log says which one does', async () => {
  const unread = Object.assign(new Error('Expected ffmpeg 8.1'), { kind: 'unsupported' });
  const { status, text, pictures } = await withTiff('tag=still', [unread, unread]);
  expect([status, pictures]).toEqual(['FINISHED_WARNING', [0, 0]]);
  for (const reason of ['No stills: Expected ffmpeg 8.1', 'No other forms: Expected ffmpeg 8.1'])
    expect(text).toContain(reason);
});
