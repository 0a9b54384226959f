import { expect, it } from 'vitest';
import {
  areSteps,
  gap,
  type Member,
  type MemberKey,
  MemberOrder,
  moveToEnd,
  placesOf,
  replaceBy,
  takeSteps,
} from '../../../../src/assets/items/collections/members/order.ts';

const member = (id: string, position: number): Member => ({ type: 'item', id, position, reference: `of ${id}` });
const members = (ids: string, step = gap): readonly Member[] =>
  Array.from(ids, (id, index) => member(id, (index + 1) * step));
const orderOf = (all: readonly Member[]): MemberOrder => new MemberOrder().load(all);
const idsOf = (all: Iterable<MemberKey>): string => Array.from(all, ({ id }) => id).join('');

/** The ids in the order that the database gives once the changes are written. */
function after(before: readonly Member[], arrange: (order: MemberOrder) => ReturnType<typeof takeSteps>): string {
  const order = new MemberOrder().load(before);
  const placed = arrange(order);
  const { removed } = order;
  const positions = new Map(before.map(({ id, position }) => [id, position]));
  for (const { id } of removed) positions.delete(id);
  for (const { id, position } of placed) positions.set(id, position);
  const sorted = [...positions].toSorted(([, one], [, other]) => one - other);
  expect(new Set(positions.values()).size).toBe(sorted.length);
  return sorted.map(([id]) => id).join('');
}

const entries = (ids: string) => Array.from(ids, (id) => ({ type: 'item', id }));

it.each([
  ['abc', 'cab', 'cab'],
  ['abc', 'bx', 'bx'],
  ['abc', '', ''],
  ['abc', 'aba', 'ab'],
  ['', 'ab', 'ab'],
])('%s replaced by %s is %s', (before, named, expected) => {
  const stored = members(before).filter(({ id }) => named.includes(id));
  const placed = replaceBy(stored, entries(named));
  expect(after(stored, () => placed)).toBe(expected);
});

it.each([
  ['abcd', 'bx', 'acdbx'],
  ['abc', 'aba', 'cab'],
])('%s and a document of %s without clear give %s', (before, named, expected) => {
  expect(after(members(before), (order) => moveToEnd(order, entries(named)))).toBe(expected);
});

it('steps are taken one after the other', () => {
  const all = members('abcd');
  const steps = [
    { type: 'item', id: 'x', mode: 'add', before: 'a' },
    { type: 'item', id: 'b', mode: 'remove' },
    { type: 'item', id: 'd', mode: 'move', after: 'x' },
    { type: 'item', id: 'y', mode: 'add' },
    { type: 'item', id: 'a', mode: 'add' },
  ] as const;
  expect(after(all, (order) => takeSteps(order, steps))).toBe('xdacy');
});

it.each([
  [[{ type: 'item', id: 'a', mode: 'move', before: 'b', after: 'c' }], 400],
  [[{ type: 'item', id: 'x', mode: 'move' }], 404],
  [[{ type: 'item', id: 'x', mode: 'remove' }], 404],
  [[{ type: 'item', id: 'a', mode: 'move', before: 'x' }], 404],
] as const)('%j is refused with %i', (steps, status) => {
  expect(() => takeSteps(orderOf(members('abc')), steps)).toThrow(expect.objectContaining({ status }));
});

it('a mode on some entries only is refused', () => {
  const mixed = [
    { type: 'item', id: 'a', mode: 'add' },
    { type: 'item', id: 'b' },
  ] as const;
  expect(() => areSteps(mixed)).toThrow(expect.objectContaining({ status: 400 }));
});

it('an id that members of two kinds have means the one of the same kind', () => {
  const order = orderOf([...members('ab'), { ...member('a', 9 * gap), type: 'collection' }]);
  order.put({ type: 'collection', id: 'x' }, { side: 'before', of: { type: 'collection', id: 'a' } });
  expect(idsOf(order)).toBe('abxa');
});

it('one move writes one position, until the gap is used up', () => {
  const all = members('abc');
  const move = [{ type: 'item', id: 'c', mode: 'move', before: 'b' }] as const;
  expect(takeSteps(orderOf(all), move)).toEqual([{ type: 'item', id: 'c', position: 1.5 * gap }]);
  const close = [member('a', 1), member('b', 2), member('c', 3)];
  expect(takeSteps(orderOf(close), move).map(({ position }) => position)).toEqual([gap, 2 * gap, 3 * gap]);
});

it('a member in front of all others, or behind them, moves no other', () => {
  const all = members('abc');
  expect(takeSteps(orderOf(all), [{ type: 'item', id: 'x', mode: 'add', before: 'a' }])).toHaveLength(1);
  expect(takeSteps(orderOf(all), [{ type: 'item', id: 'x', mode: 'add' }])).toHaveLength(1);
});

it('no change writes nothing', () => {
  const all = members('abc');
  const order = orderOf(all);
  expect([replaceBy(all, entries('abc')), order.removed]).toEqual([[], []]);
  expect(placesOf(order)).toEqual([]);
});
