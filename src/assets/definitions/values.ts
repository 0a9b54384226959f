import { parseDateTime } from '../../documents/date-time.ts';
import { compilePattern } from '../../documents/pattern.ts';
import { ServiceError } from '../../lib/errors.ts';
import { Recent } from '../../lib/recent.ts';
import { instantOf } from '../metadata/merge/time-code.ts';
import { type BaseType, baseOf, type FieldType, type Restriction } from './types.ts';

/** Rules for the values of a field. */
interface ValueRules {
  readonly name: string;
  readonly type: FieldType;
  readonly restriction?: Restriction | undefined;
}

/** Rules with the location for refusals. */
interface Placed extends ValueRules {
  readonly place: string;
}

/** Maximum bytes of a text. */
const longestText = 1024 * 1024;
/** Maximum characters of a text that is matched against a pattern: time grows with the length. */
const longestMatched = 10_000;
/** Maximum characters of a number, a date or a time code. */
const longestNumber = 100;

const utf8 = new TextEncoder();

/**
 * Returns the value in canonical form. Fields of every type accept the empty string, which means no value, unless a
 * minimum length is set.
 */
export function checkValue(given: ValueRules, text: string, place = 'metadata'): string {
  const rules = { ...given, place };
  const base = baseOf(rules.type);
  if (base === 'string' || base === 'string-exact') return checkText(rules, text);
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const { expected, read } = forms[base];
  const value = trimmed.length > longestNumber ? undefined : read(trimmed);
  if (value === undefined) throw refused(rules, expected, text);
  checkRange(rules, value);
  return value;
}

interface Form {
  readonly expected: string;
  /** Undefined: invalid text. */
  read(text: string): string | undefined;
}

const forms: Readonly<Record<Exclude<BaseType, 'string' | 'string-exact'>, Form>> = {
  integer: whole(32),
  long: whole(64),
  float: {
    expected: 'a decimal number',
    read: (text) =>
      /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? text : undefined,
  },
  date: {
    expected: 'an ISO 8601 date, or date and time',
    read: (text) => (parseDateTime(text) === undefined ? undefined : text),
  },
  boolean: { expected: 'true or false', read: (text) => booleans.get(text.toLowerCase()) },
  timeCode: {
    expected: 'a time code such as 250@PAL or 3.5',
    read: (text) => (instantOf(text)?.fraction ? text : undefined),
  },
};

function whole(bits: 32 | 64): Form {
  const [least, most] = [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  return {
    expected: `a whole number from ${least} to ${most}`,
    read(text) {
      if (!/^[+-]?\d+$/.test(text)) return undefined;
      const number = BigInt(text.replace(/^\+/, ''));
      return number < least || number > most ? undefined : String(number);
    },
  };
}

const booleans: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['1', 'true'],
  ['false', 'false'],
  ['0', 'false'],
]);

function checkText(rules: Placed, text: string): string {
  if (text.length > longestText / 3 && utf8.encode(text).length > longestText) {
    throw refused(rules, `at most ${longestText} bytes`, text);
  }
  const { restriction } = rules;
  if (restriction?.of !== 'string') return text;
  const { minLength, maxLength, pattern } = restriction;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = lengthOf(text);
    if (minLength !== undefined && length < minLength) {
      throw refused(rules, `at least ${minLength} characters`, text);
    }
    if (maxLength !== undefined && length > maxLength) throw refused(rules, `at most ${maxLength} characters`, text);
  }
  if (pattern === undefined) return text;
  if (text.length > longestMatched) {
    throw refused(rules, `at most ${longestMatched} characters, which the pattern is compared with`, text);
  }
  if (!matcherOf(pattern)(text)) throw refused(rules, `a text that matches ${pattern}`, text);
  return text;
}

/** Number of code points, not UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Cache of compiled patterns: compiling costs more than matching. */
const matchers = new Recent<string, (text: string) => boolean>(200);

function matcherOf(pattern: string): (text: string) => boolean {
  const known = matchers.get(pattern, 0);
  if (known) return known;
  const made = compilePattern(pattern, 'pattern');
  matchers.set(pattern, made, 1);
  return made;
}

function checkRange(rules: Placed, value: string): void {
  const { restriction } = rules;
  if (restriction === undefined || restriction.of === 'string') return;
  const { minInclusive, maxInclusive } = restriction;
  const exact = baseOf(rules.type) !== 'float';
  // Doubles are too coarse for the limits of a long.
  const below = (limit: number) => (exact && Number.isInteger(limit) ? BigInt(value) < BigInt(limit) : +value < limit);
  const above = (limit: number) => (exact && Number.isInteger(limit) ? BigInt(value) > BigInt(limit) : +value > limit);
  if (minInclusive !== undefined && below(minInclusive)) throw refused(rules, `at least ${minInclusive}`, value);
  if (maxInclusive !== undefined && above(maxInclusive)) throw refused(rules, `at most ${maxInclusive}`, value);
}

function refused({ name, place }: Placed, expected: string, found: string): ServiceError {
  const value = found.slice(0, 80);
  const explanation = `Expected ${expected}: "${value}"`;
  return new ServiceError('bad-value', { context: place, id: name, explanation, value });
}
