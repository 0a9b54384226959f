import type { InputVideoTrack } from 'mediabunny';
import type { Ratio } from '../../src/spi/index.ts';

const usual: readonly Ratio[] = [
  ...[24, 30, 60, 120].map((rate) => ({ numerator: rate * 1000, denominator: 1001 })),
  ...[12, 15, 24, 25, 30, 48, 50, 60, 100, 120].map((rate) => ({ numerator: rate, denominator: 1 })),
];

/** The rate as the first packets have it: a usual one where that is within a thousandth. */
export async function frameRateOf(track: InputVideoTrack, packets: number): Promise<Ratio | undefined> {
  const { averagePacketRate: rate, packetCount } = await track.computePacketStats(packets, { skipLiveWait: true });
  if (packetCount < 2 || !Number.isFinite(rate) || rate <= 0 || rate > 10_000) return undefined;
  return nearest(rate) ?? { numerator: Math.round(rate * 1000), denominator: 1000 };
}

function nearest(rate: number): Ratio | undefined {
  const distance = ({ numerator, denominator }: Ratio) => Math.abs(numerator / denominator - rate);
  const best = usual.toSorted((one, other) => distance(one) - distance(other))[0]!;
  return distance(best) <= rate * 0.0004 ? best : undefined;
}
