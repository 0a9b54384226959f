import { nearest } from '../../../core/lib/messages.ts';
import { aliasIn, Secret } from '../../../core/lib/secret.ts';
import { quoted } from '../findings.ts';
import { splitQuoted } from '../split.ts';
import {
  kindNames,
  type ObjectKind,
  type ObjectPlan,
  type OurType,
  type PlannedValue,
  SecretReference,
} from './types.ts';

/** Objects that a value may refer to: those defined above it. */
export interface ObjectScope {
  find(name: string): ObjectPlan | undefined;
  /** Reason why the object is missing, as the end of a sentence. */
  missing(name: string): { readonly found: string; readonly nearest?: string | undefined };
}

export interface ConversionProblem {
  readonly code: string;
  readonly message: string;
  readonly nearest?: string | undefined;
  /** Offset in the value, for a part of it. */
  readonly at?: number;
}

export type Conversion = { readonly value: PlannedValue } | { readonly problem: ConversionProblem };
type Reader = (text: string) => Conversion;

const problem = (code: string, message: string, more: Partial<ConversionProblem> = {}): Conversion => ({
  problem: { code, message, ...more },
});
const wrong = (expected: string, actual: string, near?: string): Conversion =>
  problem('value', `Expected ${expected}: ${actual}`, near === undefined ? {} : { nearest: near });

