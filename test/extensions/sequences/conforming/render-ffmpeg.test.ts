import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Gate } from '../../../../src/core/lib/gate.ts';
import { findProgram } from '../../../../src/entry/media/child/find-program.ts';
import { ffmpegTranscoder } from '../../../../src/entry/media/ffmpeg/transcoder.ts';
import { png, wav } from '../../../production/checking/samples.ts';
import { ended, type JobSeen } from '../../../support/files.ts';
import { fileWith, openTranscoding, setPreset, shapeOf, shapeWith } from '../../../support/media.ts';
import { ask, done } from '../../../support/requests.ts';

const hasFfmpeg = (await findProgram('ffmpeg')) !== undefined;
const at = (samples: number) => ({ samples, timeBase: { numerator: 1, denominator: 25 } });

describe.skipIf(!hasFfmpeg)('ffmpeg, where it is installed', () => {
  it('renders a sequence of a sound, a gap and a picture into a film that the media check understands', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'portico-render-'));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    const transcoder = ffmpegTranscoder({ program: 'ffmpeg', scratch, turns: new Gate({ width: 1 }), megabytes: 8192 });
    onTestFinished(() => transcoder.close!());
    const world = await openTranscoding({ transcoders: [transcoder] });
    const sound = await fileWith(world, 'a.wav', new Uint8Array(await wav({ seconds: 3 })));
    await shapeWith(world, { audioComponent: [{ codec: 'pcm', file: [{ id: sound }] }] });
    const still = await fileWith(world, 'b.png', png(64, 48));
    const video = { codec: 'png', numberOfPackets: 1, resolution: { width: 64, height: 48 }, file: [{ id: still }] };
    await shapeWith(world, { videoComponent: [video] }, 'original', 'VX-101');
    await setPreset(world, 'cut', { format: 'mp4', video: { codec: 'h264' }, audio: { codec: 'aac' } });
    const segment = [
      { item: 'VX-100', sourceTrack: 1, in: at(0), out: at(50), sourceIn: at(20) },
      { item: 'VX-101', sourceTrack: 1, in: at(60), out: at(100) },
    ];
    const job = await done<JobSeen>(
      world,
      ask('POST /API/sequence/render?tag=cut&destinationItem=VX-101', { sequence: { track: [{ segment }] } }),
    );
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
    const made = end.data!.find(({ key }) => key === 'shapeIds')!.value;
    const shape = await shapeOf(world, made!, 'VX-101');
    expect(shape).toMatchObject({
      mimeType: ['video/mp4'],
      videoComponent: [{ codec: 'h264', resolution: { width: 64, height: 48 } }],
      audioComponent: [{ codec: 'aac', channelCount: 2 }],
    });
    const { samples, timeBase } = (shape.containerComponent as { duration: ReturnType<typeof at> }).duration;
    expect((samples * timeBase.numerator) / timeBase.denominator).toBeCloseTo(4, 1);
    const crop = await done<JobSeen>(
      world,
      ask(
        `POST /API/item/VX-101/shape/${made}/smartcrop-render?tag=cut&left=20&top=30&width=30&height=16&interval=2.4-3`,
      ),
    );
    const cropped = await ended(world, crop.jobId);
    expect(cropped.status, JSON.stringify(cropped.log)).toBe('FINISHED');
    const part = await shapeOf(world, cropped.data!.find(({ key }) => key === 'shapeIds')!.value, 'VX-101');
    expect(part).toMatchObject({ videoComponent: [{ resolution: { width: 30, height: 16 } }] });
    // The cut of one interval, as a new item with thumbnails.
    const interval = { start: at(2), end: at(12) };
    const trim = await done<JobSeen>(
      world,
      ask('POST /API/conform?tag=cut&sourceTag=cut&createPosters=0', {
        conform: { timeline: { segment: [{ source: { id: 'VX-101', interval } }] } },
      }),
    );
    const trimmed = await ended(world, trim.jobId);
    expect(trimmed.status, JSON.stringify(trimmed.log)).toBe('FINISHED');
    const item = trimmed.data!.find(({ key }) => key === 'itemId')!.value;
    const seen = await done<Record<string, { uri?: string[] }>>(
      world,
      ask(`GET /API/item/${item}?content=thumbnail,poster`),
    );
    expect(['thumbnails', 'posters'].map((kind) => (seen[kind]?.uri ?? []).length > 0)).toEqual([true, true]);
    const { containerComponent } = await shapeOf(
      world,
      trimmed.data!.find(({ key }) => key === 'shapeIds')!.value,
      item,
    );
    const { duration } = containerComponent as { duration: ReturnType<typeof at> };
    expect((duration.samples * duration.timeBase.numerator) / duration.timeBase.denominator).toBeCloseTo(0.4, 1);
    expect(readdirSync(scratch)).toEqual([]);
  });
});
