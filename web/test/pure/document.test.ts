import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/api/client.ts';
import {
  bytesOf,
  documentOf,
  type Part,
  partOf,
  sizeWords,
  valuesOf,
  withTyped,
} from '../../src/components/document.ts';

const part = (at: string, kind?: Part['kind']): Part => ({ at, label: at, kind });
const parts = [
  part('name'),
  part('job.age', 'number'),
  part('request.0.origin', 'lines'),
  part('limit', 'size'),
  part('isOn', 'flag'),
];

describe('a document in a form', () => {
  const document = {
    name: 'a',
    job: { age: 3, batch: 7 },
    request: [{ origin: ['x', 'y'], method: ['GET'] }, { method: ['PUT'] }],
    limit: 2e12,
    isOn: false,
  };

  it('is the same after it was shown and not changed', () => {
    const values = valuesOf(document, parts);
    expect(values).toEqual({ name: 'a', 'job.age': '3', 'request.0.origin': 'x\ny', limit: '2 TB', isOn: '' });
    expect(documentOf({ ...document, isOn: undefined }, parts, values)).toEqual({ ...document, isOn: undefined });
  });

  it('loses what was emptied, and no part that the form does not show', () => {
    const values = { name: ' b ', 'job.age': '', 'request.0.origin': '', limit: '1.5 gb', isOn: 'true' };
    expect(documentOf(document, parts, values)).toEqual({
      name: 'b',
      job: { batch: 7 },
      request: [{ method: ['GET'] }, { method: ['PUT'] }],
      limit: 1.5e9,
      isOn: true,
    });
    expect(documentOf({ job: { age: 3 } }, [part('job.age', 'number')], {})).toEqual({});
    expect(documentOf({}, [part('request.0.origin', 'lines')], { 'request.0.origin': 'x\n\n y ' })).toEqual({
      request: [{ origin: ['x', 'y'] }],
    });
  });

  it('keeps texts of several lines together where an empty line parts them', () => {
    const keys = part('key', 'blocks');
    const document = { key: ['BEGIN\na\nEND', 'b'] };
    expect(documentOf({}, [keys], valuesOf(document, [keys]))).toEqual(document);
  });

  it.each([
    ['/X/job/age', undefined, undefined, 'job.age'],
    ['/X/request[2]/origin', undefined, undefined, 'request.0.origin'],
    ['parameter', 'name', undefined, 'name'],
    ['/X/resource[1]/most', undefined, 'nobody', 'name'],
    [undefined, 'nobody', undefined, 'name'],
    ['/X/other', undefined, undefined, undefined],
  ])('has the refusal of %s, %s, %s at %s', (context, id, value, at) => {
    const refusal = new Refusal(400, 'invalidInput', { context, id, value });
    expect(partOf(refusal, parts, { name: 'nobody' })?.at).toBe(at);
  });
});

it('a part follows another one, until somebody types something else into it', () => {
  const pair: Part[] = [part('label'), { ...part('name'), follows: { at: 'label', as: (text) => text.toLowerCase() } }];
  const first = withTyped({}, pair, 'label', 'Film');
  expect(first).toEqual({ label: 'Film', name: 'film' });
  expect(withTyped(first, pair, 'label', 'Film Noir')).toEqual({ label: 'Film Noir', name: 'film noir' });
  const own = withTyped(first, pair, 'name', 'mine');
  expect(withTyped(own, pair, 'label', 'Other')).toEqual({ label: 'Other', name: 'mine' });
});

it.each([
  ['300', 300],
  ['300 B', 300],
  ['2TB', 2e12],
  ['1,5 kb', 1500],
  ['7 M', 7e6],
  ['much', undefined],
  ['-1', undefined],
])('reads the size %s', (text, bytes) => {
  expect(bytesOf(text)).toBe(bytes);
});

it.each([0, 1, 999, 1000, 1_500_000, 2e12, 123_456_789])('writes a size of %s so that it is read again', (bytes) => {
  expect(bytesOf(sizeWords(bytes))).toBe(bytes);
});