const words = new Map<string, boolean>([
  ...['true', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
]);
const units: Readonly<Record<string, number>> = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Types that are written as one text. Bad input is a finding; the original turns it into false, 0 or null. */
const scalars = new Map<OurType, Reader>([
  ['string', (text) => ({ value: text })],
  ['secret', (text) => ({ value: new Secret(text) })],
  [
    'boolean',
    (text) => {
      const value = words.get(text.toLowerCase());
      return value === undefined
        ? wrong('"true" or "false"', quoted(text), nearest(text, ['true', 'false']))
        : { value };
    },
  ],
  [
    'integer',
    (text) => {
      const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
      return Number.isSafeInteger(value) ? { value } : wrong('a whole number', quoted(text));
    },
  ],
  [
    'duration',
    (text) => {
      const [, digits, unit] = /^(\d+)\s*([smhd]?)$/.exec(text) ?? [];
      const value = digits === undefined ? Number.NaN : Number(digits) * units[unit!]!;
      return Number.isSafeInteger(value) ? { value } : wrong('a duration such as 90, 90s, 5m, 12h or 1d', quoted(text));
    },
  ],
  [
    'url',
    (text) => {
      const actual = text.includes('@') ? 'something else' : quoted(text);
      return URL.canParse(text) ? { value: new URL(text).href } : wrong('a URL with its scheme', actual);
    },
  ],
]);

/** Meaning of `null` by type. Other types cannot be null, whereas the original makes them false and 0. */
const nulls = new Map<OurType, () => PlannedValue>([
  ['string', () => undefined],
  ['secret', () => undefined],
  ['url', () => undefined],
  ['list', () => []],
  ['map', () => new Map()],
]);

/** `null`, `""` and their quoted forms are handled before all other values. */
export function convertValue(type: OurType, text: string, scope: ObjectScope): Conversion {
  if (text === 'null') {
    const make = nulls.get(type);
    if (make) return { value: make() };
    if (isReferences(type)) return { value: [] };
    return referenced(type) === undefined ? wrong('a value', 'null') : { value: undefined };
  }
  if (text === '""') return type === 'string' ? { value: '' } : wrong('a value that is not empty', '""');
  const literal = text === '"null"' || text === '""""' ? text.slice(1, -1) : text;
  if (type === 'list') return list(literal);
  if (type === 'map') return map(literal);
  if (isReferences(type)) return references(literal, type.references, scope);
  const kind = referenced(type);
  if (kind !== undefined) return reference(literal, kind, scope);
  if (typeof type === 'object' && 'choice' in type) return choice(literal, type.choice);
  const read = scalars.get(type);
  if (!read) return wrong('a property of this one, with a dot', 'a value');
  return type === 'boolean' ? unescaped(literal, false, read) : nameable(literal, type === 'secret', read);
}

/** A text that is a value of the type, without references. */
export const readText = (type: OurType, text: string): Conversion =>
  scalars.get(type)?.(text) ?? wrong('a property of one value', 'another');

/** A text, or the name of a secret that has it. */
function nameable(text: string, secret: boolean, read: Reader): Conversion {
  const alias = aliasIn(text);
  return alias === undefined ? unescaped(text, secret, read) : { value: new SecretReference(alias) };
}

const isReferences = (type: OurType): type is { readonly references: 'realms' } =>
  typeof type === 'object' && 'references' in type;

function referenced(type: OurType): ObjectKind | undefined {
  if (typeof type !== 'object') return undefined;
  return 'reference' in type ? type.reference : 'object' in type ? type.object : undefined;
}

function unescaped(text: string, secret: boolean, read: Reader): Conversion {
  if (text.startsWith('\\$')) return read(text.slice(1));
  if (!text.startsWith('$')) return read(text);
  const actual = secret ? 'one that begins with a dollar sign' : quoted(text);
  return problem(
    'reference-to-text',
    `Expected a text and no reference (a dollar sign in front is written \\$): ${actual}`,
  );
}

function choice(text: string, allowed: readonly string[]): Conversion {
  return allowed.includes(text)
    ? { value: text }
    : wrong(`one of ${allowed.join(', ')}`, quoted(text), nearest(text, allowed));
}

function list(text: string): Conversion {
  const { tokens, open } = splitQuoted(text);
  if (open) return wrong('a closing quote', 'the line ends');
  const values: (string | SecretReference)[] = [];
  for (const { text: token } of tokens) {
    const read = nameable(token, false, (value) => ({ value }));
    if ('problem' in read) return read;
    values.push(read.value as string | SecretReference);
  }
  return { value: values };
}

function map(text: string): Conversion {
  const pairs = splitQuoted(text, { keep: true });
  if (pairs.open) return wrong('a closing quote', 'the line ends');
  const values = new Map<string, unknown>();
  for (const { text: pair, at } of pairs.tokens) {
    const { tokens: parts } = splitQuoted(pair, { delimiter: ':' });
    // The name of a secret has a colon of its own.
    const tokens =
      parts[1]?.text === 'secret'
        ? [
            parts[0]!,
            {
              text: parts
                .slice(1)
                .map(({ text }) => text)
                .join(':'),
            },
          ]
        : parts;
    // Values of a map can be credentials: a finding shows keys only.
    const key = tokens[0]?.text ?? '';
    if (tokens.length !== 2 || key === '') {
      const actual =
        tokens.length < 2
          ? 'a pair without its colon'
          : key === ''
            ? 'no key'
            : `more than one colon after ${quoted(key)}`;
      return problem('map', `Expected key:value, with commas between pairs: ${actual}`, { at });
    }
    if (values.has(key)) return problem('map', `Expected each key once: ${quoted(key)} twice`, { at });
    const read = nameable(tokens[1]!.text, true, (value) => ({ value }));
    if ('problem' in read) return read;
    values.set(key, read.value);
  }
  return { value: values };
}

function references(text: string, kind: ObjectKind, scope: ObjectScope): Conversion {
  const { tokens, open } = splitQuoted(text);
  if (open) return wrong('a closing quote', 'the line ends');
  const plans: ObjectPlan[] = [];
  for (const { text: token, at } of tokens) {
    const read = reference(token, kind, scope);
    if ('problem' in read) return { problem: { ...read.problem, at } };
    plans.push(read.value as ObjectPlan);
  }
  return { value: plans };
}

function reference(text: string, kind: ObjectKind, scope: ObjectScope): Conversion {
  const expected = `Expected a reference to ${kindNames[kind]}`;
  if (!text.startsWith('$')) {
    const actual = text === '' ? 'nothing between two commas' : quoted(text);
    const meant = scope.find(text) ? `$${text}` : undefined;
    return problem('reference', `${expected}, which begins with a dollar sign: ${actual}`, { nearest: meant });
  }
  if (text.includes(',')) {
    return problem(
      'reference',
      `${expected}, one alone. Several go into the property for a list, such as realms: ${quoted(text)}`,
    );
  }
  const name = text.slice(1);
  const plan = scope.find(name);
  if (!plan) {
    const { found, nearest: near } = scope.missing(name);
    return problem('dangling-reference', `${expected} that is defined above: ${found}`, {
      nearest: near === undefined ? undefined : `$${near}`,
    });
  }
  if (plan.entry.kind === kind || plan.entry.kind === 'unknown') return { value: plan };
  const actual = `${quoted(text)} is ${kindNames[plan.entry.kind]} (${plan.entry.className})`;
  return problem('wrong-kind', `${expected}: ${actual}`);
}
