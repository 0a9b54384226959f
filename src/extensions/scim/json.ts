import { isRecord } from '../../core/lib/checks.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { type Attribute, attributeNamed } from './attributes.ts';

export type Json = string | number | boolean | null | undefined | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject => isRecord(value);
export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** The value of a name in any case. */
export function valueNamed(object: JsonObject, name: string): Json {
  if (Object.hasOwn(object, name)) return object[name];
  const wanted = name.toLowerCase();
  const key = Object.keys(object).find((each) => each.toLowerCase() === wanted);
  return key === undefined ? undefined : object[key];
}

const maxTextLength = 1000;
const maxValues = 50;

export function badAttribute(name: string, expected: string): ServiceError {
  return new ServiceError('bad-value', { context: name, explanation: `Expected ${expected}` });
}

/**
 * A value as its attribute has it, or undefined for none. Providers send booleans as texts, one object where a list
 * belongs, and the id of a manager alone.
 */
export function readValue(attribute: Attribute, value: Json, place = attribute.name): Json {
  if (!attribute.multiValued) return singleOf(attribute, isList(value) ? value[0] : value, place);
  if (value === null || value === undefined) return undefined;
  const list = bounded(isList(value) ? value : [value], place);
  const values = list.map((each) => singleOf(attribute, each, place)).filter((each) => each !== undefined);
  return values.length > 0 ? values : undefined;
}

/** Values of an attribute, which are compared with each other: throws where they are too many. */
export function bounded(list: readonly Json[], place: string): readonly Json[] {
  if (list.length > maxValues) throw badAttribute(place, `at most ${maxValues} values`);
  return list;
}

function singleOf({ type, subAttributes = [] }: Attribute, value: Json, place: string): Json {
  if (value === null || value === undefined) return undefined;
  if (type === 'complex') {
    const object = isObject(value) ? value : { value };
    const entries = Object.entries(object).flatMap(([name, each]) => {
      const attribute = attributeNamed(subAttributes, name);
      const inner = attribute && readValue(attribute, each, `${place}.${attribute.name}`);
      return inner === undefined ? [] : [[attribute!.name, inner] as const];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }
  if (type === 'boolean') return booleanOf(value, place);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > maxTextLength)
    throw badAttribute(place, `a text of at most ${maxTextLength} characters`);
  return text === '' ? undefined : text;
}

function booleanOf(value: Json, place: string): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw badAttribute(place, 'true or false');
}

/** Whether two values say the same. The order of names has no meaning. */
export function isSame(one: Json, other: Json): boolean {
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  if (!isObject(one) || !isObject(other) || isList(one) || isList(other)) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}
