import { describe, expect, it } from 'vitest';
import { ended, type JobSeen } from '../../support/files.ts';
import { fieldsOf, fileWith, shapeOf, shapeWith } from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { type RoomWorld, worldOf } from '../../support/world.ts';
import { gif, jpeg, mkv, mov, mp4, png, tiff, wav } from './samples.ts';

/** A shape whose container has a file of these bytes, after its media check. */
async function checked(world: RoomWorld, path: string, bytes: Uint8Array): Promise<{ shape: string; job: JobSeen }> {
  const file = await fileWith(world, path, bytes);
  const shape = await shapeWith(world, { containerComponent: { file: [{ id: file }] } });
  const { jobId } = await done<{ jobId: string }>(world, ask(`POST /API/item/VX-100/shape/${shape}/update`));
  return { shape, job: await ended(world, jobId) };
}

describe('the media check of a shape', () => {
  it('tells tracks, lengths and the metadata of a film', async () => {
    const world = await worldOf('placement');
    const { shape, job } = await checked(world, 'in/clip.mkv', await mkv({ seconds: 2 }));
    expect(job).toMatchObject({ type: 'SHAPE_UPDATE', status: 'FINISHED' });
    const second = { samples: 96_000, timeBase: { numerator: 1, denominator: 48_000 } };
    expect(await shapeOf(world, shape)).toMatchObject({
      mimeType: ['video/x-matroska'],
      containerComponent: { format: 'matroska,webm', duration: second },
      videoComponent: [
        {
          codec: 'vp8',
          itemTrack: 'V1',
          essenceStreamId: 0,
          resolution: { width: 64, height: 48 },
          averageFrameRate: { numerator: 25, denominator: 1 },
        },
      ],
      audioComponent: [{ codec: 'pcm_s16le', itemTrack: 'A1', essenceStreamId: 1, channelCount: 2 }],
      metadata: { field: [{ key: 'originalFilename', value: 'clip.mkv' }] },
    });
    expect(await fieldsOf(world)).toMatchObject({
      mediaType: 'video',
      mimeType: 'video/x-matroska',
      originalFormat: 'matroska,webm',
      originalVideoCodec: 'vp8',
      originalAudioCodec: 'pcm_s16le',
      originalWidth: '64',
      originalHeight: '48',
      originalFilename: 'clip.mkv',
      durationSeconds: '2',
      durationTimeCode: '96000@48000',
    });
  });

  it('without the extension of probers tells a film by its name, and warns', async () => {
    const world = await worldOf('placement', { settings: { without: ['probers'] } });
    const { shape, job } = await checked(world, 'in/clip.mkv', await mkv({ seconds: 2 }));
    expect(job).toMatchObject({ status: 'FINISHED_WARNING' });
    expect(JSON.stringify(job)).toContain('the extension \\"probers\\", which this service leaves out');
    const seen = await shapeOf(world, shape);
    expect(seen).toMatchObject({ mimeType: ['video/x-matroska'] });
    expect(seen.videoComponent).toBeUndefined();
  });

  it('is told once: one event of the shape, one change set of the system', async () => {
    const world = await worldOf('placement');
    const file = await fileWith(world, 'a.wav', await wav());
    const shape = await shapeWith(world, { containerComponent: { file: [{ id: file }] } });
    const before = await world.sequence();
    const { jobId } = await done<{ jobId: string }>(world, ask(`POST /API/item/VX-100/shape/${shape}/update`));
    await ended(world, jobId);
    const events = (await world.events(before)).filter(({ name }) => !name.startsWith('job/'));
    expect(events.map(({ name, entity }) => [name, entity])).toEqual([
      ['shape/modify', 'VX-100'],
      ['metadata/modify', 'VX-100'],
    ]);
    expect(events[0]?.payload).toMatchObject({ itemId: 'VX-100', shapeId: shape, shapeTag: ['original'] });
    const sets = await done<{ changeSet: { user: string }[] }>(world, ask('GET /API/item/VX-100/metadata/changes'));
    expect(JSON.stringify(sets)).toContain('system');
  });

  it.each([
    ['a.png', () => png(30, 20), 'image/png', 'png', '30x20'],
    ['a.jpg', () => jpeg(300, 200), 'image/jpeg', 'mjpeg', '300x200'],
    ['b.jpg', () => jpeg(300, 200, 100_000), 'image/jpeg', 'mjpeg', '300x200'],
    ['a.gif', () => gif(10, 20), 'image/gif', 'gif', '10x20'],
    ['a.tif', () => tiff(40, 30, 200_000), 'image/tiff', 'tiff', '40x30'],
  ])('tells a picture: %s', async (path, bytes, mimeType, codec, size) => {
    const world = await worldOf('placement');
    await checked(world, path, bytes());
    const fields = await fieldsOf(world);
    expect(fields).toMatchObject({ mediaType: 'image', mimeType, originalVideoCodec: codec });
    expect(`${fields['originalWidth']}x${fields['originalHeight']}`).toBe(size);
    expect(fields).not.toHaveProperty('durationSeconds');
  });

  it.each([
    ['a.wav', () => wav({ channels: 1 }), 'audio/wav', 1],
    ['a.mov', () => mov(), 'video/quicktime', 2],
  ])('tells a sound: %s', async (path, bytes, mimeType, channels) => {
    const world = await worldOf('placement');
    const { shape } = await checked(world, path, await bytes());
    expect(await fieldsOf(world)).toMatchObject({ mediaType: 'audio', mimeType, originalAudioCodec: 'pcm_s16le' });
    expect((await shapeOf(world, shape)).audioComponent).toMatchObject([{ channelCount: channels }]);
  });

  it('takes back what another file made it say', async () => {
    const world = await worldOf('placement');
    const { shape } = await checked(world, 'a.mkv', await mkv());
    const place = world.storage.place('memory:///in/');
    place.put('a.mkv', await wav());
    const { jobId } = await done<{ jobId: string }>(world, ask(`POST /API/item/VX-100/shape/${shape}/update`));
    expect(await ended(world, jobId)).toMatchObject({ status: 'FINISHED' });
    const fields = await fieldsOf(world);
    expect(fields).toMatchObject({ mediaType: 'audio', mimeType: 'audio/wav', originalFilename: 'a.mkv' });
    expect(fields['originalVideoCodec'] ?? '').toBe('');
    expect(await shapeOf(world, shape)).not.toHaveProperty('videoComponent');
  });

  it.each([
    ['a header that is cut', 'a.mkv', async () => (await mkv()).subarray(0, 300), /^Expected tracks in the Matroska/],
    ['a picture of no size', 'a.png', async () => png(1, 1, { width: 0, height: 5 }), /^Expected a picture of 1 to/],
    [
      'a picture that claims too much',
      'b.png',
      async () => png(1, 1, { width: 2_000_000_000, height: 2 }),
      /^Expected a picture of 1 to 1000000 pixels/,
    ],
    ['a picture that is cut', 'a.jpg', async () => jpeg(9, 9).subarray(0, 22), /^Expected a whole picture/],
  ])('fails the job with a sentence for %s', async (_what, path, bytes, sentence) => {
    const world = await worldOf('placement');
    const { job, shape } = await checked(world, path, await bytes());
    expect(job.status).toBe('FAILED_TOTAL');
    expect(job.log?.task.at(-1)).toMatchObject({ attempts: 0, errorMessage: expect.stringMatching(sentence) });
    expect(await shapeOf(world, shape)).not.toHaveProperty('mimeType');
  });

  it('is not needed to see how far a file has grown; what cannot be read is told as it was', async () => {
    const world = await worldOf('placement');
    const bytes = await wav({ seconds: 2 });
    const { shape } = await checked(world, 'a.wav', bytes.subarray(0, bytes.byteLength / 2));
    const place = world.storage.place('memory:///in/');
    const seen = async (query = '') => {
      const answer = await world.send(ask(`GET /API/item/VX-100/shape/${shape}${query}`));
      expect(answer.status, answer.body).toBe(200);
      return JSON.parse(answer.body) as {
        containerComponent: { id: string; duration: { samples: number } };
        audioComponent: { id: string; file: object[] }[];
      };
    };
    const before = await seen();
    place.put('a.wav', bytes);
    const now = await seen('?transient=true');
    const duration = { ...before.containerComponent.duration, samples: 96_000 };
    const [track] = before.audioComponent;
    expect(now).toEqual({
      ...before,
      containerComponent: expect.objectContaining({ id: before.containerComponent.id, duration }),
      audioComponent: [expect.objectContaining({ id: track!.id, file: track!.file, duration })],
    });
    expect(before.containerComponent.duration.samples).toBeLessThan(96_000);
    expect(await seen()).toEqual(before);
    place.put('a.wav', new TextEncoder().encode('no sound any more'));
    expect(await seen('?transient=true')).toMatchObject({ binaryComponent: [{ length: 17 }] });
    place.offline = 'The cable is out';
    expect(await seen('?transient=true')).toEqual(before);
  });

  it('transient=true fills what a placeholder expects, where the caller asks for that', async () => {
    const world = await worldOf('placement');
    const file = await fileWith(world, 'a.wav', await wav());
    const shape = await shapeWith(world, { containerComponent: { file: [{ id: file }] }, audioComponent: [{}] });
    const expected = { sql: 'UPDATE component SET expected = 1 WHERE shape_id = ?', args: [shape] };
    await world.service.store.commit({ changes: [expected], events: [] }, { user: 'test' });
    const path = `GET /API/item/VX-100/shape/${shape}?transient=true&includePlaceholder=`;
    const id = expect.stringMatching(/^VX-/);
    const whole = await done<object>(world, ask(`${path}true`));
    expect(whole).toMatchObject({
      containerComponent: { id, format: 'wav' },
      audioComponent: [{ id, channelCount: 2 }],
    });
    expect(await done<object>(world, ask(`${path}false`))).toMatchObject({ containerComponent: { format: 'wav' } });
    expect((whole as { audioComponent: object[] }).audioComponent).toHaveLength(1);
  });

  it('warns of a name that promises media which nobody here knows', async () => {
    const world = await worldOf('placement');
    const { job, shape } = await checked(world, 'a.mxf', new Uint8Array(100));
    expect(job.status).toBe('FINISHED_WARNING');
    expect(await shapeOf(world, shape)).toMatchObject({ mimeType: ['application/mxf'] });
  });

  it('warns of a film that is cut, whose header promises more', async () => {
    const world = await worldOf('placement');
    const film = await mp4({ seconds: 4 });
    const { job } = await checked(world, 'cut.mp4', film.subarray(0, film.length - 100));
    expect(job.status).toBe('FINISHED_WARNING');
    const errorMessage = 'Expected a whole file: 100 bytes at its end are missing, it is cut';
    expect(job.log?.task.at(-1)).toMatchObject({ status: 'FINISHED', errorMessage });
  });

  it.each([
    [
      'random bytes',
      'noise.mp4',
      Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251),
      'its content is of no known format',
    ],
    ['a text', 'notes.JPG', new TextEncoder().encode('hello'), 'its content is of no known format'],
    ['an empty file', 'empty.mov', new Uint8Array(), 'the file is empty'],
  ])(
    'warns with a sentence for %s by the name of media, which is no document without a word',
    async (_what, path, bytes, what) => {
      const { job, shape } = await checked(await worldOf('placement'), path, bytes);
      expect(job.status).toBe('FINISHED_WARNING');
      expect(job.log?.task.at(-1)).toMatchObject({
        errorMessage: `Expected the media that the name "${path}" promises: ${what}`,
      });
      expect(shape).toMatch(/^VX-/);
    },
  );

  it('takes a document for what it is, without a warning', async () => {
    const { job } = await checked(await worldOf('placement'), 'a.pdf', new TextEncoder().encode('%PDF-1.7'));
    expect(job.status).toBe('FINISHED');
  });

  it('says of a film without its index, which is written last, that it is cut', async () => {
    const film = await mp4({ seconds: 4, atEnd: true });
    const begin = film.subarray(0, Buffer.from(film).indexOf('moov') - 4);
    for (const [bytes, how] of [
      [
        film.subarray(0, begin.length + 200),
        `it is cut, ${film.length - begin.length - 200} bytes or more of it are missing`,
      ],
      [begin.subarray(0, -100), 'it is cut, 100 bytes or more of it are missing'],
      [begin, 'it was not finished'],
    ] as const) {
      const { job } = await checked(await worldOf('placement'), 'cut.mp4', bytes);
      expect(job.status).toBe('FAILED_TOTAL');
      const says = `Expected a whole MP4 file with the index of its tracks (moov): ${how}: file VX-`;
      expect(job.log?.task.at(-1)).toMatchObject({ errorMessage: expect.stringContaining(says) });
    }
  });

  it('fails without files, and waits for a file whose storage is away', async () => {
    const world = await worldOf('placement');
    const empty = await shapeWith(world, {}, '');
    const first = await done<{ jobId: string }>(world, ask(`POST /API/item/VX-100/shape/${empty}/update`));
    expect(await ended(world, first.jobId)).toMatchObject({ status: 'FAILED_TOTAL' });
    const file = await fileWith(world, 'a.wav', await wav());
    const shape = await shapeWith(world, { containerComponent: { file: [{ id: file }] } }, 'lowres');
    const place = world.storage.place('memory:///in/');
    place.offline = 'The cable is out';
    const { jobId } = await done<{ jobId: string }>(world, ask(`POST /API/item/VX-100/shape/${shape}/update`));
    await world.service.tick();
    expect(await done<JobSeen>(world, ask(`GET /API/job/${jobId}`))).toMatchObject({
      status: 'WAITING',
      waiting: { requirement: 'StorageOffline', resourceId: 'VX-1' },
    });
    place.offline = undefined;
    expect(await ended(world, jobId)).toMatchObject({ status: 'FINISHED' });
    expect(await fieldsOf(world)).not.toHaveProperty('mediaType');
  });

  it('tells nobody of a shape below another item, and answers 404', async () => {
    const world = await worldOf('placement');
    const shape = await shapeWith(world, {}, '');
    const answer = await world.send(ask(`POST /API/item/VX-101/shape/${shape}/update`));
    expect(answer.status).toBe(404);
  });
});
