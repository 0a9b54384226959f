import { expect, it } from 'vitest';
import { ended, type JobSeen } from '../../support/files.ts';
import { fieldsOf, fileWith, openTranscoding, setPreset, shapeOf } from '../../support/media.ts';
import { ask, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { decoded } from './decoded.ts';
import { film, mediaWorld } from './world.ts';

const { transcoder, host } = mediaWorld();
const datum = ({ data = [] }: JobSeen, key: string) => data.find((each) => each.key === key)?.value;

it('a film becomes a web proxy and thumbnails without ffmpeg, and the server names the transcoder', async () => {
  const world = await openTranscoding({ transcoders: [transcoder], media: host });
  const fileId = await fileWith(world, 'clip.mp4', film('short'));
  const start = (request: string) => done<JobSeen>(world, ask(`POST /API/item/VX-100/${request}`));
  const imported = await ended(world, (await start(`shape?fileId=${fileId}&tag=original`)).jobId);
  expect(imported.status, JSON.stringify(imported.log)).toBe('FINISHED');

  await setPreset(world, 'web', {
    format: 'mp4',
    video: { codec: 'h264', bitrate: 300_000, scaling: { width: 160, height: 90 } },
    audio: { codec: 'aac', bitrate: 64_000 },
  });
  const job = await ended(world, (await start('transcode?tag=web')).jobId);
  expect(job.status, JSON.stringify(job.log)).toBe('FINISHED');
  expect(await shapeOf(world, datum(job, 'shapeIds')!)).toMatchObject({
    tag: ['web'],
    mimeType: ['video/mp4'],
    videoComponent: [{ codec: 'h264', resolution: { width: 160, height: 90 } }],
    audioComponent: [{ codec: 'aac', channelCount: 2 }],
  });

  const stills = await ended(world, (await start('thumbnail?createThumbnails=0,2')).jobId);
  expect(stills.status, JSON.stringify(stills.log)).toBe('FINISHED');
  const { representativeThumbnail = '' } = await fieldsOf(world);
  const [user, password] = admin;
  const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}`, accept: 'image/jpeg' };
  const answer = await world.service.fetch(new Request(`http://localhost${representativeThumbnail}`, { headers }));
  const picture = await decoded(new Uint8Array(await answer.arrayBuffer()));
  expect([answer.headers.get('content-type'), picture]).toMatchObject(['image/jpeg', { width: 320, height: 180 }]);

  expect(await done(world, ask('GET /API/version'))).toMatchObject({
    component: expect.arrayContaining([{ name: 'mediabunny', version: '1.59.0' }]),
  });
  expect(await done(world, ask('GET /API/selftest/transcoding'))).toMatchObject({ status: 'ok' });
});
