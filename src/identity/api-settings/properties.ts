import { ServiceError } from '../../core/lib/errors.ts';
import { after, type Maybe } from '../../core/lib/maybe.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { KnownProperties, KnownProperty } from '../../room/properties.ts';
import { configurationEvent } from './events.ts';
import { deleteProperty, findProperty, propertyThere, roomForProperty, writeProperty } from './store.ts';

/** Current value of a property, whichever instance set it. */
export type Properties<N extends string, V = number> = (name: N) => Maybe<V>;

/** Reads the current properties of a room. */
export const createProperties =
  <N extends string, V>(
    reader: Reader,
    properties: Readonly<Record<N, KnownProperty<V>>>,
    find = findProperty,
  ): Properties<N, V> =>
  (name) =>
    after(find(reader, { key: name }), (row) => {
      const { fallback, read } = properties[name]!;
      return row === undefined ? fallback : (read(row.value) ?? fallback);
    });

/** A value that the service could not use is refused when it is set, not when it is needed. */
function checkProperty(properties: KnownProperties, key: string, value: string, context: string): void {
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (!property || property.read(value) !== undefined) return;
  const explanation = `Expected ${property.expected}`;
  throw new ServiceError('bad-value', { context, id: key, explanation, value: value.slice(0, 80) });
}

export interface PropertyValue {
  readonly key: string;
  readonly value: string;
}

const maxKeyLength = 255;
const maxValueLength = 65_536;
const max = 10_000;

/** Sets all given properties or none. */
export function setProperties(
  knownProperties: KnownProperties,
  properties: readonly PropertyValue[],
  place: string,
  now: number,
): CommitPlan {
  const full = new ServiceError('not-allowed', { context: place, explanation: `Expected at most ${max} properties` });
  // Checked before they are written one by one.
  if (properties.length > max) throw full;
  for (const { key, value } of properties) {
    checkKey(key, `${place}/key`);
    if (value.length > maxValueLength) throw tooLong(`${place}/value`, key);
    checkProperty(knownProperties, key, value, `${place}/value`);
  }
  return {
    changes: [
      ...properties.map(({ key, value }) => writeProperty({ key, value, changedAt: now })),
      roomForProperty({ max }, full),
    ],
    events: properties.map(({ key }) =>
      configurationEvent('configuration/modify', 'properties', { name: 'properties', key }),
    ),
  };
}

export const removeProperty = (key: string): CommitPlan => ({
  changes: [propertyThere({ key }, noSuchProperty(key)), deleteProperty({ key })],
  events: [configurationEvent('configuration/modify', 'properties', { name: 'properties', key })],
});

export const noSuchProperty = (key: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'ConfigurationProperty', id: key.slice(0, 80) });

function checkKey(key: string, context: string): void {
  if (key.length <= maxKeyLength && !/^\.{0,2}$|[\0-\x1f\x7f/\\%;]/.test(key)) return;
  const explanation = `Expected 1 to ${maxKeyLength} characters that a path can carry: no dot segment, no control character, none of / \\ % ;`;
  throw new ServiceError('bad-value', { context, explanation, value: key.slice(0, 80) });
}

const tooLong = (context: string, id: string): ServiceError =>
  new ServiceError('bad-value', { context, id, explanation: `Expected at most ${maxValueLength} characters` });
