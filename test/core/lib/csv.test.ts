import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  CsvError,
  CsvReader,
  csvLine,
  firstLine,
  fromWithoutFormula,
  joinedTexts,
  separateTexts,
  separatorIn,
  withoutFormula,
} from '../../../src/core/lib/csv.ts';

const parts = ['a', ';', ' ', '; ', '\\', '"', ',', '\n', '\r', "'", '=', '-', '+', '1', '\t', '＝'];
const text = fc.string({ unit: fc.constantFrom(...parts), maxLength: 7 });

const limits = { separator: ',', maxLength: 100, maxValues: 5 };

function read(text: string, piece = text.length, separator = ','): readonly string[] {
  const reader = new CsvReader({ ...limits, separator });
  const rows = [];
  for (let at = 0; at < text.length; at += piece) rows.push(...reader.write(text.slice(at, at + piece)));
  return [...rows, ...reader.end()].map(({ number, values }) => `${number}: ${values.join('|')}`);
}

it('a line of CSV quotes what needs it, and no spreadsheet carries out a value', () => {
  expect(csvLine(['a', 'b c', 'd,e', 'f"g', 'h\r\ni'])).toBe('a,b c,"d,e","f""g","h\r\ni"\r\n');
  expect(csvLine(['=1+1', '@x', '+cmd|x', '-2+3', '-12.5', '+4'])).toBe("'=1+1,'@x,'+cmd|x,'-2+3,-12.5,+4\r\n");
  expect(["'=1", "''=1", "'tis", "'-5"].map(withoutFormula)).toEqual(["''=1", "'''=1", "'tis", "'-5"]);
});

it.each([
  ['a;=1+1', `"a;'=1+1"`],
  ['a; =1+1; b;  @x', `"a; '=1+1; b;  '@x"`],
  ['a\t+1', `"a\t'+1"`],
  // Excel of Sweden reads -5,1*… behind the semicolon.
  ['a;-5', `"a;'-5"`],
  // A separator within quotes that begin in the middle of a value separates, and so does a line end.
  ['a\r\n=1+1', `"a\r\n'=1+1"`],
  ['a;"=1+1', `"a;'""=1+1"`],
  ['a;" =1+1', `"a;'"" =1+1"`],
  ['＝1+1', "'＝1+1"],
  ['a;b', '"a;b"'],
  ['a\tb', '"a\tb"'],
])('a formula hides behind a separator that another country splits at: %j is written %j', (value, cell) => {
  expect(csvLine(['VX-1', value])).toBe(`VX-1,${cell}\r\n`);
  expect(fromWithoutFormula(withoutFormula(value))).toBe(value);
});

it('no program that splits at another sign finds a formula, whatever texts a row has', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (values) => {
      const fields = csvLine(['VX-1', ...values]).split(/[;\t\r\n]/);
      expect(fields.filter((field) => /^[" ]*[=@+＝-]/.test(field))).toEqual([]);
    }),
  );
});

it.each([
  ['line feeds', 'a,b\nc,d\n', ['1: a|b', '2: c|d']],
  ['returns', 'a,b\rc,d\r', ['1: a|b', '2: c|d']],
  ['both', 'a,b\r\nc,d\r\n', ['1: a|b', '2: c|d']],
  ['no end of the last row', 'a,b\nc,d', ['1: a|b', '2: c|d']],
  ['an empty value at the end', 'a,\nb,', ['1: a|', '2: b|']],
  ['blank rows, which are counted', 'a,b\n\n,\n\r\nc,d\n', ['1: a|b', '5: c|d']],
  ['quotes', '"a ""b""","c,\r\nd"\n"",e\n', ['1: a "b"|c,\r\nd', '2: |e']],
])('a table with %s is read alike in pieces of any length', (_what, text, expected) => {
  for (const piece of [1, 2, 3, text.length]) expect(read(text, piece)).toEqual(expected);
});

it.each([
  ['a"b', 1, 'Expected quotes around the whole value'],
  ['a\n"b"c', 2, 'Expected quotes around the whole value'],
  ['a\nb\n"c\nd', 3, 'Expected a quote at the end of the value'],
  [`a\n${'x'.repeat(101)}`, 2, 'Expected at most 100 characters in a row'],
  ['a,b,c,d,e,f', 1, 'Expected at most 5 values in a row'],
])('%j is no table, and its row is told', (text, row, says) => {
  let thrown: unknown;
  try {
    read(text, 1);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(CsvError);
  expect([(thrown as CsvError).row, (thrown as CsvError).message]).toEqual([row, expect.stringContaining(says)]);
});

it('the first line says which separator a table has', () => {
  expect(firstLine('a,"b\nc"\r\nd')).toBe('a,"b\nc"');
  expect(firstLine('a,"b\n')).toBeUndefined();
  expect(['a,b;c,d', 'a;"b,c,d";e', 'a\tb', 'a'].map(separatorIn)).toEqual(['comma', 'semicolon', 'tab', 'comma']);
});

it('whatever texts a row has, it comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { maxLength: 4 }), (values) => {
      const reader = new CsvReader({ ...limits, maxLength: 1000 });
      const [row] = [...reader.write(csvLine(['key', ...values.map(joinedTexts)])), ...reader.end()];
      expect(row!.values.slice(1).map((value) => separateTexts(fromWithoutFormula(value), 1_000))).toEqual(values);
    }),
  );
});
