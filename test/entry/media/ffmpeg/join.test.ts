import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Gate } from '../../../../src/core/lib/gate.ts';
import { findProgram } from '../../../../src/entry/media/child/find-program.ts';
import { joinArguments } from '../../../../src/entry/media/ffmpeg/arguments.ts';
import { ffmpegTranscoder } from '../../../../src/entry/media/ffmpeg/transcoder.ts';
import type { JoinOrder, JoinPart, MediaSource, TranscodeOrder, Transcoder } from '../../../../src/spi/index.ts';
import { png, wav } from '../../../production/checking/samples.ts';

const hasFfmpeg = (await findProgram('ffmpeg')) !== undefined;
const encoders = new Set(['libx264', 'aac', 'mpeg4', 'pcm_s16le']);
const none = { presets: [], profiles: [], settings: [] };
const order: TranscodeOrder = {
  format: 'mp4',
  video: { ...none, codec: 'h264' },
  audio: { channels: [], streams: [], settings: [] },
  fastStart: true,
};
const canvas = { width: 64, height: 48, frame: { numerator: 1, denominator: 25 } };
const sourceOf = (bytes: Uint8Array, name: string): MediaSource => ({
  size: bytes.byteLength,
  name,
  read: async ({ from, end }) => bytes.slice(from, end),
});
const nothing = sourceOf(new Uint8Array(1), 'a');
const part = (change: Partial<JoinPart> = {}): JoinPart => ({
  ...{ source: nothing, from: 0, seconds: 1, pictures: 'moving', hasSound: true, pictureTrack: 0, soundTrack: 0 },
  ...change,
});
const making = { encoders, filters: new Set<string>() };
const words = ({ parts = [part()], ...change }: Partial<JoinOrder>, uris: readonly (string | undefined)[] = ['u0']) =>
  joinArguments(
    { order, parts, canvas, ...change },
    uris,
    parts.map(() => making),
  ).join(' ');

describe('the arguments of ffmpeg for parts', () => {
  it('read each part as an input of its own, with the same protocols and formats as any other', () => {
    const parts = [
      part({ from: 2.5, seconds: 2 }),
      part({ source: undefined, seconds: 0.04 }),
      part({ pictures: 'still' }),
    ];
    const text = words({ parts }, ['u0', undefined, 'u2']);
    const [, first, second] = text.split('-protocol_whitelist http,tcp -format_whitelist ');
    expect(first).toMatch(/ -threads 1 -ss 2\.500000 -t 2\.000000 -i u0 $/);
    expect(second).toMatch(/ -threads 1 -i u2 -filter_complex \[0:v:0\]/);
    expect(text).toContain('color=c=black:s=64x48:r=25/1,format=yuv420p,setsar=1,trim=end_frame=1,');
    expect(text).toContain('anullsrc=r=48000:cl=stereo,');
    expect(text).toContain('[1:v:0]setpts');
    expect(text).toContain('[v0][a0][v1][a1][v2][a2]concat=n=3:v=1:a=1[v][sound];[v]scale=trunc');
    expect(text).toMatch(/-map \[video\] -c:v libx264 .*-map \[sound\] -c:a aac .*-f mp4$/);
  });

  it('take the tracks that a part names', () => {
    const parts = [part({ soundTrack: 3 }), part({ pictureTrack: 1, pictures: 'still' })];
    const text = words({ parts }, ['u0', 'u1']);
    for (const stream of ['[0:v:0]setpts', '[0:a:3]asetpts', '[1:v:1]setpts', '[1:a:0]asetpts']) {
      expect(text).toContain(stream);
    }
  });

  it('cut the rectangle out before pictures get their size', () => {
    const crop = { left: 4, top: 2, width: 20, height: 10 };
    expect(words({ parts: [part({ crop })] })).toContain('setpts=PTS-STARTPTS,crop=20:10:4:2,scale=iw*sar:ih,');
    expect(words({})).not.toContain('crop=');
  });

  it('leave out what the order does not want', () => {
    expect(words({ order: { ...order, video: null, format: 'm4a' } })).toContain(
      '[a0]concat=n=1:v=0:a=1[sound] -map [sound]',
    );
    expect(words({ order: { ...order, audio: null } })).toMatch(
      /\[v0\]concat=n=1:v=1:a=0\[v\];.* -map \[video\] -c:v libx264/,
    );
    expect(words({ parts: [part({ pictures: 'none' })] })).toContain('color=c=black');
    expect(words({ parts: [part({ hasSound: false })] })).toContain('anullsrc');
    expect(words({ order: { ...order, audio: { ...order.audio!, channels: [0] } } })).toContain(' -ac 1 ');
  });

  it.each([
    [{ channels: [1], streams: [] }, 'audio.channel=1'],
    [{ channels: [0, 1, 2], streams: [] }, 'audio.channel=0,1,2'],
    [{ channels: [], streams: [1] }, 'audio.stream=1'],
  ])('refuse %j', (change, says) => {
    expect(() => words({ order: { ...order, audio: { ...order.audio!, ...change } } })).toThrow(says);
  });
});

