import { expect, it } from 'vitest';
import { ended, type JobSeen } from '../../support/files.ts';
import {
  fieldsOf,
  fileWith,
  openTranscoding,
  setPreset,
  shapeWith,
  type TranscodingWorld,
  withOriginal,
} from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { fakeTranscoder, jpeg, png } from './fake-transcoder.ts';
import { heic } from './heic-samples.ts';

const picture = (target: string, body: Uint8Array = png, type = 'image/png') => ({
  as: admin,
  headers: { 'content-type': type },
  request: `PUT /API/${target}`,
  body: body as Uint8Array<ArrayBuffer>,
});
const got = (target: string, accept: string) => ({
  as: admin,
  headers: { accept },
  request: `GET ${target}`,
});
const anonymously = (target: string) => ({ request: `GET ${target}`, headers: { accept: '*/*' } });
const uris = async (world: TranscodingWorld, target: string): Promise<readonly string[]> =>
  (await done<{ uri?: string[] }>(world, ask(`GET /API/${target}`))).uri ?? [];
const shelfOf = async (world: TranscodingWorld, item = 'VX-100') =>
  (await done<{ uri: string[] }>(world, ask(`PUT /API/item/${item}/thumbnailresource`))).uri[0]!;
const thumbnail = (world: TranscodingWorld, query: string) =>
  done<JobSeen>(world, ask(`POST /API/item/VX-100/thumbnail?${query}`));

it('a picture is put, listed, got, replaced at the same instant, and deleted', async () => {
  const world = await openTranscoding();
  const uri = await shelfOf(world);
  expect(uri).toBe('/API/thumbnail/VX-1/VX-100');
  const place = uri.slice('/API/'.length);
  for (const [time, bytes] of [
    ['250@PAL', png],
    ['0', png],
    ['10', jpeg()],
  ] as const) {
    expect((await world.send(picture(`${place}/${time}`, bytes))).status).toBe(200);
  }
  expect(await uris(world, place)).toEqual(['0', '10']);
  expect((await uris(world, `${place}?url=true`))[1]).toMatch(/^http.*\/API\/thumbnail\/VX-1\/VX-100;version=0\/10$/);
  const answer = await world.send(got(`/API/thumbnail/VX-1/VX-100;version=0/250@PAL`, 'image/png, image/jpeg'));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const first = await world.send(got(`/API/${place}`, 'image/jpeg'));
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/png']);
  await done(world, ask(`DELETE /API/${place}/0`));
  expect((await world.send(ask(`DELETE /API/${place}/0`))).status).toBe(404);
  expect((await world.send(got(`/API/${place}/0`, '*/*'))).status).toBe(404);
  await done(world, ask(`DELETE /API/${place}`));
  expect(await uris(world, place)).toEqual([]);
});

it('posters have a place of their own, which tells, and loses, one or all', async () => {
  const world = await openTranscoding();
  expect(await uris(world, 'item/VX-100/posterresource')).toEqual([]);
  const { uri } = await done<{ uri: string[] }>(world, ask('PUT /API/item/VX-100/posterresource'));
  expect(uri).toEqual(['/API/poster/VX-1/VX-100']);
  expect(await uris(world, 'item/VX-100/posterresource')).toEqual(uri);
  expect(await uris(world, 'item/VX-100/thumbnailresource')).toEqual(['/API/thumbnail/VX-1/VX-100']);
  const place = 'poster/VX-1/VX-100';
  for (const time of ['0', '10', '20']) {
    expect((await world.send(picture(`${place}/${time}`, jpeg(), 'image/jpeg'))).status).toBe(200);
  }
  await done(world, ask(`DELETE /API/${place}/10`));
  expect(await uris(world, place)).toEqual(['0', '20']);
  await done(world, ask(`DELETE /API/${place}`));
  expect(await uris(world, place)).toEqual([]);
});

it('thumbnails are made of one shape, as a job', async () => {
  const world = await openTranscoding();
  const { shapeId } = await withOriginal(world);
  const path = `/API/item/VX-100/shape/${shapeId}/thumbnail?createThumbnails=true`;
  const end = await ended(world, (await done<JobSeen>(world, ask(`POST ${path}`))).jobId);
  expect([end.type, end.status], JSON.stringify(end)).toEqual(['THUMBNAIL', 'FINISHED']);
  expect((await uris(world, (await shelfOf(world)).slice('/API/'.length))).length).toBeGreaterThan(0);
});

