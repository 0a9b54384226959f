/** Codes of one table: by symbol, how many bits and which. */
export interface HuffmanTable {
  /** Number of codes with 1 to 16 bits. */
  readonly counts: Uint8Array;
  /** The symbols in the order of their codes. */
  readonly symbols: Uint8Array;
  readonly lengths: Uint8Array;
  readonly codes: Uint16Array;
}

const longest = 16;

/** The shortest codes for symbols that come so often, by ITU-T T.81, K.2. No code has ones alone. */
export function huffmanTable(frequencies: readonly number[]): HuffmanTable {
  const lengths = lengthsOf(frequencies);
  const counts = countsOf(lengths);
  const symbols = frequencies
    .map((_, symbol) => symbol)
    .filter((symbol) => lengths[symbol]! > 0)
    // Limiting moves codes between lengths: the most frequent symbols keep the shortest ones.
    .sort((one, other) => lengths[one]! - lengths[other]! || one - other);
  const table = {
    counts,
    symbols: Uint8Array.from(symbols),
    lengths: new Uint8Array(256),
    codes: new Uint16Array(256),
  };
  let [code, at] = [0, 0];
  for (let bits = 1; bits <= longest; bits++) {
    for (let left = counts[bits - 1]!; left > 0; left--) {
      table.lengths[symbols[at]!] = bits;
      table.codes[symbols[at++]!] = code++;
    }
    code <<= 1;
  }
  return table;
}

/** Code lengths of all symbols, and of a reserved one that takes the code of ones alone. */
function lengthsOf(frequencies: readonly number[]): readonly number[] {
  const reserved = frequencies.length;
  let trees = [...frequencies, 0.5].flatMap((weight, symbol) => (weight > 0 ? [{ weight, symbols: [symbol] }] : []));
  const lengths = new Array<number>(reserved + 1).fill(0);
  // Decoders require a code of at least one bit.
  if (trees.length === 1) return lengths;
  while (trees.length > 1) {
    trees.sort((one, other) => other.weight - one.weight);
    const [one, other] = [trees.pop()!, trees.pop()!];
    const symbols = [...one.symbols, ...other.symbols];
    for (const symbol of symbols) lengths[symbol]!++;
    trees = [...trees, { weight: one.weight + other.weight, symbols }];
  }
  return lengths;
}

/** Codes that are too long give their places to pairs of shorter ones. The reserved code is one of the longest. */
function countsOf(lengths: readonly number[]): Uint8Array {
  const counts = new Array<number>(Math.max(longest, ...lengths) + 1).fill(0);
  for (const length of lengths) if (length > 0) counts[length]!++;
  for (let bits = counts.length - 1; bits > longest; bits--) {
    while (counts[bits]! > 0) {
      let shorter = bits - 2;
      while (counts[shorter]! === 0) shorter--;
      counts[bits]! -= 2;
      counts[bits - 1]! += 1;
      counts[shorter + 1]! += 2;
      counts[shorter]! -= 1;
    }
  }
  let last = longest;
  while (last > 0 && counts[last]! === 0) last--;
  counts[last]! -= 1;
  return Uint8Array.from(counts.slice(1, longest + 1));
}
