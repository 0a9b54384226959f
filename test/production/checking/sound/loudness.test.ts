import { describe, expect, it } from 'vitest';
import { maxLevels } from '../../../../src/production/checking/sound/channel-meter.ts';
import {
  integratedLoudness,
  loudnessRange,
  maxEnergies,
  packedEnergies,
  unpackedEnergies,
} from '../../../../src/production/checking/sound/loudness.ts';
import { createMeter } from '../../../../src/production/checking/sound/meter.ts';
import type { MeasuredSound } from '../../../../src/spi/index.ts';

const rate = 48_000;

/** Peak levels of sines of 1 kHz in dBFS, one for each channel, for so many seconds. */
type Tone = readonly [seconds: number, ...levels: readonly number[]];

async function measured(tones: readonly Tone[], sampleRate = rate): Promise<MeasuredSound> {
  const meter = createMeter();
  const channels = tones[0]!.length - 1;
  meter.stream({ channels, sampleRate });
  let at = 0;
  for (const [seconds, ...levels] of tones) {
    const heights = levels.map((level) => 10 ** (level / 20));
    for (let left = Math.round(seconds * sampleRate); left > 0; ) {
      const count = Math.min(left, 40_000);
      const samples = new Float32Array(count * channels);
      for (let frame = 0; frame < count; frame++) {
        const sine = Math.sin((2 * Math.PI * 1000 * at++) / sampleRate);
        for (let channel = 0; channel < channels; channel++)
          samples[frame * channels + channel] = heights[channel]! * sine;
      }
      await meter.samples(samples);
      left -= count;
    }
  }
  return meter.result();
}

const stereo = (...tones: readonly (readonly [seconds: number, level: number])[]): readonly Tone[] =>
  tones.map(([seconds, level]) => [seconds, level, level]);

describe('integrated loudness by EBU Tech 3341', () => {
  it.each<readonly [title: string, tones: readonly Tone[], expected: number]>([
    ['1: a tone', stereo([20, -23]), -23],
    ['2: a quiet tone', stereo([20, -33]), -33],
    ['3: what is much quieter does not count', stereo([10, -36], [60, -23], [10, -36]), -23],
    ['4: nor does silence', stereo([10, -72], [10, -36], [60, -23], [10, -36], [10, -72]), -23],
    ['5: the means of energies', stereo([20, -26], [20.1, -20], [20, -26]), -23],
    ['6: channels behind the listener count more', [[20, -28, -28, -24, -30, -30]], -23],
  ])('%s', async (_title, tones, expected) => {
    // Long ones of a lower rate.
    const { loudness } = await measured(tones, tones.length > 1 ? 16_000 : rate);
    expect(Math.abs(loudness! - expected)).toBeLessThan(0.1);
  });

  it('is the same at other sample rates', async () => {
    for (const sampleRate of [44_100, 22_050, 96_000]) {
      expect(Math.abs((await measured(stereo([3, -23]), sampleRate)).loudness! + 23), String(sampleRate)).toBeLessThan(
        0.1,
      );
    }
  });

  it('leaves out the channel of low frequencies, and silence has none', async () => {
    const six = (low: number): readonly Tone[] => [[2, -28, -28, -24, low, -30, -30]];
    expect((await measured(six(0))).loudness).toBeCloseTo((await measured(six(-90))).loudness!, 6);
    expect(await measured(stereo([4, -80]))).not.toHaveProperty('loudness');
    expect(await measured(stereo([0.2, -20]))).not.toHaveProperty('loudness');
  });
});

describe('loudness range by EBU Tech 3342', () => {
  it.each<readonly [title: string, tones: readonly Tone[], expected: number]>([
    ['1', stereo([20, -20], [20, -30]), 10],
    ['2', stereo([20, -20], [20, -15]), 5],
    ['3', stereo([20, -40], [20, -20]), 20],
    ['4: what is much quieter does not count', stereo([20, -50], [20, -35], [20, -20], [20, -35], [20, -50]), 15],
  ])('%s', async (_title, tones, expected) => {
    // A lower rate is enough, because only differences matter.
    const { range } = await measured(tones, 8000);
    expect(Math.abs(range! - expected)).toBeLessThan(1);
  });
});

describe('levels of sound', () => {
  const levelsOf = ({ channels }: MeasuredSound, at: number) => {
    const { levels, bucket } = channels[at]!;
    const view = new DataView(levels.buffer);
    return {
      bucket,
      heights: Array.from({ length: levels.byteLength / 2 }, (_, each) => view.getUint16(2 * each, true)),
    };
  };

  it('are the largest amplitudes of ten milliseconds, channel by channel', async () => {
    const found = await measured([
      [0.5, -6, -200],
      [0.255, 0, -20],
    ]);
    const { bucket, heights } = levelsOf(found, 0);
    expect([bucket, heights.length]).toEqual([0.01, 76]);
    expect(heights[0]! / 65_535).toBeCloseTo(0.501, 2);
    expect(heights[60]).toBe(65_535);
    expect(levelsOf(found, 1).heights[10]).toBe(0);
    expect(found.seconds).toBeCloseTo(0.755, 6);
  });

  it('are fewer for each second of a long sound', async () => {
    const meter = createMeter();
    meter.stream({ channels: 1, sampleRate: 2000 });
    const seconds = (2 * maxLevels + 100) / 100;
    const samples = new Float32Array(Math.round(2000 * seconds));
    samples[samples.length - 1] = -0.5;
    await meter.samples(samples);
    const { bucket, heights } = levelsOf(meter.result(), 0);
    expect([bucket, heights.length]).toEqual([0.02, maxLevels + 50]);
    expect(heights.at(-1)).toBe(32_768);
  });

  it('numbers that are no sound are silence, and sounds without end are refused', async () => {
    const meter = createMeter();
    expect(() => meter.stream({ channels: 0, sampleRate: 48_000 })).toThrow('sample rate');
    expect(() => meter.stream({ channels: 64, sampleRate: 48_000 })).toThrow('at most 32 channels');
    meter.stream({ channels: 1, sampleRate: 48_000 });
    await meter.samples(Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, 1e30, 0.25));
    expect(levelsOf(meter.result(), 0).heights).toEqual([16_384]);
  });
});

describe('energies', () => {
  it('are kept to a hundredth of a decibel, and a part of them is read', () => {
    const energies = [0, 1, 0.5, 1e-30, 3e-8, 60];
    const packed = packedEnergies(energies);
    expect(packed.byteLength).toBe(12);
    const found = [...unpackedEnergies(packed, 1, 99)];
    expect(found.map((each, at) => Math.abs(each / energies[at + 1]! - 1) < 0.0012)).toEqual([
      ...[true, true],
      // Less than what is kept of silence.
      ...[false, true, true],
    ]);
    expect(unpackedEnergies(packed, 0, 1)).toEqual(Float32Array.of(0));
    expect(unpackedEnergies(packed, 9, 12)).toHaveLength(0);
  });

  it('of channels that would be too many are left out', async () => {
    const meter = createMeter();
    const seconds = maxEnergies / 10 / 5 + 1;
    for (let stream = 0; stream < 5; stream++) {
      meter.stream({ channels: 1, sampleRate: 2000 });
      await meter.samples(new Float32Array(2000 * seconds));
    }
    const { channels } = meter.result();
    expect(channels.map(({ energies }) => energies.byteLength / 2)).toEqual([...Array(4).fill(10 * seconds), 0]);
  });

  it('of no channel have no loudness', () => {
    expect([integratedLoudness([]), loudnessRange([])]).toEqual([undefined, undefined]);
  });
});
