import { yieldTurn } from '../../../core/lib/turn.ts';
import type { MeasuredSound, SoundSink } from '../../../spi/index.ts';
import { MediaFault } from '../probing/faults.ts';
import { ChannelMeter, maxBlocks } from './channel-meter.ts';
import { integratedLoudness, loudnessRange, maxEnergies, packedEnergies } from './loudness.ts';

const maxChannels = 32;
/** Values of all channels between two turns of the loop: some milliseconds. */
const turnOf = 262_144;

/** Measures all channels that it is given. `onProgress`: how far it is, once in a while. */
export function createMeter(onProgress: (seconds: number) => void = () => undefined): SoundSink & {
  result(): MeasuredSound;
} {
  const streams: ChannelMeter[][] = [];
  let values = 0;

  return {
    stream({ channels, sampleRate }) {
      const isSound = Number.isInteger(channels) && channels > 0 && sampleRate >= 2000 && sampleRate <= 768_000;
      if (!isSound) throw new MediaFault('broken', `Expected channels with a sample rate: found ${sampleRate}`);
      if (streams.flat().length + channels > maxChannels) {
        throw new MediaFault('exhausted', `Expected at most ${maxChannels} channels of sound`);
      }
      streams.push(Array.from({ length: channels }, () => new ChannelMeter(sampleRate)));
    },
    async samples(interleaved) {
      const meters = streams.at(-1)!;
      for (const [at, meter] of meters.entries()) meter.push(interleaved, at, meters.length);
      if (meters[0]!.energies.length > maxBlocks) {
        throw new MediaFault('exhausted', 'Expected sound of at most twelve hours');
      }
      values += interleaved.length;
      if (values < turnOf) return;
      values = 0;
      onProgress(meters[0]!.seconds);
      await yieldTurn();
    },
    result() {
      const mix = mixOf(streams);
      const weighted = mix.map(({ stream, channel, weight }) => ({
        energies: streams[stream]![channel]!.energies,
        weight,
      }));
      const loudness = mix.length === 0 ? undefined : integratedLoudness(weighted);
      const range = mix.length === 0 ? undefined : loudnessRange(weighted);
      let left = maxEnergies;
      return {
        seconds: Math.max(0, ...streams.map(([meter]) => meter!.seconds)),
        ...(loudness !== undefined && { loudness }),
        ...(range !== undefined && { range }),
        mix,
        channels: streams.flatMap((meters, stream) =>
          meters.map((meter, channel) => {
            const levels = meter.levels();
            const isKept = meter.energies.length <= left;
            if (isKept) left -= meter.energies.length;
            const energies = packedEnergies(isKept ? meter.energies : []);
            return { stream, channel, bucket: meter.bucket, levels, energies };
          }),
        ),
      };
    },
  };
}

/**
 * Weights of surround channels. The fourth of six channels is for low frequencies and does not count; those after it
 * count more.
 */
const surround: readonly number[] = [1, 1, 1, 0, 1.41, 1.41];
const surroundWithout: readonly number[] = [1, 1, 1, 1.41, 1.41];

/** Channels of the programme: those of the first stream, or of the first two if each has one channel. */
function mixOf(streams: readonly (readonly ChannelMeter[])[]): MeasuredSound['mix'] {
  const [first = [], second = []] = streams;
  const isPair = first.length === 1 && second.length === 1;
  if (isPair) return [0, 1].map((stream) => ({ stream, channel: 0, weight: 1 }));
  const weights = first.length === 6 ? surround : first.length === 5 ? surroundWithout : [];
  return first
    .map((_meter, channel) => ({ stream: 0, channel, weight: weights[channel] ?? 1 }))
    .filter(({ weight }) => weight > 0);
}
