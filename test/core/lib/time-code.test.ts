import { expect, it } from 'vitest';
import { baseText, samplesOf } from '../../../src/core/lib/time-code.ts';
import { fieldsOfCheck } from '../../../src/production/checking/deducing/fields.ts';

it.each([
  [1, 25, 'PAL'],
  [2, 50, 'PAL'],
  [1001, 30_000, 'NTSC'],
  [1, 30, 'NTSC30'],
  [1, 24, '24'],
  [1001, 24_000, '24000:1001'],
])('a base of %d/%d seconds is written as %s', (numerator, denominator, text) => {
  expect(baseText(numerator, denominator)).toBe(text);
});

it.each([
  ['250@PAL', 250, 1, 25],
  ['7@30000:1001', 7, 1001, 30_000],
  ['3', 3, 1, 1],
  ['10.5', 105, 1, 10],
])('%s is a count of units', (text, samples, numerator, denominator) => {
  expect(samplesOf(text)).toEqual({ samples, timeBase: { numerator, denominator } });
});

it('the first time code of an item has the name of its base', () => {
  const containerComponent = { startTimecode: 982_500, timeCodeTimeBase: { numerator: 1, denominator: 25 } };
  expect(fieldsOfCheck({ containerComponent }, {}, new Map(), { filename: '' })).toMatchObject({
    startTimeCode: ['982500@PAL'],
    startSeconds: ['39300'],
  });
});
