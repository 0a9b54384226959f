import { StylesheetFails, shown } from '../fails.ts';
import { day, type Timed } from '../xpath/timed.ts';
import { ordinal } from './format-numbers.ts';

const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const startOf = (year: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, 0, 1);
  return date.getTime();
};

/** The week that has the Thursday of this date. */
function weekOf(wall: number): number {
  const thursday = wall + (3 - ((new Date(wall).getUTCDay() + 6) % 7)) * day;
  return 1 + Math.floor((thursday - startOf(new Date(thursday).getUTCFullYear())) / (7 * day));
}

type Component = (wall: Date) => number | string;

/** Components of a date by letter, with their default presentation. */
const components: Readonly<Record<string, readonly [Component, defaultValue: string]>> = {
  Y: [(wall) => Math.abs(wall.getUTCFullYear()), '1'],
  M: [(wall) => wall.getUTCMonth() + 1, '1'],
  D: [(wall) => wall.getUTCDate(), '1'],
  d: [(wall) => 1 + Math.floor((wall.getTime() - startOf(wall.getUTCFullYear())) / day), '1'],
  F: [(wall) => ((wall.getUTCDay() + 6) % 7) + 1, 'n'],
  W: [(wall) => weekOf(wall.getTime()), '1'],
  w: [(wall) => Math.ceil(wall.getUTCDate() / 7), '1'],
  H: [(wall) => wall.getUTCHours(), '1'],
  h: [(wall) => wall.getUTCHours() % 12 || 12, '1'],
  P: [(wall) => (wall.getUTCHours() < 12 ? 'am' : 'pm'), 'n'],
  m: [(wall) => wall.getUTCMinutes(), '01'],
  s: [(wall) => wall.getUTCSeconds(), '01'],
  f: [(wall) => wall.getUTCMilliseconds(), '1'],
  E: [(wall) => (wall.getUTCFullYear() > 0 ? 'AD' : 'BC'), 'n'],
  C: [() => 'ISO', 'n'],
};

const ofTimes = new Set('HhPmsf');
const ofDates = new Set('YMDdFWwEC');

function zoned(offset: number | undefined, marker: string): string {
  if (offset === undefined) return '';
  const size = Math.abs(offset);
  const [hours, minutes] = [Math.floor(size / 60), String(size % 60).padStart(2, '0')];
  const text = `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${minutes}`;
  return marker === 'z' ? `GMT${text}` : text;
}

const cased = (name: string, style: string): string =>
  style === 'N' ? name.toUpperCase() : style === 'n' ? name.toLowerCase() : name;

function written(marker: string, presentation: string, width: string, { wall, offset }: Timed): string {
  if (marker === 'Z' || marker === 'z') return zoned(offset, marker);
  const [make, defaultValue] = components[marker]!;
  const style = (presentation.replace(/[ot]$/, '') || defaultValue).trim();
  const value = make(new Date(wall));
  const [, least, max] = /^,(\d+|\*)(?:-(\d+|\*))?$/.exec(width) ?? [];
  const longest = max === undefined || max === '*' ? undefined : Number(max);
  if (marker === 'f') {
    const digits = Math.max(style.length, Number(least ?? 1) || 1);
    return String(value)
      .padStart(3, '0')
      .padEnd(Math.min(digits, 20), '0')
      .slice(0, longest ?? Math.max(digits, 1));
  }
  if (typeof value === 'string') return cased(value, style === 'Nn' ? 'N' : style);
  if (/^(?:N|n|Nn)$/.test(style) && (marker === 'M' || marker === 'F')) {
    const name = marker === 'M' ? months[value - 1]! : days[value % 7]!;
    return cased(name, style).slice(0, longest);
  }
  const digits = ordinal(value, style, undefined).padStart(Math.min(Number(least) || 0, 20), '0');
  const cuts = marker === 'Y' && (longest !== undefined || style.length === 2);
  return cuts ? digits.slice(-(longest ?? 2)) : digits;
}

/** `[Y0001]-[M01]-[D01]`, as format-date and its neighbours write it. Names are English. */
export function formatTimed(value: Timed, picture: string): string {
  return picture.replaceAll(/\[\[|\]\]|\[([^\]]*)\]|[[\]]/g, (all, inside: string | undefined) => {
    if (all === '[[' || all === ']]') return all[0]!;
    const [, marker = '', presentation = '', width = ''] =
      /^([A-Za-z])([^,]*)(,.*)?$/.exec((inside ?? '').replaceAll(/\s/g, '')) ?? [];
    const isKnown = Object.hasOwn(components, marker) || marker === 'Z' || marker === 'z';
    if (!isKnown)
      throw new StylesheetFails(`Expected a picture such as "[Y0001]-[M01]-[D01]": found ${shown(picture)}`);
    const lacks = value.type === 'date' ? ofTimes.has(marker) : value.type === 'time' && ofDates.has(marker);
    if (lacks)
      throw new StylesheetFails(`Expected no [${marker}] in a picture for xs:${value.type}: found ${shown(picture)}`);
    return written(marker, presentation, width, value);
  });
}