it('a picture is what its bytes say, and no page or script for browsers', async () => {
  const world = await openTranscoding();
  const place = (await shelfOf(world)).slice('/API/'.length);
  const page = new TextEncoder().encode('<script>alert(1)</script>');
  expect((await world.send(picture(`${place}/0`, page))).status).toBe(400);
  expect((await world.send(picture(`${place}/yesterday`))).status).toBe(400);
  expect((await world.send(picture('thumbnail/VX-99/VX-100/0'))).status).toBe(404);
  expect((await world.send(picture(`${place}/0`, new Uint8Array(5 * 1024 * 1024 + 1)))).status).toBe(413);
});

it('without credentials a picture is shown to whom has its hash, and to nobody else', async () => {
  const world = await openTranscoding();
  const place = (await shelfOf(world)).slice('/API/'.length);
  await world.send(picture(`${place}/0`));
  const [open] = await uris(world, `${place}?noauth-url=true`);
  const target = open!.slice(open!.indexOf('/APInoauth'));
  const answer = await world.send(anonymously(target));
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, max-age=31536000, immutable']);
  const known = await world.send(got(target.replace('/APInoauth', '/API'), '*/*'));
  expect([known.status, known.headers.get('cache-control')]).toEqual([200, 'private, max-age=31536000, immutable']);
  const plain = await world.send(got(`/API/${place}/0`, '*/*'));
  expect(plain.headers.get('cache-control')).toBe('private, max-age=60');
  for (const other of [target.split('?')[0]!, `${target}x`, '/APInoauth/thumbnail/VX-1/VX-999/0?hash=a']) {
    expect((await world.send(anonymously(other))).status, other).toBe(404);
  }
  expect((await world.send(anonymously(`/API/${place}/0`))).status).toBe(401);
});

it('a job makes thumbnails every ten seconds, and the item names the one in the middle', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  const job = await thumbnail(world, 'createThumbnails=true');
  expect(job.type).toBe('THUMBNAIL');
  expect((await ended(world, job.jobId)).status).toBe('FINISHED');
  expect(world.fake.stillOrders).toEqual([
    { seconds: [0, 10, 20], width: 320, height: 180, type: 'image/jpeg', tolerance: 5 },
  ]);
  const { representativeThumbnail, representativeThumbnailNoAuth } = await fieldsOf(world);
  expect(representativeThumbnail).toBe('/API/thumbnail/VX-1/VX-100;version=0/10000@1000');
  expect((await world.send(got(representativeThumbnail!, 'image/jpeg'))).status).toBe(200);
  expect((await world.send(anonymously(representativeThumbnailNoAuth!))).status).toBe(200);
  const item = await done<{ thumbnails: { uri: string[] }; posters: { uri: string[] } }>(
    world,
    ask('GET /API/item/VX-100?content=thumbnail,poster&noauth-url=true&baseURI=/APInoauth/'),
  );
  expect(item.thumbnails.uri.map((uri) => uri.replace(/hash=.*/, 'hash='))).toEqual(
    ['0@1000', '10000@1000', '20000@1000'].map((time) => `/APInoauth/thumbnail/VX-1/VX-100;version=0/${time}?hash=`),
  );
  expect(item.posters.uri).toEqual([]);
});

