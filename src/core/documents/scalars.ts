import { nearest } from '../lib/messages.ts';
import { booleanWords } from '../lib/words.ts';
import type { Scalar, ScalarName } from './describe.ts';

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
function xmlDateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Date in JSON: `2020-09-23T10:57:34.098+0000`, as clients expect it. */
function jsonDateTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}+0000`;
}

/** Reading, writing and schema of one kind of scalar. */
export interface ScalarForm {
  /** Parses a text. Undefined: invalid. */
  parse(text: string, scalar: Scalar): unknown;
  /** JSON values besides strings that are taken, as if they had been written in quotes. */
  readonly alsoJson: readonly string[];
  /** In words; a text that was nearly one may be told why it is none. */
  expected(scalar: Scalar, text?: string): string;
  xml(value: unknown): string;
  json(value: unknown): string;
  schema(scalar: Scalar): Record<string, unknown>;
  readonly xsd: string;
}

const wholeNumber = /^[+-]?\d+$/;

function parseInteger(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,40}$/.test(trimmed)) return undefined;
  const value = Number(trimmed);
  // "-0" must not become a zero that compares unequal to the other one.
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

const jsonNumber = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const maxNumberLength = 64;

/** A whole number in its plain form, where nothing is lost: `1.0` and `1e3`. What is none, or too long, stays as it is. */
export function wholeDigits(literal: string): string {
  const match = literal.length > maxNumberLength ? null : jsonNumber.exec(literal);
  if (match === null) return literal;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(`${whole}${fraction}`);
  if (digits === 0n) return '0';
  const shift = Number(exponent) - fraction.length;
  // A plain form that no reader takes for its length would refuse a number that can be read.
  if (Math.abs(shift) > maxNumberLength || whole.length + Number(exponent) >= maxNumberLength) return literal;
  if (shift >= 0) return `${sign}${digits * 10n ** BigInt(shift)}`;
  const divisor = 10n ** BigInt(-shift);
  return digits % divisor === 0n ? `${sign}${digits / divisor}` : literal;
}

function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxNumberLength || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed))
    return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value + 0 : undefined;
}

function parseEnumeration(text: string, scalar: Scalar): string | undefined {
  const trimmed = text.trim();
  const values = scalar.values ?? [];
  if (values.includes(trimmed)) return trimmed;
  const lower = trimmed.toLowerCase();
  return values.find((value) => value.toLowerCase() === lower);
}

const quoteNeeds = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Testing a text for escapes takes half as long as writing it with JSON.stringify. */
const jsonString = (text: string): string => (quoteNeeds.test(text) ? JSON.stringify(text) : `"${text}"`);

export const scalarForms: Readonly<Record<ScalarName, ScalarForm>> = {
  string: {
    parse: (text) => text,
    alsoJson: ['number', 'boolean'],
    expected: () => 'a string',
    xml: String,
    json: (value) => jsonString(String(value)),
    schema: () => ({ type: 'string' }),
    xsd: 'xs:string',
  },
  integer: {
    parse: parseInteger,
    alsoJson: ['number'],
    // Larger numbers would be rounded.
    expected: (_, text = '') =>
      wholeNumber.test(text.trim()) ? `an integer within ±${Number.MAX_SAFE_INTEGER}` : 'an integer',
    xml: String,
    json: String,
    schema: () => ({ type: 'integer' }),
    xsd: 'xs:long',
  },
  decimal: {
    parse: parseDecimal,
    alsoJson: ['number'],
    expected: () => 'a number',
    xml: String,
    json: String,
    schema: () => ({ type: 'number' }),
    xsd: 'xs:double',
  },
  boolean: {
    parse: (text) => booleanWords.get(text.trim().toLowerCase()),
    alsoJson: ['number', 'boolean'],
    expected: () => 'true or false',
    xml: String,
    json: String,
    schema: () => ({ type: 'boolean' }),
    xsd: 'xs:boolean',
  },
  dateTime: {
    parse: (text) => parseDateTime(text.trim()),
    // A bare number would be taken for a date without hyphens.
    alsoJson: [],
    expected: () => 'an ISO 8601 date and time',
    xml: (value) => xmlDateTime(value as number),
    json: (value) => `"${jsonDateTime(value as number)}"`,
    // A pattern, because the format date-time requires a colon in the offset.
    schema: () => ({ type: 'string', pattern: '^([+-]\\d{6}|\\d{4})-?\\d\\d-?\\d\\d' }),
    xsd: 'xs:dateTime',
  },
  enumeration: {
    parse: parseEnumeration,
    alsoJson: [],
    expected: (scalar) => `one of ${(scalar.values ?? []).map((value) => `"${value}"`).join(', ')}`,
    xml: String,
    json: (value) => jsonString(String(value)),
    schema: (scalar) => ({ type: 'string', enum: scalar.values }),
    xsd: 'xs:string',
  },
};

/** `, nearest is "ACTIVE"`, or nothing. */
export function nearestHint(name: string, candidates: Iterable<string>): string {
  // The distance is measured in the product of both lengths.
  const near = name.length > 80 ? undefined : nearest(name, candidates);
  return near === undefined ? '' : `, nearest is "${near}"`;
}
