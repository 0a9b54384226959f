/** The order in which the values of a block are written: low frequencies first. */
export const zigzag = orderOfBlock();

function orderOfBlock(): Uint8Array {
  const order: number[] = [];
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    const from = Math.max(0, diagonal - 7);
    const cells = Array.from({ length: Math.min(diagonal, 7) - from + 1 }, (_, at) => from + at);
    // Even diagonals run upwards.
    for (const row of diagonal % 2 === 0 ? cells.toReversed() : cells) order.push(row * 8 + (diagonal - row));
  }
  return Uint8Array.from(order);
}

/** Quantisation of each frequency by ITU-T T.81, K.1, for medium quality. */
const brightness = [
  ...[16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56],
  ...[14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92],
  ...[49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99],
];
const colour = [
  ...[17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99],
  ...[47, 66, 99, 99, 99, 99, 99, 99, ...new Array<number>(32).fill(99)],
];

/** Quantisation steps for a quality from 50 to 100. */
export const stepsFor = (quality: number): readonly [brightness: Uint8Array, colour: Uint8Array] => {
  const share = (200 - 2 * quality) / 100;
  const scaled = (steps: readonly number[]) =>
    Uint8Array.from(steps, (step) => Math.min(255, Math.max(1, Math.round(step * share))));
  return [scaled(brightness), scaled(colour)];
};

/** Share of each sample in each frequency, row by row. */
const shares = Float32Array.from({ length: 64 }, (_, at) => {
  const [frequency, sample] = [at >> 3, at & 7];
  return Math.cos(((2 * sample + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

const between = new Float32Array(64);

/** The frequencies of 8 by 8 samples, divided by their steps, in the order of writing. */
export function frequencies(samples: Float32Array, steps: Uint8Array, into: Int16Array): void {
  for (let row = 0; row < 64; row += 8) {
    for (let frequency = 0; frequency < 8; frequency++) {
      let sum = 0;
      for (let sample = 0; sample < 8; sample++) sum += samples[row + sample]! * shares[frequency * 8 + sample]!;
      between[row + frequency] = sum;
    }
  }
  for (let place = 0; place < 64; place++) {
    const cell = zigzag[place]!;
    const [frequency, column] = [cell >> 3, cell & 7];
    let sum = 0;
    for (let sample = 0; sample < 8; sample++) sum += between[sample * 8 + column]! * shares[frequency * 8 + sample]!;
    into[place] = Math.round(sum / steps[cell]!);
  }
}