function opened(): { readonly transcoder: Transcoder; readonly left: () => readonly string[] } {
  const scratch = mkdtempSync(join(tmpdir(), 'portico-join-'));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  const transcoder = ffmpegTranscoder({ program: 'ffmpeg', scratch, turns: new Gate({ width: 1 }), megabytes: 8192 });
  return { transcoder, left: () => readdirSync(scratch) };
}

const options = { signal: new AbortController().signal, progress: () => undefined };

async function joined(transcoder: Transcoder, parts: readonly JoinPart[], change: Partial<TranscodeOrder> = {}) {
  const made = await transcoder.join!({ order: { ...order, ...change }, parts, canvas }, options);
  const bytes = new Uint8Array(await new Response(made.body()).arrayBuffer());
  expect(bytes.byteLength).toBe(made.size);
  await made.close();
  return { bytes, warnings: made.warnings };
}

/** Bytes of 16 bits behind a header, as samples of the first of two channels. */
function loudest(bytes: Uint8Array, from: number, to: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const begin = bytes.byteLength % 4 === 0 ? 44 : 46;
  let max = 0;
  for (let at = Math.round(from * 48_000); at < Math.round(to * 48_000); at++) {
    const place = begin + at * 4;
    if (place + 2 <= bytes.byteLength) max = Math.max(max, Math.abs(view.getInt16(place, true)));
  }
  return max;
}

describe.skipIf(!hasFfmpeg)('ffmpeg, where it is installed', () => {
  it('puts parts one behind the other, as long as they are, with black pictures and silence between', async () => {
    const { transcoder, left } = opened();
    const sound = sourceOf(await wav({ seconds: 3 }), 'a.wav');
    const still = sourceOf(png(64, 16), 'a.png');
    const clip = await joined(transcoder, [
      part({ source: sound, from: 1, seconds: 1, pictures: 'none' }),
      part({ source: still, seconds: 0.48, pictures: 'still', hasSound: false }),
    ]);
    expect(clip.warnings).toEqual([]);
    // A second time, of a clip that has pictures: its last second is longer than the clip.
    const film = sourceOf(clip.bytes, 'b.mp4');
    const again = await joined(
      transcoder,
      [
        part({ source: film, from: 0.2, seconds: 0.4 }),
        part({ source: undefined, seconds: 0.6 }),
        part({ source: film, from: 0.5, seconds: 1.2 }),
      ],
      { format: 'mov', audio: { ...order.audio!, codec: 'pcm_s16le' } },
    );
    expect(again.warnings).toEqual([]);
    const seconds: number[] = [];
    const shot = { seconds: [0.1, 2.1], type: 'image/png' } as const;
    await transcoder.stills(
      sourceOf(again.bytes, 'c.mov'),
      shot,
      async (each) => void seconds.push(each.seconds),
      options,
    );
    expect(seconds).toEqual([0.1, 2.1]);
    const heard = await joined(transcoder, [part({ source: sourceOf(again.bytes, 'c.mov'), seconds: 2.2 })], {
      format: 'wav',
      video: null,
    });
    expect(loudest(heard.bytes, 0.05, 0.35)).toBeGreaterThan(1000);
    expect(loudest(heard.bytes, 0.45, 0.95)).toBeLessThan(50);
    expect(loudest(heard.bytes, 1.05, 1.45)).toBeGreaterThan(1000);
    expect(heard.bytes.byteLength).toBeGreaterThan(2.19 * 48_000 * 4);
    expect(heard.bytes.byteLength).toBeLessThan(2.21 * 48_000 * 4 + 200);
    expect(left()).toEqual([]);
  });
});
