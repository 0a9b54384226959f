import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Gate } from '../../../src/core/lib/gate.ts';
import { findProgram } from '../../../src/entry/media/child/find-program.ts';
import { ffmpegTranscoder } from '../../../src/entry/media/ffmpeg/transcoder.ts';
import { jpegFile } from '../../../src/production/transcoding/codecs/jpeg-writer.ts';
import { ended, type JobSeen } from '../../support/files.ts';
import { openWorld } from '../../support/matrix.ts';
import { fileWith, shapeOf, shapeWith } from '../../support/media.ts';
import { ask, by, done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { type RoomWorld, worldOf } from '../../support/world.ts';

/** In this process the service answers what the program asks for. */
const run = async (program: string, words: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, [...words], { timeout: 120_000, maxBuffer: 16 * 1024 * 1024 })).stdout;

const isInstalled = (await findProgram('ffmpeg')) !== undefined && (await findProgram('ffprobe')) !== undefined;

const film = { width: 1280, height: 720 };
const rate = 10;
const seconds = 14;
const frames = rate * seconds;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'portico-stream-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** A film of some seconds with sound. */
async function source(): Promise<Uint8Array> {
  const file = join(folder(), 'film.mp4');
  const inputs = [`testsrc2=s=1280x720:r=${rate}:d=${seconds}`, `sine=d=${seconds}`];
  const words = [...inputs.flatMap((each) => ['-f', 'lavfi', '-i', each]), ...['-preset', 'ultrafast', '-y', file]];
  await run('ffmpeg', ['-loglevel', 'error', ...words]);
  return readFileSync(file);
}

/** An item whose stream ffmpeg has made of a film of 720 lines, behind a socket: players open its addresses. */
async function streamed(): Promise<{ readonly world: RoomWorld; readonly shapeId: string }> {
  const scratch = folder();
  const transcoder = ffmpegTranscoder({ program: 'ffmpeg', scratch, turns: new Gate({ width: 1 }), megabytes: 8192 });
  onTestFinished(() => transcoder.close?.());
  const open = (options = {}) => openWorld('socket', options);
  const world = await worldOf('placement', { transcoders: [transcoder] }, open);
  const file = [{ id: await fileWith(world, 'film.mp4', await source()) }];
  await shapeWith(world, {
    containerComponent: {
      format: 'mp4',
      duration: { samples: frames, timeBase: { numerator: 1, denominator: rate } },
      file,
    },
    videoComponent: [{ codec: 'h264', resolution: film, file }],
    audioComponent: [{ codec: 'aac', file }],
  });
  await done(world, ask('PUT /API/shape-tag/stream', { format: 'cmaf', video: { preset: ['ultrafast'] } }));
  const { jobId } = await done<JobSeen>(world, ask('POST /API/item/VX-100/transcode?tag=stream&storageId=VX-2'));
  const end = await ended(world, jobId);
  expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
  return { world, shapeId: end.data!.find((each) => each.key === 'shapeIds')!.value };
}

interface Probed {
  readonly streams: readonly Readonly<Record<string, string | number>>[];
  readonly format: { readonly duration: string };
  readonly packets?: readonly { readonly pts_time: string; readonly flags: string }[];
}

/** Output of ffprobe for a manifest whose addresses it opens. */
async function probed(manifest: string, name: string, ...words: readonly string[]): Promise<Probed> {
  const file = join(folder(), name);
  writeFileSync(file, manifest);
  const defaultValue = ['-v', 'error', '-protocol_whitelist', 'file,http,tcp', '-of', 'json'];
  const shown = ['-show_streams', '-show_format', ...words];
  return JSON.parse(await run('ffprobe', [...defaultValue, ...shown, file])) as Probed;
}

const manifestOf = async (world: RoomWorld, format: string) =>
  (await world.send(by(`GET /API/item/VX-100/stream?format=${format}`, undefined, {}))).body;

describe.skipIf(!isInstalled)('a stream that ffmpeg has made', () => {
  it('is played by each of its playlists, with equal segments that begin with key pictures, thumbnails or not', {
    timeout: 120_000,
  }, async () => {
    const { world, shapeId } = await streamed();
    expect(await shapeOf(world, shapeId)).toMatchObject({
      videoComponent: [720, 480, 360].map((height) => ({ codec: 'h264', resolution: { height } })),
      audioComponent: [{ codec: 'aac', channelCount: 2 }],
    });
    const still = jpegFile({ width: 64, height: 36, data: new Uint8Array(64 * 36 * 4) });
    const { uri } = await done<{ uri: string[] }>(world, ask('PUT /API/item/VX-100/thumbnailresource'));
    const headers = { 'content-type': 'image/jpeg' };
    await done(world, { as: admin, headers, request: `PUT ${uri[0]}/0`, body: still });
    const master = await manifestOf(world, 'hls');
    expect(master).toContain('CODECS="avc1.');
    expect([master, await manifestOf(world, 'dash')]).toEqual([
      expect.stringContaining('#EXT-X-IMAGE-STREAM-INF'),
      expect.stringContaining('thumbnail_tile'),
    ]);
    const uris = master.split('\n').filter((line) => line.startsWith('http'));
    expect(uris).toHaveLength(4);
    for (const [at, height] of [720, 480, 360, undefined].entries()) {
      const playlist = (await world.send({ request: `GET ${uris[at]}` })).body;
      const durations = Array.from(playlist.matchAll(/^#EXTINF:([\d.]+)/gm), ([, value]) => Number(value));
      expect(durations.map(Math.round)).toEqual([6, 6, 2]);
      const { streams, packets, format } = await probed(playlist, 'one.m3u8', '-show_packets');
      expect(Number(format.duration)).toBeCloseTo(seconds, 0);
      if (height === undefined) {
        expect(streams).toMatchObject([{ codec_name: 'aac', channels: 2 }]);
        continue;
      }
      expect(streams).toMatchObject([{ codec_name: 'h264', height, r_frame_rate: `${rate}/1` }]);
      expect(packets).toHaveLength(frames);
      const keys = packets!.filter(({ flags }) => flags.startsWith('K')).map(({ pts_time }) => Number(pts_time));
      expect(keys).toEqual([0, 6, 12]);
    }
    for (const [manifest, name] of [
      [master, 'all.m3u8'],
      [await manifestOf(world, 'dash'), 'all.mpd'],
    ] as const) {
      const { streams, format } = await probed(manifest, name);
      const heights = streams.flatMap(({ height }) => height ?? []);
      expect([...new Set(heights)].toSorted(), name).toEqual([360, 480, 720]);
      expect(streams.map((each) => each['codec_name'])).toContain('aac');
      expect(Number(format.duration)).toBeCloseTo(seconds, 0);
    }
  });
});
