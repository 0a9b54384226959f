import { StylesheetFails, shown } from '../fails.ts';
import { numberText } from '../xpath/values.ts';

/** The signs of a picture, as xsl:decimal-format sets them. */
export interface DecimalFormat {
  readonly decimal: string;
  readonly grouping: string;
  readonly percent: string;
  readonly perMille: string;
  readonly zero: string;
  readonly digit: string;
  readonly separator: string;
  readonly minus: string;
  readonly infinity: string;
  readonly nan: string;
}

export const defaultFormat: DecimalFormat = {
  decimal: '.',
  grouping: ',',
  percent: '%',
  perMille: '‰',
  zero: '0',
  digit: '#',
  separator: ';',
  minus: '-',
  infinity: 'Infinity',
  nan: 'NaN',
};

/** More digits than any number has. */
const maxLength = 200;

export function formatNumber(value: number, picture: string, format: DecimalFormat): string {
  if (Number.isNaN(value)) return format.nan;
  const [positive = '', negative, more] = picture.split(format.separator);
  if (more !== undefined || picture.length > maxLength) throw badPicture(picture);
  const isNegative = value < 0 || Object.is(value, -0);
  const part = isNegative && negative !== undefined ? negative : positive;
  const [prefix, body, suffix] = partsOf(part, format, picture);
  const sign = isNegative && negative === undefined && value !== 0 ? format.minus : '';
  const scale = part.includes(format.percent) ? 100 : part.includes(format.perMille) ? 1000 : 1;
  const size = Math.abs(value) * scale;
  const digits = Number.isFinite(size) ? digitsOf(size, body, format) : format.infinity;
  return sign + prefix + digits + suffix;
}

function partsOf(part: string, format: DecimalFormat, picture: string): readonly [string, string, string] {
  const active = new Set([format.decimal, format.grouping, format.zero, format.digit]);
  const isActive = (sign: string): boolean => active.has(sign);
  const all = [...part];
  const begin = all.findIndex(isActive);
  const end = all.findLastIndex(isActive);
  const body = all.slice(begin, end + 1);
  if (begin < 0 || !body.every(isActive) || !body.some((each) => each === format.zero || each === format.digit)) {
    throw badPicture(picture);
  }
  return [all.slice(0, begin).join(''), body.join(''), all.slice(end + 1).join('')];
}

const badPicture = (picture: string): StylesheetFails =>
  new StylesheetFails(`Expected a picture of a number such as "#,##0.00": found ${shown(picture)}`);

function digitsOf(size: number, body: string, { decimal, grouping, zero, digit }: DecimalFormat): string {
  const [whole = '', fraction = ''] = body.split(decimal);
  const count = (text: string, sign: string): number => [...text].filter((each) => each === sign).length;
  const least = count(fraction, zero);
  const max = least + count(fraction, digit);
  const [digits = '', rest = ''] = rounded(size, max).split('.');
  const padded = (digits === '0' ? '' : digits).padStart(count(whole, zero), '0');
  const shown = padded === '' && max === 0 ? '0' : padded;
  const group = whole.includes(grouping) ? [...whole.slice(whole.lastIndexOf(grouping) + 1)].length : 0;
  const grouped = group > 0 ? inGroups(shown, group, grouping) : shown;
  const decimals = rest.replace(/0+$/, '').padEnd(least, '0');
  const text = decimals === '' ? grouped : `${grouped}${decimal}${decimals}`;
  const first = zero.codePointAt(0)!;
  return zero === '0' ? text : text.replaceAll(/[0-9]/g, (each) => String.fromCodePoint(first + Number(each)));
}

function inGroups(digits: string, size: number, between: string): string {
  const parts: string[] = [];
  for (let end = digits.length; end > 0; end -= size) parts.unshift(digits.slice(Math.max(0, end - size), end));
  return parts.join(between);
}

/** Rounds to that many digits, halves to even, by the decimal digits of the text. */
function rounded(size: number, digits: number): string {
  const text = numberText(size);
  const [whole = '', rest = ''] = text.split('.');
  if (rest.length <= digits) return text;
  const cut = `${whole}${rest.slice(0, digits)}`;
  const next = rest.slice(digits);
  const isHalf = /^50*$/.test(next);
  const isUp = isHalf ? Number(cut.at(-1)) % 2 === 1 : next >= '5';
  const sum = (BigInt(cut) + (isUp ? 1n : 0n)).toString().padStart(digits + 1, '0');
  return digits === 0 ? sum : `${sum.slice(0, -digits)}.${sum.slice(-digits)}`;
}

const romans = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;

function roman(value: number): string {
  if (value < 1 || value > 5000) return String(value);
  let left = value;
  let text = '';
  for (const [size, sign] of romans) {
    while (left >= size) {
      text += sign;
      left -= size;
    }
  }
  return text;
}

function letters(value: number): string {
  if (value < 1) return String(value);
  let left = value;
  let text = '';
  while (left > 0) {
    left--;
    text = String.fromCharCode(97 + (left % 26)) + text;
    left = Math.floor(left / 26);
  }
  return text;
}

interface Grouping {
  readonly size: number;
  readonly separator: string;
}

/** A number as the sign of a format writes it: 1, 01, a, A, i or I. */
export function ordinal(value: number, sign: string, grouping?: Grouping): string {
  if (sign === 'a') return letters(value);
  if (sign === 'A') return letters(value).toUpperCase();
  if (sign === 'i') return roman(value);
  if (sign === 'I') return roman(value).toUpperCase();
  const digits = String(value).padStart(Math.min(sign.length, 100), '0');
  return grouping && grouping.size > 0 ? inGroups(digits, grouping.size, grouping.separator) : digits;
}

/** Several numbers: `1.1` writes them with points between, `(a)` each in parentheses. */
export function ordinals(values: readonly number[], format: string, grouping?: Grouping): string {
  const signs = format.match(/[\p{L}\p{N}]+/gu) ?? ['1'];
  const between = format.split(/[\p{L}\p{N}]+/u);
  const [prefix, suffix] = signs.length > 0 && between.length > 1 ? [between[0]!, between.at(-1)!] : [format, ''];
  const text = values.map((value, index) => {
    const at = Math.min(index, signs.length - 1);
    const gap =
      index === 0 ? '' : (at === index ? between[at] : signs.length > 1 ? between[signs.length - 1] : '.') || '.';
    return gap + ordinal(value, signs[at]!, grouping);
  });
  return prefix + text.join('') + suffix;
}
