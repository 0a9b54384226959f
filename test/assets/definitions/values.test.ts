import { describe, expect, it } from 'vitest';
import { type FieldType, keepsValues, type Restriction } from '../../../src/assets/definitions/types.ts';
import { checkValue } from '../../../src/assets/definitions/values.ts';
import { refusal as refusalOf } from '../../support/thrown.ts';

const check = (type: FieldType, text: string, restriction?: Restriction) =>
  checkValue({ name: 'x_field', type, restriction }, text);

const refusal = (type: FieldType, text: string, restriction?: Restriction) =>
  refusalOf(() => check(type, text, restriction));

const taken: readonly (readonly [type: FieldType, text: string, stored?: string])[] = [
  ['string', ' as it is\n'],
  ['string-exact', ''],
  ['string-noindex', '\u{1f600}'],
  ['integer', '007', '7'],
  ['integer', '+5', '5'],
  ['integer', '-0', '0'],
  ['integer', ' 12 ', '12'],
  ['integer', '-2147483648'],
  ['integer-sortable', '2147483647'],
  ['long', '9223372036854775807'],
  ['long-noindex', '-9223372036854775808'],
  ['float', '6.954666666666666'],
  ['float', '-1.5E+10'],
  ['float', '.5'],
  ['date', '2020-09-23T10:57:34.048Z'],
  ['date', '2020-09-23'],
  ['date', '2020-09-23T10:57:34+02:00'],
  ['date-noindex', '2020-09-23T10:57'],
  ['boolean', 'TRUE', 'true'],
  ['boolean', '0', 'false'],
  ['boolean-noindex', '1', 'true'],
  ['timeCode', '250@PAL'],
  ['timeCode', '3.5'],
  ['timeCode', '100@30000:1001'],
  ['timeCode-noindex', '-25@25'],
  ['integer', ''],
  ['date', ''],
];

const refused: readonly (readonly [type: FieldType, text: string, expected: string])[] = [
  ['integer', '2147483648', 'a whole number from -2147483648 to 2147483647'],
  ['integer', '1.0', 'a whole number'],
  ['integer', '0x10', 'a whole number'],
  ['integer', '9'.repeat(100_000), 'a whole number'],
  ['long', '9223372036854775808', 'a whole number from -9223372036854775808'],
  ['float', 'NaN', 'a decimal number'],
  ['float', '1e999', 'a decimal number'],
  ['float', '1,5', 'a decimal number'],
  ['date', '2020-02-30', 'an ISO 8601 date'],
  ['date', 'NOW', 'an ISO 8601 date'],
  ['boolean', 'yes', 'true or false'],
  ['timeCode', '2.5@XAL', 'a time code'],
  ['timeCode', '+INF', 'a time code'],
  ['timeCode', '25@0', 'a time code'],
  ['timeCode', '25@30000:0', 'a time code'],
  ['timeCode', '10:00:00:00', 'a time code'],
];

describe('values', () => {
  it.each(taken.map(([type, text, stored = text]) => ({ type, text, stored })))('$type takes $text', (row) => {
    const { type, text, stored } = row;
    expect(check(type, text)).toBe(stored);
  });

  it.each(refused)('%s refuses %.20s', (type, text, expected) => {
    expect(refusal(type, text)).toMatchObject({
      code: 'bad-value',
      detail: { context: 'metadata', id: 'x_field', explanation: expect.stringContaining(`Expected ${expected}`) },
    });
  });

  it('a text has at most 1 MiB, counted in bytes', () => {
    const max = 1024 * 1024;
    expect(check('string', 'x'.repeat(max))).toHaveLength(max);
    expect(refusal('string', 'x'.repeat(max + 1))).toMatchObject({ code: 'bad-value' });
    expect(refusal('string-exact', '€'.repeat(400_000))).toMatchObject({ code: 'bad-value' });
  });
});

describe('restrictions', () => {
  const letters: Restriction = { of: 'string', minLength: 2, maxLength: 3, pattern: '[a-z\u{1f600}]+' };

  it('a pattern matches the whole text, and lengths count characters', () => {
    expect(check('string', 'abc', letters)).toBe('abc');
    expect(check('string', '\u{1f600}\u{1f600}\u{1f600}', letters)).toHaveLength(6);
    expect(refusal('string', 'a', letters)).toMatchObject({
      detail: { explanation: 'Expected at least 2 characters: "a"' },
    });
    expect(refusal('string', 'abcd', letters)).toMatchObject({
      detail: { explanation: expect.stringContaining('at most 3') },
    });
    expect(refusal('string', 'ab1', letters)).toMatchObject({
      detail: { context: 'metadata', id: 'x_field', value: 'ab1', explanation: expect.stringContaining('matches') },
    });
    expect(refusal('string', '', letters)).toMatchObject({ code: 'bad-value' });
  });

  it('a pattern that backtracking engines never end with is compared in linear time', () => {
    const evil: Restriction = { of: 'string', pattern: '(a+)+b' };
    expect(refusal('string', 'a'.repeat(10_000), evil)).toMatchObject({ code: 'bad-value' });
    expect(refusal('string', 'a'.repeat(10_001), evil)).toMatchObject({
      detail: { explanation: expect.stringContaining('at most 10000 characters') },
    });
  });

  it('limits of numbers are inclusive', () => {
    const stars: Restriction = { of: 'integer', minInclusive: 1, maxInclusive: 5 };
    expect([check('integer', '1', stars), check('integer', '5', stars)]).toEqual(['1', '5']);
    expect(refusal('integer', '0', stars)).toMatchObject({ detail: { explanation: 'Expected at least 1: "0"' } });
    expect(refusal('integer', '6', stars)).toMatchObject({ detail: { explanation: 'Expected at most 5: "6"' } });
    const long: Restriction = { of: 'long', maxInclusive: 9007199254740991 };
    expect(refusal('long', '9007199254740992', long)).toMatchObject({ code: 'bad-value' });
    const part: Restriction = { of: 'float', minInclusive: 0.5 };
    expect(check('float', '0.5', part)).toBe('0.5');
    expect(refusal('float', '0.49', part)).toMatchObject({ code: 'bad-value' });
  });
});

describe('families of types', () => {
  it.each<[FieldType, FieldType, boolean]>([
    ['string', 'string-exact-sortable', true],
    ['string-exact', 'string-noindex', true],
    ['integer', 'float', true],
    ['integer-noindex', 'long', true],
    ['long', 'float-sortable', true],
    ['date', 'date-noindex', true],
    ['float', 'integer', false],
    ['long', 'integer', false],
    ['string', 'integer', false],
    ['integer', 'string', false],
    ['date', 'timeCode', false],
  ])('%s to %s', (from, to, keeps) => {
    expect(keepsValues(from, to)).toBe(keeps);
  });
});
