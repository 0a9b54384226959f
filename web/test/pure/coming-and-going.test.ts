import { describe, expect, it } from 'vitest';
import { usageField } from '../../src/pages/library/facets.ts';
import { documentOf, emptySearch, withPick } from '../../src/pages/library/search.ts';
import { queryOf, standard, useOf, withUse } from '../../src/pages/tables/tables.ts';
import { dayAndTime, momentOf } from '../../src/pages/usage/usage.ts';

describe('bounds of rights', () => {
  it.each([
    ['2030-06-30', '', false, '2030-06-30T00:00'],
    ['2030-06-30', '', true, '2030-07-01T00:00'],
    ['2030-12-31', '', true, '2031-01-01T00:00'],
    ['2030-06-30', '20:15', true, '2030-06-30T20:15'],
  ])('%s %s, as an end: %s, is %s, and is shown as it was typed', (day, time, isEnd, moment) => {
    expect(momentOf(day, time, isEnd)).toBe(new Date(moment).toISOString());
    expect(dayAndTime(momentOf(day, time, isEnd), isEnd)).toEqual([day, time]);
  });

  it('may be left out', () => {
    expect(momentOf('', '12:00', true)).toBeUndefined();
    expect(dayAndTime(undefined, true)).toEqual(['', '']);
  });

  it('are a filter of the library', () => {
    const search = withPick(emptySearch, usageField, 'ended', true);
    const { filter } = documentOf(search, { facets: [], counts: false, marked: [] });
    const field = [{ name: '__usable_until', range: [{ value: [{ minimum: true }, { value: 'NOW' }] }] }];
    expect(filter).toEqual([{ name: usageField, operation: 'OR', operator: [{ field }] }]);
  });
});

describe('columns of a table', () => {
  it('become what the person chooses, and one of them names the items', () => {
    const one = withUse(withUse(withUse(standard, 'id', 'key'), 'head', 'field:group/title'), 'other', 'ignored');
    const expected = { key: 'id', empty: 'keep', field: ['group/title:head'], ignore: ['other'] };
    expect(queryOf(one)).toEqual({ ...expected, keyColumn: 'id' });
    expect(queryOf(withUse(one, 'other', 'key'))).toEqual({ ...expected, ignore: [], keyColumn: 'other' });
  });

  it.each([
    [{ head: 'a', use: 'field', field: 'title' }, 'field:title'],
    [{ head: 'a', use: 'unknown', nearest: 'title' }, ''],
    [{ head: 'a', use: 'key' }, 'key'],
  ] as const)('are shown as the service reads them: %j', (column, use) => {
    expect(useOf(column)).toBe(use);
  });
});
