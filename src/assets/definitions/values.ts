import { compilePattern } from '../../core/documents/pattern.ts';
import { Recent } from '../../core/lib/cache.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { baseOf, type FieldType, isText, type Restriction, valueTypeOf } from './types.ts';

/** Rules for the values of a field. */
interface ValueRules {
  readonly name: string;
  readonly type: FieldType;
  readonly restriction?: Restriction | undefined;
}

/** Rules with the location for refusals. */
interface LocatedRules extends ValueRules {
  readonly place: string;
}

/** Maximum bytes of a text. */
const maxTextLength = 1024 * 1024;
/** Maximum characters of a text that is matched against a pattern: time grows with the length. */
const maxMatchedLength = 10_000;
/** Maximum characters of a number, a date or a time code. */
const maxNumberLength = 100;

const utf8 = new TextEncoder();

/**
 * Returns the value in canonical form. Fields of every type accept the empty string, which means no value, unless a
 * minimum length is set.
 */
export function checkValue(valueRules: ValueRules, text: string, place = 'metadata'): string {
  const rules = { place, ...valueRules };
  const base = baseOf(rules.type);
  if (isText(base)) return checkText(rules, text);
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const { expected, read } = valueTypeOf(base);
  const value = trimmed.length > maxNumberLength ? undefined : read(trimmed);
  if (value === undefined) throw refused(rules, expected, text);
  checkRange(rules, value);
  return value;
}

function checkText(rules: LocatedRules, text: string): string {
  if (text.length > maxTextLength / 3 && utf8.encode(text).length > maxTextLength) {
    throw refused(rules, `at most ${maxTextLength} bytes`, text);
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
  if (text.length > maxMatchedLength) {
    throw refused(rules, `at most ${maxMatchedLength} characters, which the pattern is compared with`, text);
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
  const cached = matchers.get(pattern, 0);
  if (cached) return cached;
  const matcher = compilePattern(pattern, 'pattern');
  matchers.set(pattern, matcher, 1);
  return matcher;
}

function checkRange(rules: LocatedRules, value: string): void {
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

function refused({ name, place }: LocatedRules, expected: string, text: string): ServiceError {
  const value = text.slice(0, 80);
  const explanation = `Expected ${expected}: "${value}"`;
  return new ServiceError('bad-value', { context: place, id: name, explanation, value });
}
