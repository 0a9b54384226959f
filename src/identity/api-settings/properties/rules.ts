import { ServiceError } from '../../../core/lib/errors.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { KnownProperties } from '../../../room/properties.ts';
import { happened } from '../events.ts';
import { deleteProperty, propertyThere, roomForProperty, writeProperty } from './store.ts';
import { checkProperty } from './values.ts';

export interface PropertyValue {
  readonly key: string;
  readonly value: string;
}

const longestKey = 255;
const longestValue = 65_536;
const most = 10_000;

/** Sets all given properties or none. */
export function setProperties(
  known: KnownProperties,
  properties: readonly PropertyValue[],
  place: string,
  now: number,
): CommitPlan {
  const full = new ServiceError('not-allowed', { context: place, explanation: `Expected at most ${most} properties` });
  // Checked before they are written one by one.
  if (properties.length > most) throw full;
  for (const { key, value } of properties) {
    checkKey(key, `${place}/key`);
    if (value.length > longestValue) throw tooLong(`${place}/value`, key);
    checkProperty(known, key, value, `${place}/value`);
  }
  return {
    changes: [
      ...properties.map(({ key, value }) => writeProperty({ key, value, changedAt: now })),
      roomForProperty({ most }, full),
    ],
    events: properties.map(({ key }) => happened('configuration/modify', 'properties', { name: 'properties', key })),
  };
}

export const removeProperty = (key: string): CommitPlan => ({
  changes: [propertyThere({ key }, noSuchProperty(key)), deleteProperty({ key })],
  events: [happened('configuration/modify', 'properties', { name: 'properties', key })],
});

export const noSuchProperty = (key: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'ConfigurationProperty', id: key.slice(0, 80) });

function checkKey(key: string, context: string): void {
  if (key.length <= longestKey && !/^\.{0,2}$|[\0-\x1f\x7f/\\%;]/.test(key)) return;
  const explanation = `Expected 1 to ${longestKey} characters that a path can carry: no dot segment, no control character, none of / \\ % ;`;
  throw new ServiceError('bad-value', { context, explanation, value: key.slice(0, 80) });
}

const tooLong = (context: string, id: string): ServiceError =>
  new ServiceError('bad-value', { context, id, explanation: `Expected at most ${longestValue} characters` });
