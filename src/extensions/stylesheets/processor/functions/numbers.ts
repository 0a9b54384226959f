import { Node } from '../tree/node.ts';
import { calculate, orderOf } from '../xpath/operators.ts';
import { type Atomic, atomOf, type Item, numberOf, type Sequence } from '../xpath/values.ts';
import { formatNumber } from './format-numbers.ts';
import { numberIn, ofItem, onContext, type Rows, row, textIn } from './row.ts';

const ofNumber = (make: (value: number) => number) => ofItem((item) => make(numberOf(item)));

/** Text of nodes stands for a number. */
const measured = (item: Item): Atomic => (item instanceof Node ? numberOf(item) : item);

const extreme = (wanted: 1 | -1) =>
  row(1, 2, ([given = []], at) => {
    at.run.budget.step(given.length);
    const values = given.map(measured);
    if (values.some((each) => Number.isNaN(each))) return [Number.NaN];
    const [first, ...rest] = values;
    if (first === undefined) return [];
    return [rest.reduce((best, each) => (Math.sign(orderOf(each, best)) === wanted ? each : best), first)];
  });

const sumOf = (given: Sequence): Atomic | undefined => {
  const [first, ...rest] = given.map(measured).map((each) => (typeof each === 'string' ? numberOf(each) : each));
  return first === undefined ? undefined : rest.reduce<Atomic>((sum, each) => calculate(sum, '+', each), first);
};

function halfToEven(value: number, digits: number): number {
  const scale = 10 ** digits;
  const scaled = value * scale;
  if (scale === 0) return 0;
  // More digits than the number has.
  if (!Number.isFinite(scaled)) return value;
  const below = Math.floor(scaled);
  if (Math.abs(scaled - below - 0.5) > 1e-9) return Math.round(scaled) / scale;
  return (below % 2 === 0 ? below : below + 1) / scale;
}

export const numberFunctions: Rows = {
  number: onContext(1, ([given], _at, call) => [numberIn(given, call)]),
  abs: ofNumber(Math.abs),
  floor: ofNumber(Math.floor),
  ceiling: ofNumber(Math.ceil),
  round: ofNumber((value) => (Number.isFinite(value) ? Math.floor(value + 0.5) : value)),
  'round-half-to-even': row(1, 2, ([given = [], digits], _at, call) => {
    if (given.length === 0) return [];
    const value = numberIn(given, call);
    return [Number.isFinite(value) ? halfToEven(value, digits === undefined ? 0 : numberIn(digits, call)) : value];
  }),
  sum: row(1, 2, ([given = [], zero], at) => {
    at.run.budget.step(given.length);
    const sum = sumOf(given);
    return sum === undefined ? (zero ?? [0]) : [sum];
  }),
  avg: row(1, 1, ([given = []], at) => {
    at.run.budget.step(given.length);
    const sum = sumOf(given);
    return sum === undefined ? [] : [calculate(atomOf(sum), 'div', given.length)];
  }),
  max: extreme(1),
  min: extreme(-1),
  'format-number': row(2, 3, ([value, picture, format], at, call) => [
    formatNumber(numberIn(value, call), textIn(picture, call), at.run.decimalFormat(textIn(format, call))),
  ]),
};
