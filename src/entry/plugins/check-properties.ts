import { isRecord } from '../../core/lib/is-record.ts';
import { isComponentKind } from '../../security/ini/component-kinds.ts';
import type { Property, PropertyTable, PropertyType } from '../../spi/index.ts';
import { Defect } from './plugin-finding.ts';
import { shownValue } from './shown.ts';

const words: Readonly<Record<Extract<PropertyType, string>, true>> = {
  string: true,
  secret: true,
  boolean: true,
  integer: true,
  duration: true,
  url: true,
  list: true,
  map: true,
};
/** Deeper than any file would be written; a table that contains itself ends here. */
const deepest = 8;

/** A table of properties as plain objects. The reader of security.ini relies on these types. */
export function checkProperties(given: unknown, where: string, depth = 0): PropertyTable {
  if (!isRecord(given)) throw bad(`Expected a table of properties in ${where}: ${shownValue(given)}`);
  if (depth > deepest) throw bad(`Expected at most ${deepest} levels of properties in ${where}: more`);
  return Object.fromEntries(
    Object.entries(given).map(([name, property]) => [
      name,
      propertyOf(property, `${where}.${name.slice(0, 80)}`, depth),
    ]),
  );
}

function propertyOf(given: unknown, where: string, depth: number): Property {
  if (!isRecord(given)) throw bad(`Expected a property in ${where}: ${shownValue(given)}`);
  const { type, says, required, check } = given;
  if (says !== undefined && typeof says !== 'string')
    throw bad(`Expected a sentence as "says" in ${where}: ${shownValue(says)}`);
  if (required !== undefined && typeof required !== 'boolean') {
    throw bad(`Expected true or false as "required" in ${where}: ${shownValue(required)}`);
  }
  if (check !== undefined && typeof check !== 'function')
    throw bad(`Expected a method check in ${where}: ${shownValue(check)}`);
  return {
    type: typeOf(type, where, depth),
    says: says ?? '',
    ...(required === undefined ? {} : { required }),
    ...('fallback' in given ? { fallback: given['fallback'] } : {}),
    ...(check === undefined ? {} : { check: (value: unknown) => check.call(given, value) as string | undefined }),
  };
}

function typeOf(type: unknown, where: string, depth: number): PropertyType {
  if (typeof type === 'string' && Object.hasOwn(words, type)) return type as PropertyType;
  if (isRecord(type)) {
    const { reference, references, choice, nested } = type;
    if (isComponentKind(reference)) return { reference };
    if (isComponentKind(references)) return { references };
    if (Array.isArray(choice) && choice.every((word) => typeof word === 'string')) return { choice: [...choice] };
    if (nested !== undefined) return { nested: checkProperties(nested, where, depth + 1) };
  }
  const expected = [...Object.keys(words), '{ reference }', '{ references }', '{ choice }', '{ nested }'].join(', ');
  throw bad(`Expected a type of ${where}, one of ${expected}: ${shownValue(type)}`);
}

const plainTypes: readonly PropertyType[] = ['string', 'boolean', 'integer', 'duration', 'url', 'list'];

/** A media process makes probers once more: their properties are sent there, and secrets never. */
export function checkProberProperties(properties: PropertyTable, where: string): void {
  for (const [name, { type }] of Object.entries(properties)) {
    if (plainTypes.includes(type) || Object.hasOwn(Object(type), 'choice')) continue;
    const expected = [...plainTypes, '{ choice }'].join(', ');
    throw bad(`Expected a type of ${where}.${name.slice(0, 80)}, one of ${expected} for a prober: ${shownValue(type)}`);
  }
}

const bad = (message: string): Defect => new Defect('plugin-component', message);
