import { expect, it } from 'vitest';
import { Traffic } from '../../src/http/traffic.ts';

/** Asks for a request that comes at each of these times whether others do. */
function asked(others: readonly number[], times: readonly number[]): boolean[] {
  const traffic = new Traffic();
  const all = [...others.map((at) => ({ at, asks: false })), ...times.map((at) => ({ at, asks: true }))];
  return all
    .toSorted((one, other) => one.at - other.at || Number(one.asks) - Number(other.asks))
    .flatMap(({ at, asks }) => {
      traffic.came(at);
      return asks ? [traffic.hasOthers(at, at)] : [];
    });
}

it.each([
  ['one request has no others', [], [1000], [false]],
  [
    'those that ask are no others to each other',
    [],
    [1000, 1001, 1050, 1150, 1900],
    [false, false, false, false, false],
  ],
  ['one that came just before is one', [1000], [1001], [true]],
  ['it is so for all of its span and of the next one', [1000], [1099, 1199, 1200], [true, true, false]],
  ['a long time passes', [1000], [900_000], [false]],
  ['some come all the time', [1000, 1100, 1200, 1300], [1250, 1390, 1490, 1600], [true, true, true, false]],
])('%s', (_title, others, times, expected) => {
  expect(asked(others, times)).toEqual(expected);
});

it.each([
  ['in the span before', 1099, 1100],
  ['long before', 1000, 1450],
  ['just now', 1000, 1000],
])('a request is no other to itself or to the next one: it came %s', (_title, came, asks) => {
  const traffic = new Traffic();
  traffic.came(came);
  expect(traffic.hasOthers(asks, came)).toBe(false);
  traffic.came(asks + 1);
  expect(traffic.hasOthers(asks + 1, asks + 1)).toBe(false);
});

it('one whose body took long to come is not taken away from the others', () => {
  const traffic = new Traffic();
  traffic.came(1000);
  traffic.came(1250);
  expect(traffic.hasOthers(1250, 1000)).toBe(true);
  expect(traffic.hasOthers(1250, 1250)).toBe(false);
});
