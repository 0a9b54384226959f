/**
 * QR codes for addresses of apps: bytes, error correction L, versions 5 to 10, mask 0. ISO 18004 has the tables.
 * Undefined: the text is too long for it.
 */
export function qrOf(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text);
  const fitting = versions.find(({ blocks }) => bytes.length <= sum(blocks) - 2 - (blocks.length > 2 ? 1 : 0));
  return fitting && drawn(fitting, interleaved(fitting, codewords(fitting, bytes)));
}

interface Version {
  readonly number: number;
  /** Codewords for data in each block. */
  readonly blocks: readonly number[];
  /** Codewords for correction in each block. */
  readonly correction: number;
  /** Centres of the small squares. */
  readonly centres: readonly number[];
}

const versions: readonly Version[] = [
  { number: 5, blocks: [108], correction: 26, centres: [6, 30] },
  { number: 6, blocks: [68, 68], correction: 18, centres: [6, 34] },
  { number: 7, blocks: [78, 78], correction: 20, centres: [6, 22, 38] },
  { number: 8, blocks: [97, 97], correction: 24, centres: [6, 24, 42] },
  { number: 9, blocks: [116, 116], correction: 30, centres: [6, 26, 46] },
  { number: 10, blocks: [68, 68, 69, 69], correction: 18, centres: [6, 28, 50] },
];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Mode, length and text, filled up. */
function codewords({ number, blocks }: Version, bytes: Uint8Array): readonly number[] {
  const length = bytes.length.toString(2).padStart(number < 10 ? 8 : 16, '0');
  const bits = `0100${length}${[...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')}0000`;
  const words = (bits.match(/.{1,8}/g) ?? []).map((word) => Number.parseInt(word.padEnd(8, '0'), 2));
  const filling = [0xec, 0x11];
  return Array.from({ length: sum(blocks) }, (_, at) => words[at] ?? filling[(at - words.length) % 2]!);
}

/** The blocks with their correction, taken in turns. */
function interleaved({ blocks, correction }: Version, words: readonly number[]): readonly number[] {
  const ends = blocks.map((_, index) => sum(blocks.slice(0, index + 1)));
  const data = blocks.map((length, index) => words.slice(ends[index]! - length, ends[index]));
  const checks = data.map((block) => correctionOf(block, correction));
  const inTurns = (parts: readonly (readonly number[])[]) =>
    Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, index) =>
      parts.flatMap((part) => part[index] ?? []),
    ).flat();
  return [...inTurns(data), ...inTurns(checks)];
}

const powers: number[] = [];
for (let power = 1; powers.length < 255; power = (power << 1) ^ (power > 127 ? 0x11d : 0)) powers.push(power);
const product = (one: number, other: number): number =>
  one === 0 || other === 0 ? 0 : powers[(powers.indexOf(one) + powers.indexOf(other)) % 255]!;

/** Remainder of Reed and Solomon. */
function correctionOf(block: readonly number[], length: number): readonly number[] {
  let generator = [1];
  for (let degree = 0; degree < length; degree++) {
    const next = [...generator, 0];
    for (const [index, factor] of generator.entries()) next[index + 1]! ^= product(factor, powers[degree]!);
    generator = next;
  }
  const rest = [...block, ...Array<number>(length).fill(0)];
  for (let at = 0; at < block.length; at++) {
    const lead = rest[at]!;
    for (const [index, factor] of generator.entries()) rest[at + index]! ^= product(factor, lead);
  }
  return rest.slice(block.length);
}

/** Bits of a number behind their check bits. */
function checked(number: number, width: number, generator: number): number {
  let rest = number << width;
  for (let bit = 31 - Math.clz32(rest); bit >= width; bit = 31 - Math.clz32(rest)) {
    rest ^= generator << (bit - width);
    if (rest === 0) break;
  }
  return (number << width) | rest;
}

function drawn({ number, centres }: Version, words: readonly number[]): readonly (readonly boolean[])[] {
  const size = 17 + 4 * number;
  const cells: (boolean | undefined)[][] = Array.from({ length: size }, () => Array(size).fill(undefined));
  const put = (row: number, column: number, dark: boolean): void => {
    if (row >= 0 && column >= 0 && row < size && column < size) cells[row]![column] = dark;
  };
  const square = (row: number, column: number, reach: number, light: (distance: number) => boolean): void => {
    for (let down = -reach; down <= reach; down++) {
      for (let along = -reach; along <= reach; along++)
        put(row + down, column + along, !light(Math.max(Math.abs(down), Math.abs(along))));
    }
  };
  for (let at = 0; at < size; at++) {
    put(6, at, at % 2 === 0);
    put(at, 6, at % 2 === 0);
  }
  for (const row of centres) {
    for (const column of centres) {
      const isCorner =
        [row, column].every((at) => at === 6) ||
        [row, column].toSorted((a, b) => a - b).join() === `6,${centres.at(-1)}`;
      if (!isCorner) square(row, column, 2, (distance) => distance === 1);
    }
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(row, column, 4, (distance) => distance === 2 || distance === 4);
  // Correction L and mask 0, then the version.
  const format = checked(0b01000, 10, 0x537) ^ 0x5412;
  for (let bit = 0; bit < 15; bit++) {
    const dark = ((format >> bit) & 1) === 1;
    put(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, dark);
    put(8, bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit, dark);
  }
  put(size - 8, 8, true);
  const version = checked(number, 12, 0x1f25);
  for (let bit = 0; number >= 7 && bit < 18; bit++) {
    const dark = ((version >> bit) & 1) === 1;
    put(Math.floor(bit / 3), size - 11 + (bit % 3), dark);
    put(size - 11 + (bit % 3), Math.floor(bit / 3), dark);
  }
  const bits = words.flatMap((word) => Array.from({ length: 8 }, (_, bit) => ((word >> (7 - bit)) & 1) === 1));
  let at = 0;
  let goesUp = true;
  // Two columns at a time, from the right, past the column of dots.
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step++) {
      for (const column of [right, right - 1]) {
        const row = goesUp ? size - 1 - step : step;
        if (cells[row]![column] === undefined) put(row, column, (bits[at++] ?? false) !== ((row + column) % 2 === 0));
      }
    }
    goesUp = !goesUp;
  }
  return cells.map((row) => row.map((cell) => cell === true));
}
