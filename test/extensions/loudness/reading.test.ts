import { expect, it } from 'vitest';
import { forwardSource } from '../../../src/extensions/loudness/measure.ts';
import { waveformValues } from '../../../src/extensions/loudness/waveform-routes.ts';

it('each value is the largest of its part, and there is silence behind the end', () => {
  const heights = [0, 65_535, 6554, 0];
  const levels = new Uint8Array(heights.flatMap((height) => [height & 255, height >> 8]));
  const row = { stream: 0, channel: 0, bucket: 0.5, levels };
  const shown = { start: 0, end: 2, width: 2, inDecibels: false };
  expect(waveformValues(row, shown)).toEqual([1, 0.10001]);
  expect(waveformValues(row, { ...shown, start: 1, end: 3, width: 4 })).toEqual([0.10001, 0, 0, 0]);
  expect(waveformValues(row, { ...shown, width: 8, inDecibels: true })).toEqual([
    -100, -100, 0, 0, -20, -20, -100, -100,
  ]);
});

it('a finished file is read forwards, and once more from its beginning', async () => {
  let opened = 0;
  const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
  const body = () => {
    opened++;
    return new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < 1000; at += 300) controller.enqueue(bytes.slice(at, at + 300));
        controller.close();
      },
    });
  };
  const source = forwardSource({ size: 1000, body });
  const ranges = [
    [0, 10],
    [5, 700],
    [700, 1000],
    [0, 1],
    [990, 1000],
    [1000, 1000],
  ] as const;
  const found = await Promise.all(ranges.map(([from, end]) => source.read({ from, end })));
  expect(found).toEqual(ranges.map(([from, end]) => bytes.slice(from, end)));
  expect(opened).toBe(3);
  await source.close();
  await expect(forwardSource({ size: 2000, body }).read({ from: 0, end: 2000 })).rejects.toThrow('found 1000');
});
