import { describe, expect, it } from 'vitest';
import { countingOf, frameAt, timecode, timeOf } from '../../src/player/frames.ts';
import { shuttled } from '../../src/player/shuttle.ts';

const pal = { rate: { numerator: 25, denominator: 1 }, drop: false, start: 0 };
const ntsc = { rate: { numerator: 30000, denominator: 1001 }, drop: true, start: 0 };
const double = { rate: { numerator: 60000, denominator: 1001 }, drop: true, start: 0 };
const film = { rate: { numerator: 24000, denominator: 1001 }, drop: false, start: 0 };

describe('time codes', () => {
  it.each([
    [0, pal, '00:00:00:00'],
    [90_025, pal, '01:00:01:00'],
    [5, { ...pal, start: 900_000 }, '10:00:00:05'],
    [1799, ntsc, '00:00:59;29'],
    [1800, ntsc, '00:01:00;02'],
    [17_981, ntsc, '00:09:59;29'],
    [17_982, ntsc, '00:10:00;00'],
    [107_892, ntsc, '01:00:00;00'],
    [0, { ...ntsc, start: 107_892 }, '01:00:00;00'],
    [3600, double, '00:01:00;04'],
    [24, film, '00:00:01:00'],
    [25 * 3600 * 24, pal, '00:00:00:00'],
  ])('frame %i is %j', (frame, counting, wanted) => {
    expect(timecode(frame, counting)).toBe(wanted);
  });

  it.each([pal, ntsc, double, film])(
    'steps to each frame and stays there, in whatever way a browser rounds: %j',
    ({ rate }) => {
      for (let frame = 0; frame < 5000; frame++) {
        const time = timeOf(frame, rate);
        for (const rounded of [time, Math.floor(time * 1e3) / 1e3, Math.round(time * 1e6) / 1e6]) {
          expect(frameAt(rounded, rate)).toBe(frame);
        }
      }
    },
  );

  it('counts at 25 frames where a shape tells no rate', () => {
    expect(countingOf(undefined)).toEqual(pal);
  });
});

it('J, K and L step through the speeds and stop at the ends', () => {
  expect([shuttled(0, 'l'), shuttled(1, 'l'), shuttled(4, 'l')]).toEqual([1, 2, 4]);
  expect([shuttled(0, 'j'), shuttled(-4, 'j'), shuttled(2, 'k')]).toEqual([-1, -4, 0]);
});
