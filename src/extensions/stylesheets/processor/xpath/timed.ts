import { StylesheetFails } from '../fails.ts';

/** Limit of a date, in milliseconds. */
const latest = 8.64e15;

export type TimedType = 'dateTime' | 'date' | 'time';

/** Date, time or both. Without an offset it is compared as UTC. */
export class Timed {
  readonly type: TimedType;
  /** Local time in milliseconds. */
  readonly wall: number;
  /** Offset from UTC in minutes. */
  readonly offset: number | undefined;

  constructor(type: TimedType, wall: number, offset: number | undefined) {
    if (!(Math.abs(wall) <= latest)) throw new StylesheetFails('Expected a date within 270,000 years of 1970');
    this.type = type;
    this.wall = wall;
    this.offset = offset;
  }

  get instant(): number {
    return this.wall - (this.offset ?? 0) * minute;
  }
}

export type DurationType = 'duration' | 'dayTimeDuration' | 'yearMonthDuration';

export class Duration {
  readonly type: DurationType;
  readonly months: number;
  readonly milliseconds: number;

  constructor(type: DurationType, months: number, milliseconds: number) {
    if (!Number.isSafeInteger(months) || !Number.isSafeInteger(milliseconds)) {
      throw new StylesheetFails('Expected a duration that is finite, and of at most 280,000 years');
    }
    this.type = type;
    this.months = months;
    this.milliseconds = milliseconds;
  }
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
export const day = 24 * hour;

const zone = '(Z|[+-]\\d\\d:\\d\\d)?';
const dateForm = '(-?\\d{4,6})-(\\d\\d)-(\\d\\d)';
const timeForm = '(\\d\\d):(\\d\\d):(\\d\\d(?:\\.\\d{1,12})?)';
const forms: Readonly<Record<TimedType, RegExp>> = {
  dateTime: new RegExp(`^${dateForm}T${timeForm}${zone}$`),
  date: new RegExp(`^${dateForm}()()()${zone}$`),
  time: new RegExp(`^()()()${timeForm}${zone}$`),
};

const offsetOf = (text: string | undefined): number | undefined => {
  if (text === undefined || text === 'Z') return text && 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(4));
  return text.startsWith('-') ? -minutes : minutes;
};

/** Undefined: no such date. */
export function parseTimed(type: TimedType, given: string): Timed | undefined {
  const match = forms[type].exec(given.trim());
  if (!match) return undefined;
  const [year, month, date] = match[1] === '' ? [1970, 1, 1] : match.slice(1, 4).map(Number);
  const [hours, minutes, seconds] = match.slice(4, 7).map(Number);
  const wall = at(year!, month! - 1, date!) + hours! * hour + minutes! * minute + Math.round(seconds! * second);
  const back = new Date(at(year!, month! - 1, date!));
  const exists = back.getUTCMonth() === month! - 1 && back.getUTCDate() === date && hours! <= 24;
  if (!exists || minutes! > 59 || seconds! >= 60) return undefined;
  return new Timed(type, wall, offsetOf(match[7]));
}

function at(year: number, month: number, date: number): number {
  const epochDay = new Date(0);
  epochDay.setUTCFullYear(year, month, date);
  return epochDay.getTime();
}

const two = (value: number): string => String(value).padStart(2, '0');

function zoneText(offset: number | undefined): string {
  if (offset === undefined) return '';
  if (offset === 0) return 'Z';
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

export function timedText({ type, wall, offset }: Timed): string {
  const wallDate = new Date(wall);
  const year = wallDate.getUTCFullYear();
  const years = `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
  const date = `${years}-${two(wallDate.getUTCMonth() + 1)}-${two(wallDate.getUTCDate())}`;
  const rest = wallDate.getUTCMilliseconds();
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(3, '0').replace(/0+$/, '')}`;
  const time = `${two(wallDate.getUTCHours())}:${two(wallDate.getUTCMinutes())}:${two(wallDate.getUTCSeconds())}${fraction}`;
  const middle = type === 'date' ? date : type === 'time' ? time : `${date}T${time}`;
  return middle + zoneText(offset);
}

const durationForm = /^(-)?P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

export function parseDuration(type: DurationType, given: string): Duration | undefined {
  const text = given.trim();
  const match = durationForm.exec(text);
  if (!match || /[PT]$/.test(text)) return undefined;
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(2)
    .map((each) => Number(each ?? 0));
  const sign = match[1] ? -1 : 1;
  const all = years * 12 + months;
  const time = days * day + hours * hour + minutes * minute + Math.round(seconds * second);
  if ((type === 'dayTimeDuration' && all > 0) || (type === 'yearMonthDuration' && time > 0)) return undefined;
  if (!Number.isSafeInteger(all) || !Number.isSafeInteger(time)) return undefined;
  return new Duration(type, sign * all, sign * time);
}

export function durationText({ type, months, milliseconds }: Duration): string {
  const [all, time] = [Math.abs(months), Math.abs(milliseconds)];
  const part = (value: number, unit: string): string => (value === 0 ? '' : `${value}${unit}`);
  const date = part(Math.floor(all / 12), 'Y') + part(all % 12, 'M') + part(Math.floor(time / day), 'D');
  const clock =
    part(Math.floor((time % day) / hour), 'H') +
    part(Math.floor((time % hour) / minute), 'M') +
    part((time % minute) / second, 'S');
  if (date === '' && clock === '') return type === 'yearMonthDuration' ? 'P0M' : 'PT0S';
  return `${months < 0 || milliseconds < 0 ? '-' : ''}P${date}${clock === '' ? '' : `T${clock}`}`;
}

/** A date some time later. */
export function later({ type, wall, offset }: Timed, { months, milliseconds }: Duration): Timed {
  const wallDate = new Date(wall);
  const month = wallDate.getUTCFullYear() * 12 + wallDate.getUTCMonth() + months;
  const [year, within] = [Math.floor(month / 12), ((month % 12) + 12) % 12];
  const lastDay = new Date(at(year, within + 1, 0)).getUTCDate();
  const date = at(year, within, Math.min(wallDate.getUTCDate(), lastDay));
  const moved = months === 0 ? wall : date + (((wall % day) + day) % day);
  const sum = moved + milliseconds;
  return new Timed(type, type === 'time' ? ((sum % day) + day) % day : sum, offset);
}

/** Converts to another time zone. `to` undefined: without a zone. */
export const inZone = ({ type, wall, offset, instant }: Timed, to: number | undefined): Timed =>
  new Timed(type, to === undefined || offset === undefined ? wall : instant + to * minute, to);
