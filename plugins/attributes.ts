import type { Account } from '../src/spi/index.ts';

type Attributes = NonNullable<Account['attributes']>;

/** A property of type map. */
export type Mapping = ReadonlyMap<string, string> | Readonly<Record<string, string>>;

export const pairsOf = (mapping: Mapping): readonly (readonly [string, string])[] =>
  mapping instanceof Map ? [...mapping] : Object.entries(mapping);

/** Undefined without such an attribute. Own ones only: names come from a file, and `constructor` is one of them. */
export function many(attributes: Attributes, name: string): readonly string[] | undefined {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof value === 'string' ? [value] : value;
}

export const first = (attributes: Attributes, name: string): string | undefined => many(attributes, name)?.[0];
