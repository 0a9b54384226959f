/** A filter of the second order, as its coefficients. */
interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/** The shelf and the high pass of ITU-R BS.1770, as analogue values: they hold for every sample rate. */
const shelf = { frequency: 1681.974450955533, gain: 3.999843853973347, quality: 0.7071752369554196 };
const pass = { frequency: 38.13547087602444, quality: 0.5003270373238773 };
/** Share of the shelf's gain at its centre frequency. */
const middle = 0.4996667741545416;

/** Filters of K-weighting, which models human hearing. */
function kWeighting(sampleRate: number): readonly [Biquad, Biquad] {
  return [shelfAt(sampleRate), passAt(sampleRate)];
}

function shelfAt(rate: number): Biquad {
  const k = Math.tan((Math.PI * Math.min(shelf.frequency, rate * 0.45)) / rate);
  const high = 10 ** (shelf.gain / 20);
  const band = high ** middle;
  const whole = 1 + k / shelf.quality + k * k;
  return {
    b0: (high + (band * k) / shelf.quality + k * k) / whole,
    b1: (2 * (k * k - high)) / whole,
    b2: (high - (band * k) / shelf.quality + k * k) / whole,
    a1: (2 * (k * k - 1)) / whole,
    a2: (1 - k / shelf.quality + k * k) / whole,
  };
}

function passAt(rate: number): Biquad {
  const k = Math.tan((Math.PI * pass.frequency) / rate);
  const whole = 1 + k / pass.quality + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / whole, a2: (1 - k / pass.quality + k * k) / whole };
}

/** Values of a waveform: once there are twice as many, two become one. */
export const maxLevels = 16_384;
/** Blocks of 100 ms: twelve hours. */
export const maxBlocks = 12 * 36_000;

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
    if (this.#levels.length === 2 * maxLevels) {
      const pairs = this.#levels;
      this.#levels = Array.from({ length: maxLevels }, (_, at) => Math.max(pairs[2 * at]!, pairs[2 * at + 1]!));
      this.#width *= 2;
    }
    this.#levelEnd = (this.#levels.length + 1) * this.#width;
  }
}
