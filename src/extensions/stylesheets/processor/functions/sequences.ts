import { StylesheetFails } from '../fails.ts';
import { Node } from '../tree/node.ts';
import { keyOf, orderOf } from '../xpath/operators.ts';
import { atomOf, empty, type Item, type Sequence, truthOf } from '../xpath/values.ts';
import { itemIn, numberIn, onContext, type Rows, row, textIn } from './row.ts';

function isSame(a: Item, b: Item): boolean {
  if (!(a instanceof Node && b instanceof Node)) {
    return !(a instanceof Node) && !(b instanceof Node) && orderOf(a, b) === 0;
  }
  if (a.kind !== b.kind || a.name.local !== b.name.local || a.name.uri !== b.name.uri) return false;
  if (a.kind !== 'element' && a.kind !== 'document') return a.value === b.value;
  if (a.attributes.length !== b.attributes.length) return false;
  const has = ({ name, value }: Node): boolean => b.attribute(name.local, name.uri) === value;
  return a.attributes.every(has) && areSame(a.children.filter(counts), b.children.filter(counts));
}

const counts = ({ kind }: Node): boolean => kind === 'element' || kind === 'text';
const areSame = (a: Sequence, b: Sequence): boolean =>
  a.length === b.length && a.every((each, index) => isSame(each, b[index]!));

const size = (items: Sequence): number =>
  items.reduce<number>((sum, item) => sum + (item instanceof Node ? 1 + size(item.children) : 1), 0);

const holds = (fits: (count: number) => boolean, what: string) =>
  row(1, 1, ([given = empty]) => {
    if (fits(given.length)) return given;
    throw new StylesheetFails(`Expected ${what}: found ${given.length}`);
  });

export const sequenceFunctions: Rows = {
  true: row(0, 0, () => [true]),
  false: row(0, 0, () => [false]),
  boolean: row(1, 1, ([given = empty]) => [truthOf(given)]),
  not: row(1, 1, ([given = empty]) => [!truthOf(given)]),
  empty: row(1, 1, ([given = empty]) => [given.length === 0]),
  exists: row(1, 1, ([given = empty]) => [given.length > 0]),
  count: row(1, 1, ([given = empty]) => [given.length]),
  data: onContext(1, ([given = empty]) => given.map(atomOf)),
  unordered: row(1, 1, ([given = empty]) => given),
  reverse: row(1, 1, ([given = empty], at) => {
    at.run.budget.step(given.length);
    return given.toReversed();
  }),
  'distinct-values': row(1, 2, ([given = empty], at) => {
    at.run.budget.step(given.length);
    const distinct = new Map<string, Item>();
    for (const value of given.map(atomOf)) if (!distinct.has(keyOf(value))) distinct.set(keyOf(value), value);
    return [...distinct.values()];
  }),
  'index-of': row(2, 3, ([given = empty, wanted], at, call) => {
    at.run.budget.step(given.length);
    const value = itemIn(wanted, call);
    if (value === undefined) return empty;
    return given.flatMap((each, index) => (orderOf(atomOf(each), atomOf(value)) === 0 ? [index + 1] : []));
  }),
  'insert-before': row(3, 3, ([given = empty, place, more = empty], at, call) => {
    at.run.budget.step(given.length + more.length);
    return given.toSpliced(Math.max(0, numberIn(place, call) - 1), 0, ...more);
  }),
  remove: row(2, 2, ([given = empty, place], at, call) => {
    at.run.budget.step(given.length);
    const index = numberIn(place, call) - 1;
    return given.filter((_each, other) => other !== index);
  }),
  subsequence: row(2, 3, ([given = empty, from, length], at, call) => {
    at.run.budget.step(given.length);
    const begin = Math.floor(numberIn(from, call) + 0.5);
    const end = length === undefined ? Number.POSITIVE_INFINITY : begin + Math.floor(numberIn(length, call) + 0.5);
    return given.filter((_each, index) => index + 1 >= begin && index + 1 < end);
  }),
  'deep-equal': row(2, 3, ([a = empty, b = empty], at) => {
    at.run.budget.step(size(a) + size(b));
    return [areSame(a, b)];
  }),
  'exactly-one': holds((count) => count === 1, 'exactly one'),
  'one-or-more': holds((count) => count > 0, 'one or more'),
  'zero-or-one': holds((count) => count < 2, 'one or none'),
  error: row(0, 3, ([code, description], _at, call) => {
    const text = description === undefined ? textIn(code, call) : textIn(description, call);
    throw new StylesheetFails(`The stylesheet ends with an error: ${text.slice(0, 200)}`);
  }),
  trace: row(2, 2, ([given = empty]) => given),
};
