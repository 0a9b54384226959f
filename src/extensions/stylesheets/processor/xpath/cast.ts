import { StylesheetFails, shown } from '../fails.ts';
import { Node } from '../tree/node.ts';
import type { NodeTest, SequenceType } from './ast.ts';
import { testOf } from './axes.ts';
import { Duration, type DurationType, day, parseDuration, parseTimed, Timed, type TimedType } from './timed.ts';
import { type Atomic, atomOf, type Item, numberOf, QName, type Sequence, textOf } from './values.ts';

type Caster = (value: Atomic) => Atomic | undefined;

const asText: Caster = (value) => textOf(value);
const blanks = (value: Atomic): string =>
  textOf(value)
    .replaceAll(/[ \t\r\n]+/g, ' ')
    .trim();

const asNumber: Caster = (value) => {
  const number = numberOf(value);
  return Number.isNaN(number) && textOf(value).trim() !== 'NaN' ? undefined : number;
};

const asInteger: Caster = (value) => {
  if (typeof value === 'string' && !/^\s*[+-]?\d+\s*$/.test(value)) return undefined;
  const number = numberOf(value);
  return Number.isFinite(number) ? Math.trunc(number) : undefined;
};

const asBoolean: Caster = (value) => {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value);
  const text = textOf(value).trim();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
};

const asTimed =
  (type: TimedType): Caster =>
  (value) => {
    if (!(value instanceof Timed)) return parseTimed(type, textOf(value));
    if (type === value.type) return value;
    if (type === 'dateTime') return value.type === 'date' ? new Timed(type, value.wall, value.offset) : undefined;
    if (value.type !== 'dateTime') return undefined;
    const within = ((value.wall % day) + day) % day;
    return new Timed(type, type === 'time' ? within : value.wall - within, value.offset);
  };

const asDuration =
  (type: DurationType): Caster =>
  (value) => {
    if (!(value instanceof Duration)) return parseDuration(type, textOf(value));
    const months = type === 'dayTimeDuration' ? 0 : value.months;
    return new Duration(type, months, type === 'yearMonthDuration' ? 0 : value.milliseconds);
  };

const whole =
  'integer long int short byte nonNegativeInteger positiveInteger unsignedLong unsignedInt nonPositiveInteger';

/** By the local name of the type. */
const casters = new Map<string, Caster>([
  ['string', asText],
  ['untypedAtomic', asText],
  ['anyURI', (value) => textOf(value).trim()],
  ['normalizedString', (value) => textOf(value).replaceAll(/[\t\r\n]/g, ' ')],
  ...'token NMTOKEN NCName Name language ID'.split(' ').map((name) => [name, blanks] as const),
  ...'double decimal float'.split(' ').map((name) => [name, asNumber] as const),
  ...whole.split(' ').map((name) => [name, asInteger] as const),
  ['boolean', asBoolean],
  ...(['dateTime', 'date', 'time'] as const).map((name) => [name, asTimed(name)] as const),
  ...(['duration', 'dayTimeDuration', 'yearMonthDuration'] as const).map((name) => [name, asDuration(name)] as const),
  ['anyAtomicType', (value) => value],
]);

export const isType = (name: string): boolean => casters.has(name) || name === 'QName' || name === 'numeric';

/** Undefined: the value is none of the type. */
export const castTo = (type: string, value: Atomic): Atomic | undefined => casters.get(type)?.(value);

export function cast(type: string, value: Atomic): Atomic {
  const castValue = castTo(type, value);
  if (castValue !== undefined) return castValue;
  throw new StylesheetFails(`Expected a value of the type xs:${type}: found ${shown(textOf(value))}`);
}

const whether: Readonly<Record<string, (value: Atomic) => boolean>> = {
  anyAtomicType: () => true,
  boolean: (value) => typeof value === 'boolean',
  dateTime: (value) => value instanceof Timed && value.type === 'dateTime',
  date: (value) => value instanceof Timed && value.type === 'date',
  time: (value) => value instanceof Timed && value.type === 'time',
  duration: (value) => value instanceof Duration,
  dayTimeDuration: (value) => value instanceof Duration && value.type === 'dayTimeDuration',
  yearMonthDuration: (value) => value instanceof Duration && value.type === 'yearMonthDuration',
  QName: (value) => value instanceof QName,
};
const texts = new Set('string untypedAtomic anyURI normalizedString token NMTOKEN NCName Name'.split(' '));
const fractions = new Set(['double', 'decimal', 'float', 'numeric']);
const wholes = new Set(whole.split(' '));

function isOf(of: SequenceType['of'], item: Item): boolean {
  if (of === 'item') return true;
  if (typeof of !== 'string') return item instanceof Node && testOf(of as NodeTest)(item);
  if (item instanceof Node) return false;
  if (texts.has(of)) return typeof item === 'string';
  if (fractions.has(of)) return typeof item === 'number';
  if (wholes.has(of)) return Number.isInteger(item);
  return Object.hasOwn(whether, of) && whether[of]!(item);
}

const fits = ({ of, occurs }: SequenceType, count: number): boolean =>
  of === 'empty'
    ? count === 0
    : count === 0
      ? occurs === '?' || occurs === '*'
      : count === 1 || occurs === '*' || occurs === '+';

export const isInstance = (items: Sequence, type: SequenceType): boolean =>
  fits(type, items.length) && items.every((item) => isOf(type.of, item));

/**
 * Converts a value to the declared type of a parameter, variable or function. Nodes are cast; other values must match.
 */
export function converted(items: Sequence, type: SequenceType, what: string): Sequence {
  const { of, occurs } = type;
  if (!fits(type, items.length)) {
    const expected =
      of === 'empty' ? 'nothing' : occurs === '' ? 'one value' : occurs === '?' ? 'at most one value' : 'a value';
    throw new StylesheetFails(`Expected ${expected} ${what}: found ${items.length}`);
  }
  if (typeof of !== 'string' || of === 'item' || of === 'empty') return items;
  return items.map((item) => (item instanceof Node || !isOf(of, item) ? cast(of, atomOf(item)) : item));
}
