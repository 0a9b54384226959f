import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSegmentIndex, segmentIndexOf } from '../../../src/production/transcoding/streams/segment-index.ts';
import { JobFails } from '../../../src/room/jobs/job-type.ts';
import { box, type CmafWanted, cmaf, sidxOf } from './cmaf-samples.ts';

const indexOf = (wanted?: CmafWanted) => {
  const bytes = cmaf(wanted);
  return segmentIndexOf(bytes, bytes.byteLength);
};

/** Bytes of the headers ahead of the samples of a segment. */
const ahead = 96;

describe('the index of a rendition', () => {
  it('has the codec, the size, the rate and each segment of pictures', () => {
    const bytes = cmaf({ size: [1280, 720], samples: 150 });
    const index = segmentIndexOf(bytes, bytes.byteLength);
    expect(index).toMatchObject({
      codecs: 'avc1.640028',
      size: { width: 1280, height: 720 },
      frameRate: 25,
      timescale: 1000,
      segments: [
        [2000 + ahead, 6000],
        [1000 + ahead, 6000],
        [500 + ahead, 1500],
      ],
    });
    const { head, index: place, start, segments } = index;
    expect(place).toEqual([head, start]);
    expect(start + segments.reduce((sum, [length]) => sum + length, 0)).toBe(bytes.byteLength);
    expect(new TextDecoder('latin1').decode(bytes.subarray(start + 4, start + 8))).toBe('moof');
  });

  it('has the codec and the channels of sound', () => {
    const index = indexOf();
    expect(index).toMatchObject({ codecs: 'mp4a.40.2', channels: 2, timescale: 1000 });
    expect(index).not.toHaveProperty('size');
    expect(index).not.toHaveProperty('frameRate');
  });

  it('is read from the beginning of a file alone', async () => {
    const bytes = cmaf({ size: [64, 48] });
    let [taken, isCancelled] = [0, false];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(bytes.slice(taken, taken + 100));
          taken += 100;
        },
        cancel() {
          isCancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    expect(await readSegmentIndex(body, bytes.byteLength)).toEqual(segmentIndexOf(bytes, bytes.byteLength));
    expect([isCancelled, taken < bytes.byteLength]).toEqual([true, true]);
  });

  const entry = [1, 1] as const;
  const hostile: readonly (readonly [what: string, wanted: CmafWanted, said: string])[] = [
    ['no index', { sidx: () => box('free') }, 'no sidx'],
    ['an empty index', { sidx: () => sidxOf(1000, []) }, 'empty'],
    [
      'no ticks',
      {
        sidx: (sizes) =>
          sidxOf(
            0,
            sizes.map((each) => [each, 1]),
          ),
      },
      'empty',
    ],
    ['more segments than half a day has', { sidx: () => sidxOf(1000, Array(7_201).fill(entry)) }, 'more than 7200'],
    ['segments behind its end', { sidx: () => sidxOf(1000, [[1_000_000, 1]]) }, 'longer than the file'],
    ['an index of indexes', { sidx: () => sidxOf(1000, [[0x8000_0001, 1]]) }, 'several levels'],
    ['an index that is cut', { sidx: () => box('sidx', 0, 1, 1000, 0, 0, 500) }, 'shorter than its fields'],
  ];
  it.each(hostile)('of a file with %s fails the job', (_what, wanted, said) => {
    expect(() => indexOf({ size: [64, 48], ...wanted })).toThrow(JobFails);
    expect(() => indexOf({ size: [64, 48], ...wanted })).toThrow(said);
  });

  it('of a file that never comes to its samples stops after 4 MiB', async () => {
    let taken = 0;
    const piece = new Uint8Array(1024 * 1024);
    piece.set(box('free', new Uint8Array(1024 * 1024 - 8)));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        taken++;
        controller.enqueue(piece);
      },
    });
    await expect(readSegmentIndex(body, 1e12)).rejects.toThrow('more than 4194304 bytes');
    expect(taken).toBeLessThan(8);
  });

  it('of any bytes is an index, or fails the job', () => {
    const whole = cmaf({ size: [64, 48] });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(whole.byteLength - 1), fc.nat(255)), { maxLength: 20 }), (changes) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        try {
          segmentIndexOf(bytes, bytes.byteLength);
        } catch (error) {
          expect(error).toBeInstanceOf(JobFails);
        }
      }),
      { numRuns: 500 },
    );
  });
});
