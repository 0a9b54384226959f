import { spendText } from '../budget.ts';
import { StylesheetFails, shown } from '../fails.ts';
import type { Node } from '../tree/node.ts';
import type { Arithmetic, Comparison } from './ast.ts';
import { castTo } from './cast.ts';
import { Duration, later, Timed } from './timed.ts';
import { type Atomic, atomsOf, numberOf, QName, type Sequence, textOf, truthOf } from './values.ts';

const ofNumbers: Readonly<Record<Arithmetic, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  div: (a, b) => a / b,
  idiv: (a, b) => {
    if (b === 0) throw new StylesheetFails('Expected another divisor than 0 for idiv');
    return Math.trunc(a / b);
  },
  mod: (a, b) => a % b,
};

function divisor(by: number): number {
  if (by === 0) throw new StylesheetFails('Expected another divisor than 0 for a duration');
  return by;
}

const negated = ({ type, months, milliseconds }: Duration): Duration => new Duration(type, -months, -milliseconds);
const scaled = ({ type, months, milliseconds }: Duration, by: number): Duration =>
  new Duration(type, Math.round(months * by), Math.round(milliseconds * by));

/** Sums of dates and durations. Undefined: there is none of these. */
function ofTimes(a: Atomic, sign: Arithmetic, b: Atomic): Atomic | undefined {
  if (a instanceof Timed && b instanceof Timed && sign === '-') {
    return new Duration('dayTimeDuration', 0, a.instant - b.instant);
  }
  if (a instanceof Timed && b instanceof Duration) {
    if (sign === '+' || sign === '-') return later(a, sign === '+' ? b : negated(b));
  }
  if (a instanceof Duration && b instanceof Timed && sign === '+') return later(b, a);
  if (a instanceof Duration && b instanceof Duration) {
    if (sign === '+' || sign === '-') {
      const other = sign === '+' ? b : negated(b);
      return new Duration(a.type, a.months + other.months, a.milliseconds + other.milliseconds);
    }
    if (sign === 'div') {
      const [part, whole] = a.months === 0 && b.months === 0 ? [a.milliseconds, b.milliseconds] : [a.months, b.months];
      if (whole === 0) throw new StylesheetFails('Expected another divisor than a duration of 0');
      return part / whole;
    }
  }
  if (a instanceof Duration && typeof b === 'number' && (sign === '*' || sign === 'div')) {
    return scaled(a, sign === '*' ? b : 1 / divisor(b));
  }
  if (typeof a === 'number' && b instanceof Duration && sign === '*') return scaled(b, a);
  return undefined;
}

const isTime = (value: Atomic): boolean => value instanceof Timed || value instanceof Duration;

export function calculate(a: Atomic, sign: Arithmetic, b: Atomic): Atomic {
  if (!isTime(a) && !isTime(b)) return ofNumbers[sign](numberOf(a), numberOf(b));
  const sum = ofTimes(a, sign, b);
  if (sum !== undefined) return sum;
  const both = `${shown(textOf(a))} ${sign} ${shown(textOf(b))}`;
  throw new StylesheetFails(`Expected numbers, dates or durations that fit together: found ${both}`);
}

const signs: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const byOrder = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN);

/** NaN: neither comes first, and they are not equal. */
export function orderOf(a: Atomic, b: Atomic): number {
  if (typeof a === 'number' || typeof b === 'number') return byOrder(numberOf(a), numberOf(b));
  if (typeof a === 'boolean' || typeof b === 'boolean') return byOrder(flagOf(a), flagOf(b));
  if (a instanceof Timed || b instanceof Timed) return timedOrder(a, b);
  if (a instanceof Duration || b instanceof Duration) return durationOrder(a, b);
  if (a instanceof QName && b instanceof QName) return a.local === b.local && a.uri === b.uri ? 0 : 1;
  const [first, second] = [textOf(a), textOf(b)];
  spendText(Math.min(first.length, second.length));
  return byOrder(first, second);
}

const flagOf = (value: Atomic): number => {
  const flag = castTo('boolean', value);
  return flag === undefined ? Number.NaN : Number(flag);
};

function timedOrder(a: Atomic, b: Atomic): number {
  const type = a instanceof Timed ? a.type : (b as Timed).type;
  const [first, second] = [castTo(type, a), castTo(type, b)];
  if (first instanceof Timed && second instanceof Timed) return byOrder(first.instant, second.instant);
  throw new StylesheetFails(`Expected two values of xs:${type}: found ${shown(textOf(a))} and ${shown(textOf(b))}`);
}

function durationOrder(a: Atomic, b: Atomic): number {
  const [first, second] = [castTo('duration', a), castTo('duration', b)];
  if (!(first instanceof Duration && second instanceof Duration)) {
    throw new StylesheetFails(`Expected two durations: found ${shown(textOf(a))} and ${shown(textOf(b))}`);
  }
  return byOrder(length(first), length(second));
}

/** Months have no length. For an order the mean one does. */
const length = ({ months, milliseconds }: Duration): number => months * 2_629_746_000 + milliseconds;

/** Whether any of one is to any of the other as the sign says. `isOld`: as version 1.0 does. */
export function compareAny(left: Sequence, right: Sequence, sign: Comparison, isOld: boolean): boolean {
  const holds = signs[sign];
  if (isOld && [left, right].some((side) => side.length === 1 && typeof side[0] === 'boolean')) {
    return holds(byOrder(Number(truthOf(left)), Number(truthOf(right))));
  }
  const [first, second] = [atomsOf(left), atomsOf(right)];
  const isOrder = sign !== '=' && sign !== '!=';
  const compare = (a: Atomic, b: Atomic): boolean => {
    const isText = typeof a === 'string' && typeof b === 'string';
    const order = isOld && isOrder && isText ? byOrder(numberOf(a), numberOf(b)) : orderOf(a, b);
    return holds(order);
  };
  spendText(first.length + second.length);
  if (sign === '=' && first.length > 8 && second.length > 8 && [...first, ...second].every(isString)) {
    const texts = new Set(second);
    return first.some((each) => texts.has(each));
  }
  return first.some((a) => second.some((b) => compare(a, b)));
}

const isString = (value: Atomic): boolean => typeof value === 'string';

export const compareOne = (a: Atomic, b: Atomic, sign: Comparison): boolean => signs[sign](orderOf(a, b));

export function compareNodes(a: Node, b: Node, sign: 'is' | '<<' | '>>'): boolean {
  if (sign === 'is') return a === b;
  return sign === '<<' ? a.order < b.order : a.order > b.order;
}

/** A key by which equal values are found. */
export const keyOf = (value: Atomic): string => {
  if (typeof value === 'string') return `s${value}`;
  if (value instanceof Timed) return `${value.type}${value.instant}`;
  return value instanceof Duration ? `d${value.months} ${value.milliseconds}` : `${typeof value}${textOf(value)}`;
};
