import { inGroups } from './numbers.ts';

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
