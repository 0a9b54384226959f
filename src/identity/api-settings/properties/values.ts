import { ServiceError } from '../../../core/lib/errors.ts';
import { after, type Maybe } from '../../../core/lib/maybe.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { KnownProperties, KnownProperty } from '../../../room/properties.ts';
import { findProperty } from './store.ts';

/** Current value of a property, whichever instance set it. */
export type Properties<N extends string> = (name: N) => Maybe<number>;

/** Reads the current properties of a room. */
export const createProperties =
  <T extends Readonly<Record<string, KnownProperty<number>>>>(reader: Reader, known: T): Properties<keyof T & string> =>
  (name) =>
    after(findProperty(reader, { key: name }), (row) => {
      const { fallback, read } = known[name]!;
      return row === undefined ? fallback : (read(row.value) ?? fallback);
    });

/** A value that the service could not use is refused when it is set, not when it is needed. */
export function checkProperty(properties: KnownProperties, key: string, value: string, context: string): void {
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (!property || property.read(value) !== undefined) return;
  const explanation = `Expected ${property.expected}`;
  throw new ServiceError('bad-value', { context, id: key, explanation, value: value.slice(0, 80) });
}
