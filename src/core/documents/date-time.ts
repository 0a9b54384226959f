const form =
  /^([+-]\d{6}|\d{4})(-?)(\d\d)\2(\d\d)(?:[Tt ](\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,30}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?)?$/;

/** ISO 8601 to milliseconds since the epoch; without an offset it is UTC. Undefined for a day or time that is none. */
export function parseDateTime(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = [1, 3, 4, 5, 6, 7].map((group) => Number(match[group] ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day);
  // A 30 February would have moved to March.
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) return undefined;
  if (hour! > 23 || minute! > 59 || second! > 59) return undefined;
  const milliseconds = Number((match[8] ?? '').padEnd(3, '0').slice(0, 3));
  date.setUTCHours(hour!, minute, second, milliseconds);
  const [offsetHours, offsetMinutes] = [Number(match[11] ?? 0), Number(match[12] ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  const time = date.getTime() + (match[10] === '-' ? offset : -offset);
  return Math.abs(time) <= 8.64e15 ? time : undefined;
}

/** Date in XML: `2020-09-23T10:57:34.098Z`. */
export function xmlDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Date in JSON: `2020-09-23T10:57:34.098+0000`, as clients expect it. */
export function jsonDateTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}+0000`;
}
