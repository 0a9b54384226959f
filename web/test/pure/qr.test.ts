import { describe, expect, it } from 'vitest';
import { addressOfApp } from '../../../src/identity/second-factor/totp.ts';
import { qrOf } from '../../src/factor/qr.ts';

type Cells = readonly (readonly boolean[])[];

/** By version, as ISO 18004 has them for correction L: all codewords, those for correction in a block, blocks, centres. */
const tables: Readonly<Record<number, readonly [all: number, correction: number, blocks: number, centres: number[]]>> =
  {
    5: [134, 26, 1, [6, 30]],
    6: [172, 18, 2, [6, 34]],
    7: [196, 20, 2, [6, 22, 38]],
    8: [242, 24, 2, [6, 24, 42]],
    9: [292, 30, 2, [6, 26, 46]],
    10: [346, 18, 4, [6, 28, 50]],
  };
/** The bits of a version, with those that check them. */
const versionBits: Readonly<Record<number, number>> = { 7: 0x07c94, 8: 0x085bc, 9: 0x09a99, 10: 0x0a4d3 };
/** Correction L and mask 0. */
const formatBits = 0b111011111000100;

const numberOf = (bits: readonly boolean[]): number => bits.reduce((total, bit) => total * 2 + Number(bit), 0);
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => (from < to ? from + at : from - at));

function times(one: number, other: number): number {
  let product = 0;
  for (let [left, right] = [one, other]; right > 0; right >>= 1) {
    if (right & 1) product ^= left;
    left = (left << 1) ^ (left > 127 ? 0x11d : 0);
  }
  return product;
}

/** Whether a cell belongs to the pattern that each code of the version has. */
function isPattern(version: number, row: number, column: number): boolean {
  const size = 17 + 4 * version;
  const isCorner = (row < 9 && (column < 9 || column >= size - 8)) || (row >= size - 8 && column < 9);
  const isVersion = (one: number, other: number) => version >= 7 && one < 6 && other >= size - 11 && other < size - 8;
  if (isCorner || row === 6 || column === 6 || isVersion(row, column) || isVersion(column, row)) return true;
  const [, , , centres] = tables[version]!;
  const last = centres.at(-1)!;
  return centres.some((down) =>
    centres.some((along) => {
      const overlaps = (down === 6 && (along === 6 || along === last)) || (along === 6 && down === last);
      return !overlaps && Math.abs(row - down) <= 2 && Math.abs(column - along) <= 2;
    }),
  );
}

/** The text in a code, read as a camera does, after the check of its patterns. */
function read(cells: Cells): { readonly version: number; readonly text: string } {
  const size = cells.length;
  const version = (size - 17) / 4;
  const [all, correction, count] = tables[version]!;
  const at = (row: number, column: number): boolean => cells[row]![column]!;
  const corner = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
  for (const [down, along] of [
    [0, 0],
    [0, size - 7],
    [size - 7, 0],
  ] as const)
    expect(
      range(0, 6).map((row) =>
        range(0, 6)
          .map((column) => Number(at(down + row, along + column)))
          .join(''),
      ),
    ).toEqual(corner);
  const first = [...range(0, 5), 7, 8]
    .map((column) => at(8, column))
    .concat([7, ...range(5, 0)].map((row) => at(row, 8)));
  const second = range(size - 1, size - 7)
    .map((row) => at(row, 8))
    .concat(range(size - 8, size - 1).map((column) => at(8, column)));
  expect([numberOf(first), numberOf(second), at(size - 8, 8)]).toEqual([formatBits, formatBits, true]);
  if (version >= 7) {
    const bits = range(17, 0).map((bit) => at(Math.floor(bit / 3), size - 11 + (bit % 3)));
    expect(numberOf(bits)).toBe(versionBits[version]);
  }

  const bits: boolean[] = [];
  const columns = range(size - 1, 0).filter((column) => column !== 6);
  for (let pair = 0; pair < columns.length; pair += 2) {
    const rows = (pair / 2) % 2 === 0 ? range(size - 1, 0) : range(0, size - 1);
    for (const row of rows) {
      for (const column of columns.slice(pair, pair + 2)) {
        if (!isPattern(version, row, column)) bits.push(at(row, column) !== ((row + column) % 2 === 0));
      }
    }
  }
  const words = range(0, all - 1).map((index) => numberOf(bits.slice(index * 8, index * 8 + 8)));

  const shorter = Math.floor(all / count) - correction;
  const longer = all % count;
  const lengths = range(0, count - 1).map((block) => shorter + (block >= count - longer ? 1 : 0));
  const blocks: number[][] = lengths.map(() => []);
  let next = 0;
  for (let index = 0; index <= shorter; index++) {
    for (const [block, length] of lengths.entries()) if (index < length) blocks[block]!.push(words[next++]!);
  }
  const data = blocks.flatMap((block) => block.slice());
  for (let index = 0; index < correction; index++) for (const block of blocks) block.push(words[next++]!);
  for (const block of blocks) {
    let root = 1;
    for (let power = 0; power < correction; power++) {
      expect(
        block.reduce((value, word) => times(value, root) ^ word, 0),
        `block of version ${version}`,
      ).toBe(0);
      root = times(root, 2);
    }
  }

  const text = data.map((word) => word.toString(2).padStart(8, '0')).join('');
  const width = version < 10 ? 8 : 16;
  expect(text.slice(0, 4)).toBe('0100');
  const length = Number.parseInt(text.slice(4, 4 + width), 2);
  const bytes = range(0, length - 1).map((index) => Number.parseInt(text.slice(4 + width + index * 8).slice(0, 8), 2));
  return { version, text: new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes)) };
}

describe('the picture for an app', () => {
  it.each(['anna', 'anna.ek@media.example.com', 'Ann É & 中', 'x'.repeat(120)])(
    'has the address with the secret of %s, so that a camera reads it',
    (name) => {
      const address = addressOfApp('MDEyMzQ1Njc4OTAxMjM0NTY3ODk', name, 'media.example.com');
      const { text } = read(qrOf(address)!);
      expect(text).toBe(address);
      const { protocol, host, searchParams } = new URL(text);
      expect([protocol, host, searchParams.get('issuer')]).toEqual(['otpauth:', 'totp', 'media.example.com']);
      expect(searchParams.get('secret')).toBe('GAYTEMZUGU3DOOBZGAYTEMZUGU3DOOBZ');
    },
  );

  it('is read at each length that fits a version, and one more goes to the next', () => {
    const max: Readonly<Record<number, number>> = { 5: 106, 6: 134, 7: 154, 8: 192, 9: 230, 10: 271 };
    for (const [version, length] of Object.entries(max)) {
      const text = 'otpauth'.repeat(40).slice(0, length);
      expect(read(qrOf(text)!), version).toEqual({ version: Number(version), text });
      const longer = qrOf(`${text}x`);
      expect(longer && read(longer).version, version).toBe(version === '10' ? undefined : Number(version) + 1);
    }
  });
});
