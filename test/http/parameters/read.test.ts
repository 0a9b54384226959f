import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import {
  choice,
  date,
  flag,
  list,
  type Parameter,
  page,
  pageOf,
  readQuery,
  repeated,
  text,
  whole,
} from '../../../src/http/parameters/index.ts';
import { Parameters } from '../../../src/security/parameters.ts';

const sent = (query: string) => new Parameters([...new URLSearchParams(query)]);
const read = (parameter: Parameter, query: string) => readQuery({ p: parameter }, sent(query)).p;

const kinds: readonly (readonly [name: string, parameter: Parameter, query: string, value: unknown])[] = [
  ['a text', text('x'), 'p=+a+b+', 'a b'],
  ['an empty text', text('x', { defaultValue: 'none' }), 'p=', 'none'],
  ['a whole number', whole('x'), 'p=12', 12],
  ['a signed number', whole('x', { least: -5 }), 'p=-5', -5],
  ['a number above the largest that is answered', whole('x', { atMost: 10 }), 'p=999', 10],
  ...['true', 'True', 'TRUE', '1', 'yes', 'Yes'].map((word) => [`"${word}"`, flag('x'), `p=${word}`, true] as const),
  ...['false', 'False', '0', 'no', 'NO'].map((word) => [`"${word}"`, flag('x', true), `p=${word}`, false] as const),
  ['a word in capitals', choice('x', ['asc', 'desc']), 'p=DESC', 'desc'],
  ['another word for a choice', choice('x', ['true', 'all'], { also: { yes: 'true' } }), 'p=Yes', 'true'],
  ['a list with commas', list(text('x')), 'p=a,b,,c', ['a', 'b', 'c']],
  ['a list that is repeated', list(text('x')), 'p=a&p=b,c', ['a', 'b', 'c']],
  ['a list of choices', list(choice('x', ['a', 'b'])), 'p=A&p=b', ['a', 'b']],
  ['an empty list', list(text('x')), 'p=,', undefined],
  ['texts with commas', repeated('x'), 'p=a,b&p=c', ['a,b', 'c']],
  ['no texts', repeated('x'), '', []],
  ['milliseconds', date('x'), 'p=1900000000000', 1_900_000_000_000],
  ['a date', date('x'), 'p=2030-01-31T12:00:00%2B01:00', Date.UTC(2030, 0, 31, 11)],
  ['a date whose plus became a blank', date('x'), 'p=2030-01-31T12:00:00+01:00', Date.UTC(2030, 0, 31, 11)],
];

const refused: readonly (readonly [
  parameter: Parameter,
  query: string,
  explanation: string,
  value: string | undefined,
])[] = [
  [whole('x', { least: 1 }), 'p=0', 'Expected a whole number of at least 1', '0'],
  [whole('x', { least: 1, max: 9 }), 'p=10', 'Expected a whole number from 1 to 9', '10'],
  [whole('x'), 'p=1.5', 'Expected a whole number of at least 0', '1.5'],
  [flag('x'), 'p=maybe', 'Expected "true" or "false"', 'maybe'],
  [choice('x', ['asc', 'desc']), 'p=constructor', 'Expected one of asc, desc', 'constructor'],
  [list(choice('x', ['a', 'b'])), 'p=a,c', 'Expected one of a, b', 'c'],
  [date('x'), 'p=soon', 'Expected a date and time such as 2030-01-31T12:00:00Z', 'soon'],
  [text('x', { required: true, expected: 'Expected a name' }), 'p=', 'Expected a name', undefined],
  [whole('x'), 'p=1&p=2', 'Expected the parameter once', undefined],
];

describe('a declared parameter', () => {
  it.each(kinds)('reads %s', (_name, parameter, query, value) => {
    expect(read(parameter, query)).toEqual(value);
  });

  it.each(refused)('refuses what it cannot read, with its name: %#', (parameter, query, explanation, value) => {
    const error = refusalOf(() => read(parameter, query));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'bad-parameter', detail: { context: 'parameter', id: 'p', explanation } });
    expect(error.detail.value).toBe(value);
  });

  it('says in its schema what it takes', () => {
    expect(whole('x', { least: 1, max: 9, defaultValue: 3 }).schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 9,
      default: 3,
    });
    expect(list(choice('x', ['a', 'b'])).schema).toEqual({
      type: 'array',
      items: { type: 'string', enum: ['a', 'b'] },
    });
    expect(flag('x', false).schema).toEqual({ type: 'boolean', default: false });
  });
});

describe('a page', () => {
  it.each([
    ['', 0, 50],
    ['first=0', 0, 50],
    ['first=1', 0, 50],
    ['first=11&number=10', 10, 10],
    ['number=0', 0, 0],
    ['number=5000', 0, 50],
  ])('begins with the first row for 0 and 1, and is no larger than the setting: %s', (query, offset, limit) => {
    expect(pageOf(readQuery(page(50), sent(query)))).toEqual({ offset, limit });
  });

  it('refuses a row before the first', () => {
    expect(refusalOf(() => readQuery(page(50), sent('first=-1'))).detail.id).toBe('first');
  });
});

function refusalOf(run: () => unknown): ServiceError {
  try {
    run();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('Expected a refusal');
}
