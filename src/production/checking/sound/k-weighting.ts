/** A filter of the second order, as its coefficients. */
export interface Biquad {
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
export function kWeighting(sampleRate: number): readonly [Biquad, Biquad] {
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
