import type { Parameter } from '../../http/parameters/index.ts';

/** Inclusive range. Null: unbounded on that side. */
export interface NumberRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Reads `1GB-2TB`, `1GB-`, `-2TB`, or `-` for everything. Undefined: not a range. */
function readRange(text: string, readNumber: (text: string) => number | undefined): NumberRange | undefined {
  const [first = '', second, ...more] = text.split('-').map((side) => side.trim());
  if (second === undefined || more.length > 0) return undefined;
  const [from, to] = [sideOf(first, readNumber), sideOf(second, readNumber)];
  if (from === undefined || to === undefined) return undefined;
  return from !== null && to !== null && from > to ? undefined : { from, to };
}

const sideOf = (text: string, readNumber: (text: string) => number | undefined): number | null | undefined =>
  text === '' ? null : readNumber(text);

const powers = ['', 'K', 'M', 'G', 'T', 'P', 'E'];

/** Bytes, with a unit if it has one: `10`, `1.5GB` of a thousand megabytes, `1GiB` of 1024. */
export function readSize(text: string): number | undefined {
  const [, number, power = '', binary] = /^(\d{1,15}(?:\.\d{1,9})?)\s*([KMGTPE]?)(i?)B?$/i.exec(text) ?? [];
  const exponent = powers.indexOf(power.toUpperCase());
  if (number === undefined || (power === '' && binary !== '')) return undefined;
  const bytes = Math.floor(Number(number) * (binary === '' ? 1000 : 1024) ** exponent);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

const readWhole = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);
const readPercent = (text: string): number | undefined => {
  const [, number] = /^(\d{1,3}(?:\.\d{1,6})?)\s*%?$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number);
};

const rangeOf =
  (example: string, readNumber: (text: string) => number | undefined) =>
  (says: string): Parameter<NumberRange | undefined> =>
    ({
      says: `${says}; either side may be empty`,
      schema: { type: 'string' },
      defaultValue: undefined,
      required: false,
      list: false,
      expected: `Expected a range such as ${example}`,
      read: (text: string) => readRange(text, readNumber),
    }) as Parameter<NumberRange | undefined>;

export const sizes = rangeOf('10GB-2TB', readSize);
export const counts = rangeOf('1-1000', readWhole);
export const percents = rangeOf('10-50', readPercent);

/** Item of a list of values. A leading hyphen excludes the value. */
export interface ListFilter<W extends string = string> {
  readonly value: W;
  readonly not: boolean;
}

/** A comma-separated list of words. `words`: the only allowed words, case ignored. */
export function listFilter<W extends string>(says: string, words?: readonly W[]): Parameter<readonly ListFilter<W>[]> {
  const none: readonly ListFilter<W>[] = [];
  const read = (text: string): ListFilter<W> | undefined => {
    const not = text.startsWith('-');
    const name = not ? text.slice(1) : text;
    const value = words ? words.find((word) => word === name.toUpperCase()) : (name as W);
    return value === undefined || value === '' ? undefined : { value, not };
  };
  return {
    says: `${says}; "-" in front: those that are not`,
    schema: {
      type: 'array',
      items: { type: 'string', ...(words && { enum: words.flatMap((word) => [word, `-${word}`]) }) },
    },
    defaultValue: none,
    required: false,
    list: 'commas',
    expected: words ? `Expected one of ${words.join(', ')}, or "-" and one of them` : 'Expected a name, or "-" and one',
    read,
  } as Parameter<readonly ListFilter<W>[]>;
}
