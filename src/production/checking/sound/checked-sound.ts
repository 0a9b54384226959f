import type { MeasuredSound } from '../../../spi/index.ts';
import { MediaFault } from '../probing/faults.ts';
import { maxLevels } from './channel-meter.ts';
import { maxEnergies } from './loudness.ts';

type Json = Readonly<Record<string, unknown>>;

const number = (value: unknown, max: number): number => {
  if (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= max) return value;
  throw new MediaFault('broken', 'Expected measures of sound as numbers');
};
const listOf = (value: unknown, max: number): readonly Json[] => {
  if (Array.isArray(value) && value.length <= max) return value as readonly Json[];
  throw new MediaFault('broken', `Expected at most ${max} channels of sound`);
};
const optional = (name: string, value: unknown) =>
  value === undefined || value === null ? {} : { [name]: number(value, 1000) };

/** Measures as another process has sent them: it has opened foreign media. `bytesOf`: bytes as they were sent. */
export function checkedSound(sent: unknown, bytesOf: (text: string) => Uint8Array<ArrayBuffer>): MeasuredSound {
  const { seconds, loudness, range, mix, channels } = (sent ?? {}) as Json;
  return {
    seconds: number(seconds, 1e6),
    ...optional('loudness', loudness),
    ...optional('range', range),
    mix: listOf(mix, 32).map(({ stream, channel, weight }) => ({
      stream: number(stream, 64),
      channel: number(channel, 64),
      weight: number(weight, 10),
    })),
    channels: listOf(channels, 32).map(({ stream, channel, bucket, levels, energies }) => ({
      stream: number(stream, 64),
      channel: number(channel, 64),
      bucket: number(bucket, 1e5),
      levels: pairsIn(levels, 2 * maxLevels, bytesOf),
      energies: pairsIn(energies, maxEnergies, bytesOf),
    })),
  };
}

/** Numbers of two bytes each, as another process has sent them. */
function pairsIn(
  sent: unknown,
  max: number,
  bytesOf: (text: string) => Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const bytes = typeof sent === 'string' && sent.length <= 4 * max ? bytesOf(sent) : undefined;
  if (bytes && bytes.byteLength % 2 === 0) return bytes;
  throw new MediaFault('broken', 'Expected levels and energies of sound');
}
