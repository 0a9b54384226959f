import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Gate } from '../../../../src/core/lib/gate.ts';
import { findProgram } from '../../../../src/entry/media/child/find-program.ts';
import { ffmpegTranscoder } from '../../../../src/entry/media/ffmpeg/transcoder.ts';
import { emptyPixels } from '../../../../src/extensions/pictures/canvas.ts';
import { writePixels } from '../../../../src/extensions/pictures/pixels.ts';
import { segmentIndexOf } from '../../../../src/production/transcoding/streams/segment-index.ts';

const isInstalled = (await findProgram('ffmpeg')) !== undefined && (await findProgram('ffprobe')) !== undefined;

const size = { width: 160, height: 90 };
const run = (program: string, words: readonly string[]) => execFileSync(program, [...words], { encoding: 'buffer' });

/** A rendition of eight seconds, as a stream has it: two segments, the second of two seconds. */
function rendition(folder: string): Uint8Array {
  const file = join(folder, 'film.mp4');
  const input = ['-f', 'lavfi', '-i', `color=gray:s=${size.width}x${size.height}:r=30000/1001:d=8`];
  const pictures = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-pix_fmt', 'yuv420p'];
  const keys = ['-force_key_frames', 'expr:gte(t,n_forced*6)', '-g', '100000', '-sc_threshold', '0'];
  const output = ['-movflags', '+cmaf+global_sidx+frag_keyframe', '-f', 'mp4', '-y', file];
  run('ffmpeg', ['-loglevel', 'error', ...input, ...pictures, ...keys, ...output]);
  return readFileSync(file);
}

it.skipIf(!isInstalled)(
  'segments with a mark have the times of those without, one head, and the mark in each picture',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-mark-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const gate = new Gate({ width: 1 });
    const transcoder = ffmpegTranscoder({ program: 'ffmpeg', scratch: folder, turns: gate, megabytes: 8192 });
    onTestFinished(() => transcoder.close?.());
    expect(await transcoder.abilities()).toMatchObject({ marks: true });
    const film = rendition(folder);
    const index = segmentIndexOf(film, film.byteLength);
    const { data } = emptyPixels(size.width, size.height, [255, 255, 255, 255]);
    const overlay = await writePixels({ ...size, data: data.fill(0, 0, data.byteLength / 2) }, 'image/png');
    /** Times of the pictures, and the mean brightness of the upper and the lower half of the last one. */
    const seen = (bytes: Uint8Array) => {
      const file = join(folder, 'one.mp4');
      writeFileSync(file, bytes);
      const shown = ['-v', 'error', '-show_entries', 'packet=pts', '-of', 'csv=p=0', file];
      const times = run('ffprobe', shown)
        .toString()
        .trim()
        .split(/\s+/)
        .map(Number)
        .toSorted((a, b) => a - b);
      const grey = ['-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'];
      const pixels = run('ffmpeg', ['-loglevel', 'error', '-i', file, '-frames:v', '1', ...grey]);
      const mean = (part: Uint8Array) => Math.round(part.reduce((sum, value) => sum + value, 0) / part.byteLength);
      return {
        times,
        halves: [mean(pixels.subarray(0, pixels.byteLength / 2)), mean(pixels.subarray(pixels.byteLength / 2))],
      };
    };
    const heads = new Set<string>();
    let from = index.start;
    for (const [bytes] of index.segments) {
      const segment = Buffer.concat([film.subarray(0, index.head), film.subarray(from, from + bytes)]);
      from += bytes;
      const source = {
        size: segment.byteLength,
        read: async ({ from: begin, end }: { from: number; end: number }) => segment.subarray(begin, end),
      };
      const order = { overlay, timescale: index.timescale, bitrate: 1_000_000 };
      const marked = await transcoder.mark!(source, order, { signal: new AbortController().signal });
      const [before, after] = [seen(segment), seen(marked)];
      expect(after.times).toEqual(before.times);
      expect(before.halves[0]).toBeCloseTo(before.halves[1]!, -1);
      expect(after.halves[1]! - after.halves[0]!).toBeGreaterThan(80);
      heads.add(
        Buffer.from(marked)
          .subarray(0, Buffer.from(marked).indexOf('moof') - 4)
          .toString('base64'),
      );
    }
    expect([index.segments.length, heads.size]).toEqual([2, 1]);
    const broken = { size: 4, read: async () => new Uint8Array(4) };
    const order = { overlay, timescale: 1000, bitrate: 1_000_000 };
    await expect(transcoder.mark!(broken, order, { signal: new AbortController().signal })).rejects.toMatchObject({
      kind: 'broken',
    });
  },
);
