/** Tables as text, by RFC 4180. Spreadsheets write other separators, too. */

/** Separators of the values of a row, by their names. */
export const csvSeparators = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type CsvSeparator = keyof typeof csvSeparators;

/** A row of values. */
export const csvLine = (values: readonly string[]): string => `${values.map(csvValue).join(',')}\r\n`;

/** Signs by which a spreadsheet knows a formula, also in the wide form that it takes in Japan. */
const signs = '=@+\\-＝＠＋－';

/**
 * A place where a spreadsheet would run what follows: the beginning, and behind a semicolon, a tab or a line end. Excel
 * splits there in half of Europe, whatever quotes there are.
 */
const formula = new RegExp(
  `^(?='*(?:[=@\\t\\r\\n＝＠＋－]|[+-](?![\\d.]+$)))|(?<=[;\\t\\r\\n]) *(?=(?:['"]['" ]*)?[${signs}])`,
  'g',
);
const protectedFormula = new RegExp(`(${formula.source})'`, 'g');

/** The text with an apostrophe ahead of each part that a spreadsheet would run as a formula. */
export const withoutFormula = (text: string): string => text.replace(formula, "$&'");

/** The text that `withoutFormula` got. */
export const fromWithoutFormula = (text: string): string => text.replace(protectedFormula, '$1');

function csvValue(text: string): string {
  const plain = withoutFormula(text);
  return /[",;\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Separator of several texts in one value. */
const between = '; ';

/** Number of backslashes that end at a place. */
function backslashesAt(text: string, end: number, from: number): number {
  let start = end;
  while (start > from && text[start - 1] === '\\') start--;
  return end - start;
}

/** Several texts as one value. A separator within a text gets a backslash, and backslashes ahead of one are doubled. */
export const joinedTexts = (texts: readonly string[]): string =>
  texts.map((text, at) => escaped(text, at === texts.length - 1)).join(between);

function escaped(text: string, isLast: boolean): string {
  let value = '';
  let from = 0;
  for (let at = text.indexOf(between); at >= 0; at = text.indexOf(between, from)) {
    value += `${text.slice(from, at)}${'\\'.repeat(backslashesAt(text, at, from) + 1)}${between}`;
    from = at + between.length;
  }
  const rest = text.slice(from);
  return `${value}${rest}${isLast ? '' : '\\'.repeat(backslashesAt(rest, rest.length, 0))}`;
}

/** The texts that `joinedTexts` got. Undefined: they are more than `max`. */
export function separateTexts(value: string, max: number): readonly string[] | undefined {
  const texts: string[] = [];
  let text = '';
  let from = 0;
  for (let at = value.indexOf(between); at >= 0; at = value.indexOf(between, from)) {
    const backslashes = backslashesAt(value, at, from);
    text += value.slice(from, at - Math.ceil(backslashes / 2));
    from = at + between.length;
    if (backslashes % 2 === 1) text += between;
    else {
      texts.push(text);
      text = '';
      if (texts.length >= max) return undefined;
    }
  }
  return [...texts, text + value.slice(from)];
}

export interface CsvRow {
  /** Number of the row as spreadsheets count: the first one is 1. */
  readonly number: number;
  readonly values: readonly string[];
}

/** Text that is no table. */
export class CsvError extends Error {
  readonly row: number;

  constructor(row: number, message: string) {
    super(message);
    this.row = row;
  }
}

interface CsvLimits {
  readonly separator: string;
  /** Maximum number of characters, and of values, in one row. */
  readonly maxLength: number;
  readonly maxValues: number;
}

/** Reads a table piece by piece. Blank rows are left out, and counted. */
export class CsvReader {
  readonly #limits: CsvLimits;
  #place: 'ahead' | 'plain' | 'quoted' | 'behind' = 'ahead';
  #values: string[] = [];
  #value = '';
  #length = 0;
  #number = 1;
  /** Whether a line feed belongs to the end of the row before. */
  #skipsLineFeed = false;

  constructor(limits: CsvLimits) {
    this.#limits = limits;
  }

  /** Rows that end in the next piece of the text. Throws `CsvError`. */
  write(text: string): readonly CsvRow[] {
    const rows: CsvRow[] = [];
    const { separator } = this.#limits;
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text[at]!;
      if (this.#place === 'quoted') {
        if (character !== '"') continue;
        this.#add(text.slice(from, at));
        this.#place = 'behind';
        continue;
      }
      const isSkipped = this.#skipsLineFeed && character === '\n';
      this.#skipsLineFeed = character === '\r';
      if (isSkipped) continue;
      if (character === separator || character === '\n' || character === '\r') {
        if (this.#place === 'plain') this.#add(text.slice(from, at));
        this.#endValue();
        if (character !== separator) this.#endRow(rows);
      } else if (character === '"' && this.#place !== 'plain') {
        if (this.#place === 'behind') this.#add('"');
        this.#place = 'quoted';
        from = at + 1;
      } else if (this.#place === 'behind' || character === '"') {
        throw new CsvError(this.#number, 'Expected quotes around the whole value, and two for each one in it');
      } else if (this.#place === 'ahead') {
        this.#place = 'plain';
        from = at;
      }
    }
    if (this.#place === 'plain' || this.#place === 'quoted') this.#add(text.slice(from));
    return rows;
  }

  /** The last row, where no line end follows. Throws `CsvError`. */
  end(): readonly CsvRow[] {
    if (this.#place === 'quoted') throw new CsvError(this.#number, 'Expected a quote at the end of the value');
    const rows: CsvRow[] = [];
    if (this.#place === 'ahead' && this.#values.length === 0) return rows;
    this.#endValue();
    this.#endRow(rows);
    return rows;
  }

  #add(text: string): void {
    this.#value += text;
    this.#length += text.length;
    const { maxLength } = this.#limits;
    if (this.#length > maxLength) throw new CsvError(this.#number, `Expected at most ${maxLength} characters in a row`);
  }

  #endValue(): void {
    this.#values.push(this.#value);
    this.#value = '';
    this.#place = 'ahead';
    const { maxValues } = this.#limits;
    if (this.#values.length > maxValues)
      throw new CsvError(this.#number, `Expected at most ${maxValues} values in a row`);
  }

  #endRow(rows: CsvRow[]): void {
    const [number, values] = [this.#number++, this.#values];
    if (values.some((value) => value !== '')) rows.push({ number, values });
    this.#values = [];
    this.#length = 0;
  }
}

/** The first line of a text. Undefined: its end is not in the text. */
export function firstLine(text: string): string | undefined {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (text[at] === '\n' || text[at] === '\r')) return text.slice(0, at);
  }
  return undefined;
}

/** The separator that occurs most often in a line, outside of quotes. */
export function separatorIn(line: string): CsvSeparator {
  const plain = line.replaceAll(/"[^"]*"/g, '');
  const countOf = (name: CsvSeparator): number => plain.split(csvSeparators[name]).length;
  const names = Object.keys(csvSeparators) as CsvSeparator[];
  return names.reduce((best, name) => (countOf(name) > countOf(best) ? name : best));
}
