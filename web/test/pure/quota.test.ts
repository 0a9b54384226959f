import { expect, it } from 'vitest';
import { daysLeft, documentOfRule, fullest, ruleOf, toneOf } from '../../src/pages/quota/quota.ts';

const now = Date.parse('2030-01-31T00:00:00Z');
const rule = ruleOf({
  id: 'VX-1',
  user: 'anna',
  lastUpdate: '2030-01-30T00:00:00Z',
  resource: [
    { name: 'storage', limit: 100, usage: 40 },
    { name: 'item', limit: 10, usage: 9 },
  ],
});
const history = (day: readonly { date: string; storage: number }[]) => ({ day: [...day] });

it('sends a rule as it was read, without what the service counts', () => {
  expect(documentOfRule(rule)).toEqual({
    id: 'VX-1',
    user: 'anna',
    resource: [
      { name: 'item', limit: 10 },
      { name: 'storage', limit: 100 },
    ],
  });
});

it('is as full as the fullest of its limits', () => {
  expect([rule, ruleOf({ resource: [{ name: 'item', limit: 0, usage: 1 }] }), ruleOf({})].map(fullest)).toEqual([
    0.9, 2, 0,
  ]);
  expect([0.89, 0.9, 1, 1.01].map(toneOf)).toEqual([undefined, 'warn', 'warn', 'bad']);
});

it.each([
  ['in 30 days, if 40 of 100 took 20', [{ date: '2030-01-11T00:00:00Z', storage: 0 }], 30],
  ['never, if it shrinks', [{ date: '2030-01-11T00:00:00Z', storage: 90 }], undefined],
  ['at an unknown time, if only today is known', [{ date: '2030-01-30T12:00:00Z', storage: 0 }], undefined],
  ['at an unknown time without a history', [], undefined],
])('is full %s', (_title, days, left) => {
  expect(daysLeft(rule, 'storage', history(days), now)).toBe(left);
});