it('a sound has one thumbnail and one poster, which a transcoder draws; without one it has none', async () => {
  const world = await openTranscoding();
  const file = [{ id: await fileWith(world, 'a.wav', new TextEncoder().encode('sound')) }];
  await shapeWith(world, {
    containerComponent: { format: 'wav', duration: { samples: 90, timeBase: { numerator: 1, denominator: 1 } }, file },
    audioComponent: [{ codec: 'pcm_s16le', file }],
  });
  const make = async (query: string) => {
    const { jobId } = await thumbnail(world, query);
    const { status, log } = await ended(world, jobId);
    return [status, JSON.stringify(log).includes('the media has no pictures')];
  };
  expect(await make('createThumbnails=true')).toEqual(['FINISHED', true]);
  world.fake.draws = ['application/pdf'];
  expect(await make('createThumbnails=true')).toEqual(['FINISHED', true]);
  expect(world.fake.stillOrders).toEqual([]);
  world.fake.draws = ['application/pdf', 'audio'];
  expect(await make('createThumbnails=true')).toEqual(['FINISHED', false]);
  expect(await make('createPosters=10,20&posterFormat=png')).toEqual(['FINISHED', false]);
  expect(world.fake.stillOrders).toEqual([
    { seconds: [0], width: 320, height: 180, type: 'image/jpeg', draws: 'audio' },
    { seconds: [10], width: 1920, height: 1080, type: 'image/png', draws: 'audio' },
  ]);
  expect(await uris(world, 'thumbnail/VX-1/VX-100')).toEqual(['0@1000']);
  expect(await uris(world, 'poster/VX-1/VX-100')).toEqual(['10']);
  expect((await fieldsOf(world))['representativeThumbnail']).toMatch(/\/thumbnail\/VX-1\/VX-100;version=0\/0@1000$/);
  world.fake.missing = 'install ffmpeg';
  expect(await make('createThumbnails=true')).toEqual(['FINISHED', true]);
});

it('a time between two thumbnails shows the one before it, and one before all of them none', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await ended(world, (await thumbnail(world, 'createThumbnails=1,3')).jobId);
  const [first, second] = await uris(world, 'thumbnail/VX-1/VX-100');
  const shown = async (time: string) => {
    const { status, headers } = await world.send(got(`/API/thumbnail/VX-1/VX-100/${time}`, 'image/jpeg'));
    return status === 200 ? headers.get('etag') : status;
  };
  expect([await shown('25@PAL'), await shown('74@PAL')]).toEqual([await shown(first!), await shown(first!)]);
  expect([await shown('75@PAL'), await shown('999@PAL')]).toEqual([await shown(second!), await shown(second!)]);
  expect(await shown(first!)).not.toBe(await shown(second!));
  expect(await shown('24@PAL')).toBe(404);
});

it('posters at given times, as PNG in a given size; presets say the size of thumbnails', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'small', { format: 'mp4', thumbnailResolution: { width: 100, height: 50 } });
  const posters = await thumbnail(world, 'createPosters=3,1@25&posterFormat=png&posterWidth=64&posterHeight=48');
  await ended(world, posters.jobId);
  await ended(world, (await thumbnail(world, 'createThumbnails=5&tag=small')).jobId);
  expect(world.fake.stillOrders).toEqual([
    { seconds: [0.04, 3], width: 64, height: 48, type: 'image/png' },
    { seconds: [5], width: 100, height: 50, type: 'image/jpeg' },
  ]);
  expect(await uris(world, 'poster/VX-1/VX-100')).toEqual(['1@25', '3']);
});

it('pictures are made from the first sourceTag that a shape has, else from the original', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await setPreset(world, 'proxy', {});
  const fileId = await fileWith(world, 'short.mp4', new TextEncoder().encode('short'));
  const duration = { samples: 5, timeBase: { numerator: 1, denominator: 1 } };
  const video = { videoComponent: [{ codec: 'h264', file: [{ id: fileId }] }] };
  await shapeWith(world, { containerComponent: { duration, file: [{ id: fileId }] }, ...video }, 'proxy');
  for (const sourceTag of ['none,proxy', 'none'])
    await ended(world, (await thumbnail(world, `createThumbnails=true&sourceTag=${sourceTag}`)).jobId);
  expect(world.fake.stillOrders.map(({ seconds }) => seconds)).toEqual([
    [0, 2, 4],
    [0, 10, 20],
  ]);
});

it('pictures go with the last shape of their version', async () => {
  const world = await openTranscoding();
  const { shapeId } = await withOriginal(world);
  const place = (await shelfOf(world)).slice('/API/'.length);
  await world.send(picture(`${place}/0`));
  await world.send(picture(`${place};version=7/0`));
  await done(world, ask(`DELETE /API/item/VX-100/shape/${shapeId}`));
  expect(await world.service.store.read('SELECT essence_version FROM picture')).toEqual([[7]]);
});

it('pictures go with their item', async () => {
  const world = await openTranscoding();
  const place = (await shelfOf(world)).slice('/API/'.length);
  await world.send(picture(`${place}/0`));
  await done(world, ask('DELETE /API/item/VX-100'));
  expect(await world.service.store.read('SELECT count(*) FROM picture')).toEqual([[0]]);
});

