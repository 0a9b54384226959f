/** Codes of one table: by symbol, how many bits and which. */
export interface HuffmanTable {
  /** Number of codes with 1 to 16 bits. */
  readonly counts: Uint8Array;
  /** The symbols in the order of their codes. */
  readonly symbols: Uint8Array;
  readonly lengths: Uint8Array;
  readonly codes: Uint16Array;
}

const bytesOf = (...hex: readonly string[]): Uint8Array =>
  Uint8Array.from(hex.join('').match(/../g)!, (byte) => Number.parseInt(byte, 16));

function huffmanTable(counts: Uint8Array, symbols: Uint8Array): HuffmanTable {
  const table = { counts, symbols, lengths: new Uint8Array(256), codes: new Uint16Array(256) };
  let [code, at] = [0, 0];
  for (let bits = 1; bits <= counts.length; bits++) {
    for (let left = counts[bits - 1]!; left > 0; left--) {
      table.lengths[symbols[at]!] = bits;
      table.codes[symbols[at++]!] = code++;
    }
    code <<= 1;
  }
  return table;
}

const firstValues = bytesOf('000102030405060708090a0b');

/**
 * Typical tables of ITU-T T.81, K.3: brightness and colours, each for first values and for others. Tables of the
 * picture itself would save about six percent of the bytes, and need a second pass over all blocks.
 */
export const typicalTables: readonly HuffmanTable[] = [
  huffmanTable(bytesOf('00010501010101010100000000000000'), firstValues),
  huffmanTable(
    bytesOf('0002010303020403050504040000017d'),
    bytesOf(
      '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a34353637',
      '38393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3',
      'a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
    ),
  ),
  huffmanTable(bytesOf('00030101010101010101010000000000'), firstValues),
  huffmanTable(
    bytesOf('00020102040403040705040400010277'),
    bytesOf(
      '000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a3536',
      '3738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999a',
      'a2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
    ),
  ),
];
