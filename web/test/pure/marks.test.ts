import { expect, it } from 'vitest';
import { markBegin, markEnd, partsOf } from '../../src/pages/library/search.ts';

const hit = (text: string) => `${markBegin}${text}${markEnd}`;

it('splits a text at its hits', () => {
  expect(partsOf(`The ${hit('harbour')} at ${hit('night')}`)).toEqual([
    { text: 'The ', hit: false },
    { text: 'harbour', hit: true },
    { text: ' at ', hit: false },
    { text: 'night', hit: true },
  ]);
});

it('keeps markup of a person as text', () => {
  expect(partsOf(`<img src=x onerror=alert(1)> ${hit('<em>')}`)).toEqual([
    { text: '<img src=x onerror=alert(1)> ', hit: false },
    { text: '<em>', hit: true },
  ]);
});

it('colours nothing after a mark that does not end', () => {
  expect(partsOf(`a${markBegin}b`)).toEqual([
    { text: 'a', hit: false },
    { text: 'b', hit: false },
  ]);
  expect(partsOf(`a${markEnd}b`).every((part) => !part.hit)).toBe(true);
  expect(partsOf('')).toEqual([]);
});
