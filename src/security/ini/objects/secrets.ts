import { ServiceError } from '../../../core/lib/errors.ts';
import { nearest, sentenceOf } from '../../../core/lib/messages.ts';
import { Secret } from '../../../core/lib/secret.ts';
import type { Findings, LinePosition } from '../findings.ts';
import { checked } from './assign.ts';
import { type Conversion, readText } from './convert.ts';
import {
  isBag,
  type ObjectPlan,
  type OpenedSecrets,
  type OurProperty,
  type PlannedValue,
  type PropertyValues,
  referencesIn,
  SecretReference,
} from './types.ts';

/** Secrets of the service, for values of security.ini. */
export interface SecretSource {
  /** A value. Undefined: there is none. */
  open(alias: string, key: string): Promise<string | undefined>;
  /** Every secret that has a value, in the form that follows `secret:`. */
  names(): Promise<readonly string[]>;
}

interface SecretUse {
  /** Property or user, as a finding names it. */
  readonly name: string;
  readonly property: OurProperty | undefined;
  readonly value: PlannedValue;
  readonly line: LinePosition;
}

/**
 * Opens the secrets that objects name. A missing one is a finding at its line. Without a source, texts stand for
 * themselves: the file is only checked.
 */
export async function openSecrets(
  objects: readonly ObjectPlan[],
  source: SecretSource | undefined,
  findings: Findings,
): Promise<OpenedSecrets> {
  const values = new Map<PlannedValue, PlannedValue>();
  const texts = new Map<ObjectPlan, readonly string[]>();
  const used = objects.map((plan) => ({ plan, uses: [...usesIn(plan, plan.name), ...accountsOf(plan)] }));
  const names = used.flatMap((each) => each.uses.flatMap(({ value }) => referencesIn(value).map(({ text }) => text)));
  const opened = await openEach(new Set(names), source);
  for (const { plan, uses } of used) {
    if (uses.length > 0 && source)
      texts.set(
        plan,
        uses.flatMap(({ value }) => textsOf(value, opened)),
      );
    for (const { name, property, value, line } of uses) {
      const defect = referencesIn(value).find(({ text }) => typeof opened.get(text) !== 'string');
      if (defect) {
        const error = opened.get(defect.text);
        const near = error === undefined ? nearest(defect.text, (await source?.names()) ?? []) : undefined;
        findings.error('secret', line, missing(name, defect, error), near);
        continue;
      }
      const filled = fill(value, property, opened, source !== undefined);
      const sentence = problemOf(filled, property, textsOf(value, opened));
      if (sentence === undefined) values.set(value, 'value' in filled ? filled.value : undefined);
      else findings.error('secret', line, `Expected another secret for ${name}: ${sentence}`);
    }
  }
  return { values, texts };
}

/** Warns of texts that a secret could keep out of the file: those of secret properties, and of others by name. */
export function hintAtSecrets(plan: ObjectPlan, findings: Findings): void {
  const hint = (line: LinePosition, name: string) => {
    const message = `Expected the name of a secret in ${name}, such as secret:alias, so that the file has no secret: a text`;
    findings.warning('plain-secret', line, message);
  };
  const hintAt = (bag: PropertyValues, path: string): void => {
    for (const [name, { value, position }] of bag.values) {
      const inner = `${path}.${name}`;
      if (isBag(value)) hintAt(value, inner);
      else if (value instanceof Secret || (typeof value === 'string' && sounds.test(name))) hint(position, inner);
      else if (value instanceof Map)
        for (const [key, part] of value)
          if (typeof part === 'string' && sounds.test(key)) hint(position, `${inner}[${key.slice(0, 80)}]`);
    }
  };
  hintAt(plan, plan.name);
}

/** Last word of names whose values are secrets. */
const sounds = /(?:password|passphrase|secret|token|(?<!public|access)key)$/i;

/** Properties of an object that name secrets. */
function* usesIn(bag: PropertyValues, path: string): Generator<SecretUse> {
  for (const [name, { value, position }] of bag.values) {
    const inner = `${path}.${name}`;
    if (isBag(value)) yield* usesIn(value, inner);
    else if (referencesIn(value).length > 0)
      yield { name: inner, property: bag.table.get(name), value, line: position };
  }
}

/** Users of `[users]` whose passwords are secrets. */
function* accountsOf({ given, position }: ObjectPlan): Generator<SecretUse> {
  const users = given.get('users');
  if (!(users instanceof Map)) return;
  for (const [user, value] of users as ReadonlyMap<string, readonly (string | SecretReference)[]>) {
    const [reference] = referencesIn(value);
    if (reference)
      yield { name: `the user "${user.slice(0, 80)}"`, property: undefined, value, line: reference.line ?? position };
  }
}

type Opened = ReadonlyMap<string, unknown>;

/** Texts by name. Undefined: there is no such secret. An error: it does not open. */
async function openEach(names: ReadonlySet<string>, source: SecretSource | undefined): Promise<Opened> {
  const open = async (name: string): Promise<[string, unknown]> => {
    if (!source) return [name, `secret:${name}`];
    const [alias = '', key = 'password'] = name.split('/');
    try {
      // An empty text is no value, as in the file.
      return [name, (await source.open(alias, key)) || undefined];
    } catch (error) {
      // A database that is away says nothing about the file.
      if (error instanceof ServiceError && error.status === 503) throw error;
      return [name, error instanceof Error ? error : new Error(String(error))];
    }
  };
  return new Map(await Promise.all([...names].map(open)));
}

const textsOf = (value: PlannedValue, opened: Opened): readonly string[] =>
  referencesIn(value)
    .map(({ text }) => opened.get(text))
    .filter((text) => typeof text === 'string');

function missing(name: string, { text }: SecretReference, error: unknown): string {
  if (error !== undefined) return `Expected a secret that opens for ${name}: ${sentenceOf(error)}`;
  const [alias = '', key = 'password'] = text.split('/');
  return `Expected a secret with a ${key} for ${name}: PUT /secret/${alias}/${key}`;
}

/** The value with the texts of its secrets. Nothing: only the secret itself has the form of its type. */
function fill(
  value: PlannedValue,
  property: OurProperty | undefined,
  opened: Opened,
  isReal: boolean,
): Conversion | Record<never, never> {
  const inside = (part: unknown) => (part instanceof SecretReference ? opened.get(part.text) : part);
  if (Array.isArray(value)) return { value: value.map(inside) as string[] };
  if (value instanceof Map) return { value: new Map([...value].map(([key, part]) => [key, inside(part)])) };
  const type = property?.type ?? 'string';
  return isReal || type === 'string' || type === 'secret' ? readText(type, inside(value) as string) : {};
}

function problemOf(
  filled: Conversion | Record<never, never>,
  property: OurProperty | undefined,
  secrets: readonly string[],
): string | undefined {
  // The message would quote the secret.
  if ('problem' in filled) return 'it has no value of that type';
  if (!property || !('value' in filled)) return undefined;
  return checked(property, filled.value, secrets);
}
