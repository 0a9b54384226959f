import { parseDateTime } from '../../../core/documents/scalars.ts';

/** Aliases of units: `DAY`, `DAYS` and `DATE` are the same. */
const units: ReadonlyMap<string, Unit> = new Map([
  ['YEAR', 'year'],
  ['MONTH', 'month'],
  ['DAY', 'day'],
  ['DATE', 'day'],
  ['HOUR', 'hour'],
  ['MINUTE', 'minute'],
  ['SECOND', 'second'],
  ['MILLI', 'millisecond'],
  ['MILLISECOND', 'millisecond'],
]);
type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond';

const lengths = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 } as const;

const form = /^(NOW|.+Z)((?:\/[A-Z]+|[+-]\d{1,9}[A-Z]+){0,20})$/;

/** Parses `NOW`, `NOW-7DAYS`, `NOW/DAY+1MONTH`, or the same based on a date, as milliseconds. Undefined: invalid. */
export function dateSought(text: string, now: number): number | undefined {
  const [, base, steps = ''] = form.exec(text.trim()) ?? [];
  if (base === undefined) return undefined;
  let time = base === 'NOW' ? now : parseDateTime(base);
  for (const [, amount, name = ''] of steps.matchAll(/(?:\/|([+-]\d+))([A-Z]+)/g)) {
    const unit = units.get(name) ?? units.get(name.replace(/S$/, ''));
    if (unit === undefined || time === undefined) return undefined;
    time = amount === undefined ? startOf(time, unit) : later(time, Number(amount), unit);
  }
  return time !== undefined && Math.abs(time) <= 8.64e15 ? time : undefined;
}

function startOf(time: number, unit: Unit): number {
  if (unit !== 'year' && unit !== 'month') return Math.floor(time / lengths[unit]) * lengths[unit];
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), unit === 'year' ? 0 : date.getUTCMonth());
}

function later(time: number, amount: number, unit: Unit): number {
  if (unit !== 'year' && unit !== 'month') return time + amount * lengths[unit];
  const date = new Date(time);
  const months = unit === 'year' ? 12 * amount : amount;
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  // A month after 31 January is the last day of February.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
