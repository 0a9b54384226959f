/** Codes of one table, for a decoder: most are found by their first bits at once, longer ones by their length. */
export interface DecodingTable {
  /** By the first bits: how many of them the code has, and its symbol in the lower byte. 0: it has more. */
  readonly short: Uint16Array;
  /** By the number of bits: the last code. -1: none has so many. */
  readonly last: Int32Array;
  /** By the number of bits: where the symbol of a code is, less the code. */
  readonly offset: Int32Array;
  readonly symbols: Uint8Array;
}

/** Bits that are looked up at once. */
export const shortBits = 9;
export const mostBits = 16;

/** A table from the number of codes of each length, by ITU-T T.81, C. Undefined: there are no such codes. */
export function decodingTable(counts: Uint8Array, symbols: Uint8Array): DecodingTable | undefined {
  const table: DecodingTable = {
    short: new Uint16Array(1 << shortBits),
    last: new Int32Array(mostBits + 1).fill(-1),
    offset: new Int32Array(mostBits + 1),
    symbols,
  };
  let [code, at] = [0, 0];
  for (let bits = 1; bits <= mostBits; bits++) {
    table.offset[bits] = at - code;
    for (let left = counts[bits - 1]!; left > 0; left--, code++, at++) {
      if (code >= 1 << bits) return undefined;
      const rest = shortBits - bits;
      if (rest >= 0) table.short.fill((bits << 8) | symbols[at]!, code << rest, (code + 1) << rest);
      table.last[bits] = code;
    }
    code <<= 1;
  }
  return table;
}