it('resources are made, told with their state, replaced and deleted; foreign systems are none', async () => {
  const world = await openTranscoding();
  const types = await done<{ resourcetype: { type: string }[] }>(world, ask('GET /API/resource'));
  expect(types.resourcetype.map(({ type }) => type)).toContain('thumbnail');
  const made = await done<{ id: string }>(
    world,
    ask('POST /API/resource/thumbnail', { thumbnail: { path: ['file:///srv/thumbs/'] } }),
  );
  expect(made).toMatchObject({ id: 'VX-1', thumbnail: { path: ['file:///srv/thumbs/'], state: 'ONLINE' } });
  const own = await done<{ resource: object[] }>(world, ask('GET /API/resource/transcoder'));
  expect(own.resource).toMatchObject([{ id: 'fake', state: 'ONLINE', transcoder: { url: 'portico:fake' } }]);
  const plain = { ...ask('GET /API/resource/thumbnail/VX-1/status'), headers: { accept: 'text/plain' } };
  expect((await world.send(plain)).body).toBe('ONLINE');
  await done(world, ask('POST /API/resource/transcoder/fake/sync'));
  world.fake.missing = 'Expected the program of the fake';
  expect((await world.send(ask('POST /API/resource/transcoder/fake/sync'))).status).toBe(404);
  await done(world, ask('PUT /API/resource/thumbnail/VX-1', { thumbnail: { path: ['file:///other/'] } }));
  expect((await world.send(ask('GET /API/resource/nothing'))).status).toBe(404);
  expect((await world.send(ask('POST /API/resource/ldap', {}))).status).toBe(400);
  expect((await world.send(ask('POST /API/resource/thumbnail', {}))).status).toBe(400);
  await done(world, ask('DELETE /API/resource/thumbnail/VX-1'));
  expect((await world.send(ask('GET /API/resource/thumbnail/VX-1'))).status).toBe(404);
});

it('the presets of the release are made again, and "lowres" only where it is missing', async () => {
  const world = await openTranscoding();
  await setPreset(world, 'lowres', { format: 'wav' });
  for (let times = 0; times < 2; times++) await done(world, ask('PUT /API/APIinit/preset-templates'));
  expect(await done(world, ask('GET /API/shape-tag/__mp4'))).toMatchObject({ format: 'mp4', video: { codec: 'h264' } });
  expect(await done(world, ask('GET /API/shape-tag/lowres'))).toEqual({ format: 'wav' });
  expect((await world.send(ask('PUT /API/shape-tag/__mp4', { format: 'wav' }))).status).toBe(400);
});

it('a tag bounds the size of films by a setting, as "__mp4" does; a bound that is none is named', async () => {
  const world = await openTranscoding();
  await withOriginal(world);
  await done(world, ask('PUT /API/APIinit/preset-templates'));
  const transcoded = async (tag: string) =>
    ended(world, (await done<JobSeen>(world, ask(`POST /API/item/VX-100/transcode?tag=${tag}`))).jobId);
  expect((await transcoded('__mp4')).status).toBe('FINISHED');
  const within = { width: 1920, height: 1080 };
  const wanted = { codec: 'h264', presets: ['veryfast'], profiles: [], settings: [], within };
  expect(world.fake.orders.map(({ video }) => video)).toEqual([wanted]);
  for (const value of ['1080p', '0x1080', '1920x1080,movie=a']) {
    const video = { codec: 'h264', setting: [{ key: 'maxResolution', value }] };
    await setPreset(world, 'own', { format: 'mp4', video });
    await transcoded('own');
    expect(world.fake.orders.at(-1)?.video).toMatchObject({ settings: [['maxResolution', value]] });
  }
});

it('the version and the self-test say what makes other forms of media, and what to install', async () => {
  const world = await openTranscoding();
  const { component } = await done<{ component: object[] }>(world, ask('GET /API/version'));
  expect(component).toContainEqual({ name: 'fake', version: '1' });
  expect(await done(world, ask('GET /API/selftest/transcoding'))).toMatchObject({
    status: 'ok',
    test: [{ name: 'fake', message: expect.arrayContaining(['HEIC needs ffmpeg 8.1 or later']) }],
  });
  world.fake.missing = 'install ffmpeg';
  expect(await done(world, ask('GET /API/selftest/transcoding'))).toMatchObject({
    status: 'warning',
    test: [{ name: 'fake', message: ['install ffmpeg'] }],
  });
});

