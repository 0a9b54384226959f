import { type Biquad, kWeighting } from './k-weighting.ts';

/** Values of a waveform: once there are twice as many, two become one. */
export const mostLevels = 16_384;
/** Blocks of 100 ms: twelve hours. */
export const mostBlocks = 12 * 36_000;

/** Measures one channel: its energy as ears weigh it, and the largest amplitudes. */
export class ChannelMeter {
  readonly #rate: number;
  readonly #shelf: Biquad;
  readonly #pass: Biquad;
  readonly #energies: number[] = [];
  #levels: number[] = [];
  #samples = 0;
  #energy = 0;
  #blockBegin = 0;
  #blockEnd: number;
  /** Number of samples covered by one level. */
  #width: number;
  #levelEnd: number;
  #peak = 0;
  // State of the filters.
  #s1 = 0;
  #s2 = 0;
  #p1 = 0;
  #p2 = 0;

  constructor(sampleRate: number) {
    this.#rate = sampleRate;
    [this.#shelf, this.#pass] = kWeighting(sampleRate);
    this.#blockEnd = Math.round(sampleRate / 10);
    this.#width = Math.max(1, Math.round(sampleRate / 100));
    this.#levelEnd = this.#width;
  }

  get seconds(): number {
    return this.#samples / this.#rate;
  }

  get energies(): readonly number[] {
    return this.#energies;
  }

  /** Seconds covered by one level. */
  get bucket(): number {
    return this.#width / this.#rate;
  }

  /** Samples of several channels in turn: every `step`th of them, from the first on, is of this one. */
  push(samples: Float32Array, first: number, step: number): void {
    const { b0, b1, b2, a1, a2 } = this.#shelf;
    const { a1: c1, a2: c2 } = this.#pass;
    for (let at = first; at < samples.length; at += step) {
      const rawSample = samples[at]!;
      const sample = rawSample >= -8 && rawSample <= 8 ? rawSample : 0;
      const shelved = b0 * sample + this.#s1;
      this.#s1 = b1 * sample - a1 * shelved + this.#s2;
      this.#s2 = b2 * sample - a2 * shelved;
      const weighed = shelved + this.#p1;
      this.#p1 = -2 * shelved - c1 * weighed + this.#p2;
      this.#p2 = shelved - c2 * weighed;
      this.#energy += weighed * weighed;
      const height = sample < 0 ? -sample : sample;
      if (height > this.#peak) this.#peak = height;
      this.#samples++;
      if (this.#samples === this.#blockEnd) this.#endBlock();
      if (this.#samples === this.#levelEnd) this.#endLevel();
    }
  }

  /** The largest amplitudes, from 0 to 65,535, the lower byte first. */
  levels(): Uint8Array<ArrayBuffer> {
    if (this.#samples > this.#levelEnd - this.#width) this.#endLevel();
    const bytes = new Uint8Array(this.#levels.length * 2);
    const view = new DataView(bytes.buffer);
    for (const [at, level] of this.#levels.entries()) {
      view.setUint16(at * 2, Math.round(Math.min(1, level) * 65_535), true);
    }
    return bytes;
  }

  #endBlock(): void {
    const length = this.#blockEnd - this.#blockBegin;
    this.#energies.push(this.#energy / length);
    this.#energy = 0;
    this.#blockBegin = this.#blockEnd;
    this.#blockEnd = Math.round(((this.#energies.length + 1) * this.#rate) / 10);
  }

  #endLevel(): void {
    this.#levels.push(this.#peak);
    this.#peak = 0;
    if (this.#levels.length === 2 * mostLevels) {
      const pairs = this.#levels;
      this.#levels = Array.from({ length: mostLevels }, (_, at) => Math.max(pairs[2 * at]!, pairs[2 * at + 1]!));
      this.#width *= 2;
    }
    this.#levelEnd = (this.#levels.length + 1) * this.#width;
  }
}
