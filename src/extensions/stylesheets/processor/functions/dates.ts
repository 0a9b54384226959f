import { StylesheetFails } from '../fails.ts';
import { cast } from '../xpath/cast.ts';
import { Duration, day, inZone, Timed, type TimedType } from '../xpath/timed.ts';
import { atomOf, empty, type Item } from '../xpath/values.ts';
import { formatTimed } from './format-dates.ts';
import { type FunctionRow, itemIn, ofItem, type Rows, row, textIn } from './row.ts';

const as = (type: TimedType, item: Item): Timed => cast(type, atomOf(item)) as Timed;
const hour = 3_600_000;

type Part = (wall: Date) => number;
const year: Part = (wall) => wall.getUTCFullYear();
const month: Part = (wall) => wall.getUTCMonth() + 1;
const date: Part = (wall) => wall.getUTCDate();
const hours: Part = (wall) => wall.getUTCHours();
const minutes: Part = (wall) => wall.getUTCMinutes();
const seconds: Part = (wall) => wall.getUTCSeconds() + wall.getUTCMilliseconds() / 1000;

const part = (type: TimedType, take: Part): FunctionRow => ofItem((item) => take(new Date(as(type, item).wall)));
const zone = (type: TimedType): FunctionRow =>
  ofItem((item) => {
    const { offset } = as(type, item);
    return offset === undefined ? undefined : new Duration('dayTimeDuration', 0, offset * 60_000);
  });

const ofDuration = (take: (given: Duration) => number): FunctionRow =>
  ofItem((item) => take(cast('duration', atomOf(item)) as Duration));

const adjusted = (type: TimedType): FunctionRow =>
  row(1, 2, ([given, to], _at, call) => {
    const item = itemIn(given, call);
    if (item === undefined) return empty;
    const value = as(type, item);
    const zoneOf = to === undefined ? new Duration('dayTimeDuration', 0, 0) : itemIn(to, call);
    if (zoneOf === undefined) return [new Timed(type, value.wall, undefined)];
    const offset = (cast('dayTimeDuration', atomOf(zoneOf)) as Duration).milliseconds / 60_000;
    return [value.offset === undefined ? new Timed(type, value.wall, offset) : inZone(value, offset)];
  });

const formatted = (type: TimedType): FunctionRow =>
  row(2, 5, ([given, picture], at, call) => {
    const item = itemIn(given, call);
    if (item === undefined) return empty;
    const dateText = formatTimed(as(type, item), textIn(picture, call));
    at.run.budget.text(dateText.length);
    return [dateText];
  });

const now = (type: TimedType): FunctionRow =>
  row(0, 0, (_given, at) => [cast(type, new Timed('dateTime', at.run.now, 0))]);

export const dateFunctions: Rows = {
  'current-dateTime': now('dateTime'),
  'current-date': now('date'),
  'current-time': now('time'),
  'implicit-timezone': row(0, 0, () => [new Duration('dayTimeDuration', 0, 0)]),
  'year-from-dateTime': part('dateTime', year),
  'month-from-dateTime': part('dateTime', month),
  'day-from-dateTime': part('dateTime', date),
  'hours-from-dateTime': part('dateTime', hours),
  'minutes-from-dateTime': part('dateTime', minutes),
  'seconds-from-dateTime': part('dateTime', seconds),
  'timezone-from-dateTime': zone('dateTime'),
  'year-from-date': part('date', year),
  'month-from-date': part('date', month),
  'day-from-date': part('date', date),
  'timezone-from-date': zone('date'),
  'hours-from-time': part('time', hours),
  'minutes-from-time': part('time', minutes),
  'seconds-from-time': part('time', seconds),
  'timezone-from-time': zone('time'),
  'years-from-duration': ofDuration(({ months }) => Math.trunc(months / 12)),
  'months-from-duration': ofDuration(({ months }) => months % 12),
  'days-from-duration': ofDuration(({ milliseconds }) => Math.trunc(milliseconds / day)),
  'hours-from-duration': ofDuration(({ milliseconds }) => Math.trunc((milliseconds % day) / hour)),
  'minutes-from-duration': ofDuration(({ milliseconds }) => Math.trunc((milliseconds % hour) / 60_000)),
  'seconds-from-duration': ofDuration(({ milliseconds }) => (milliseconds % 60_000) / 1000),
  'adjust-dateTime-to-timezone': adjusted('dateTime'),
  'adjust-date-to-timezone': adjusted('date'),
  'adjust-time-to-timezone': adjusted('time'),
  'format-dateTime': formatted('dateTime'),
  'format-date': formatted('date'),
  'format-time': formatted('time'),
  dateTime: row(2, 2, ([a, b], _at, call) => {
    const [first, second] = [itemIn(a, call), itemIn(b, call)];
    if (first === undefined || second === undefined) return empty;
    const [dayValue, then] = [as('date', first), as('time', second)];
    const offset = dayValue.offset ?? then.offset;
    if (dayValue.offset !== undefined && then.offset !== undefined && dayValue.offset !== then.offset) {
      throw new StylesheetFails('Expected a date and a time of the same zone in dateTime()');
    }
    return [new Timed('dateTime', dayValue.wall + then.wall, offset)];
  }),
};
