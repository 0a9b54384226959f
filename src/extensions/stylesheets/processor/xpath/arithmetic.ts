import { StylesheetFails, shown } from '../fails.ts';
import type { Arithmetic } from './ast.ts';
import { Duration, later, Timed } from './timed.ts';
import { type Atomic, numberOf, textOf } from './values.ts';

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
