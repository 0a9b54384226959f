/** The energies of a channel, a value for each 100 ms, and how much it counts. */
interface WeightedChannel {
  readonly energies: readonly number[] | Float32Array;
  readonly weight: number;
}

/** Blocks of 100 ms in what is judged at once. */
const momentary = 4;
const shortTerm = 30;

/** LUFS below which nothing counts. */
const silence = -70;

const loudnessOf = (energy: number): number =>
  energy > 0 ? -0.691 + 10 * Math.log10(energy) : Number.NEGATIVE_INFINITY;
const energyOf = (loudness: number): number => 10 ** ((loudness + 0.691) / 10);

/** The energies of all channels over so many blocks, moved on by one block each. */
function windows(channels: readonly WeightedChannel[], width: number): Float64Array {
  const count = channels.length === 0 ? 0 : Math.min(...channels.map(({ energies }) => energies.length));
  const sums = new Float64Array(Math.max(0, count - width + 1));
  for (const { energies, weight } of channels) {
    let running = 0;
    for (let at = 0; at < count; at++) {
      running += energies[at]!;
      if (at >= width) running -= energies[at - width]!;
      if (at >= width - 1) sums[at - width + 1]! += (weight * Math.max(0, running)) / width;
    }
  }
  return sums;
}

const mean = (energies: Float64Array): number => energies.reduce((sum, each) => sum + each, 0) / energies.length;

/** Blocks above silence and above the relative threshold, which is `below` LU under their mean. */
function gated(energies: Float64Array, below: number): Float64Array {
  const loud = energies.filter((each) => each > energyOf(silence));
  if (loud.length === 0) return loud;
  const least = Math.max(energyOf(silence), energyOf(loudnessOf(mean(loud)) - below));
  return loud.filter((each) => each > least);
}

/** Integrated loudness by EBU R 128, in LUFS. Undefined: silence, or shorter than 400 ms. */
export function integratedLoudness(channels: readonly WeightedChannel[]): number | undefined {
  const loudWindows = gated(windows(channels, momentary), 10);
  return loudWindows.length === 0 ? undefined : loudnessOf(mean(loudWindows));
}

/** Loudness range by EBU Tech 3342, in LU. Undefined: all is silence, or shorter than three seconds. */
export function loudnessRange(channels: readonly WeightedChannel[]): number | undefined {
  const loudWindows = gated(windows(channels, shortTerm), 20).sort();
  if (loudWindows.length === 0) return undefined;
  const at = (part: number) => loudnessOf(loudWindows[Math.round((loudWindows.length - 1) * part)]!);
  return at(0.95) - at(0.1);
}

/** Energies that are kept, of all channels together: two channels of six hours. */
export const maxEnergies = 12 * 36_000;

/** Decibels that the number 1 stands for. Zero is silence. */
const quietest = -150;

/** Energies as hundredths of a decibel above the quietest, in two bytes each, little endian. */
export function packedEnergies(energies: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(energies.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [at, energy] of energies.entries()) {
    const hundredths = energy > 0 ? Math.round(100 * (10 * Math.log10(energy) - quietest)) + 1 : 0;
    view.setUint16(at * 2, Math.min(65_535, Math.max(0, hundredths)), true);
  }
  return bytes;
}

/** The energies from one 100 ms to another. */
export function unpackedEnergies(bytes: Uint8Array, first: number, end: number): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = Math.min(first, bytes.byteLength / 2);
  const energies = new Float32Array(Math.max(0, Math.min(end, bytes.byteLength / 2) - from));
  for (let at = 0; at < energies.length; at++) {
    const hundredths = view.getUint16((from + at) * 2, true);
    if (hundredths > 0) energies[at] = 10 ** ((hundredths - 1) / 1000 + quietest / 10);
  }
  return energies;
}