it('a small picture is its own thumbnail and poster where no transcoder is; a large one and a film wait', async () => {
  const world = await openTranscoding();
  world.fake.missing = 'install ffmpeg';
  const original = async (item: string, path: string, bytes: Uint8Array) => {
    const fileId = await fileWith(world, path, bytes);
    await shapeWith(world, { containerComponent: { file: [{ id: fileId }] } }, 'original', item);
  };
  await original('VX-100', 'a.jpg', jpeg('whole'));
  const { jobId } = await thumbnail(world, 'createThumbnails=true&createPosters=0');
  const job = await ended(world, jobId);
  expect(job.status, JSON.stringify(job)).toBe('FINISHED');
  for (const kind of ['thumbnail', 'poster']) {
    const found = await world.send(got(`/API/${kind}/VX-1/VX-100/0`, 'image/*'));
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(found.body).toContain('whole');
  }
  expect((await fieldsOf(world))['representativeThumbnail']).toBe('/API/thumbnail/VX-1/VX-100;version=0/0@1000');
  await original('VX-101', 'b.png', new Uint8Array([...png, ...new Uint8Array(1024 * 1024)]));
  const waits = async (query: string) => {
    const started = await done<JobSeen>(world, ask(`POST /API/item/VX-101/thumbnail?${query}`));
    await world.service.tick();
    return (await done<JobSeen>(world, ask(`GET /API/job/${started.jobId}`))).status;
  };
  expect(await waits('createThumbnails=true')).toBe('WAITING');
  // A single poster is shown at a time.
  expect(await waits('createPosters=0')).toBe('FINISHED');
  const film = await openTranscoding();
  film.fake.missing = 'install ffmpeg';
  await withOriginal(film);
  const started = await thumbnail(film, 'createThumbnails=true');
  await film.service.tick();
  expect((await done<JobSeen>(film, ask(`GET /API/job/${started.jobId}`))).status).toBe('WAITING');
});

it('the preview inside a HEIC is its thumbnail where no transcoder is, and the job says so', async () => {
  const world = await openTranscoding();
  world.fake.missing = 'install ffmpeg';
  const fileId = await fileWith(world, 'a.heic', heic({ preview: 'jpeg' }));
  await shapeWith(world, { containerComponent: { file: [{ id: fileId }] } });
  const job = await ended(world, (await thumbnail(world, 'createThumbnails=true')).jobId);
  expect(job.status).toBe('FINISHED_WARNING');
  expect(JSON.stringify(job.log)).toContain('The preview inside the file takes the place of the picture');
  const shown = await world.send(got('/API/thumbnail/VX-1/VX-100/0', 'image/*'));
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
});

it('a small picture is its own thumbnail where the transcoder reads no pictures; a film that it cannot read fails', async () => {
  const world = await openTranscoding();
  const unread = () => Object.assign(new Error('Expected a container that is known'), { kind: 'unsupported' });
  const fileId = await fileWith(world, 'a.jpg', jpeg('whole'));
  await shapeWith(world, { containerComponent: { file: [{ id: fileId }] } });
  world.fake.failures.push(unread());
  const job = await ended(world, (await thumbnail(world, 'createThumbnails=true')).jobId);
  expect(job.status, JSON.stringify(job)).toBe('FINISHED');
  expect((await world.send(got('/API/thumbnail/VX-1/VX-100/0', 'image/*'))).body).toContain('whole');

  const film = await openTranscoding();
  await withOriginal(film);
  film.fake.failures.push(unread());
  expect((await ended(film, (await thumbnail(film, 'createThumbnails=true')).jobId)).status).toBe('FAILED_TOTAL');
});

it('a job that waits for a transcoder names each that may be installed', async () => {
  const others = ['install one', 'install another'].map((missing) => ({
    ...fakeTranscoder(),
    abilities: async () => ({ missing }),
  }));
  const world = await openTranscoding({ transcoders: others });
  await withOriginal(world);
  const { jobId } = await thumbnail(world, 'createThumbnails=true');
  await world.service.tick();
  expect(await done(world, ask(`GET /API/job/${jobId}`))).toMatchObject({
    waiting: { requirement: 'NoTranscoder', resourceId: 'install one; or install another' },
  });
});
