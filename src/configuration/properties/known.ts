import { ServiceError } from '../../lib/errors.ts';
import { after, type Maybe } from '../../lib/maybe.ts';
import type { Store } from '../../store/store.ts';
import { findProperty } from './store.ts';

interface Known<T> {
  readonly fallback: T;
  readonly expected: string;
  readonly says: string;
  read(text: string): T | undefined;
}

const whole = (fallback: number, least: number, says: string): Known<number> => ({
  fallback,
  says,
  expected: `a whole number of at least ${least}`,
  read: (text) => (/^\d{1,12}$/.test(text.trim()) && Number(text) >= least ? Number(text) : undefined),
});

/** Properties that the service itself listens to. Any other is kept for whoever set it. */
export const knownProperties = {
  userTokenDefaultInterval: whole(60, 1, 'Seconds that a token is valid if nothing else is asked for.'),
  userTokenMaxInterval: whole(60, 1, 'Most seconds that a token is valid; administrators may ask for more.'),
  userTokenRefreshInterval: whole(10, 0, 'Seconds in which the expiry of a token that refreshes is not moved again.'),
} as const;

export type KnownProperty = keyof typeof knownProperties;

/** What a property says now, on whichever instance it was set. */
export type Properties = (name: KnownProperty) => Maybe<number>;

export function createProperties(store: Store): Properties {
  return (name) =>
    after(findProperty(store, { key: name }), (row) => {
      const { fallback, read } = knownProperties[name];
      return row === undefined ? fallback : (read(row.value) ?? fallback);
    });
}

/** A value that the service could not use is refused when it is set, not when it is needed. */
export function checkProperty(key: string, value: string, context: string): void {
  const known = Object.hasOwn(knownProperties, key) ? knownProperties[key as KnownProperty] : undefined;
  if (!known || known.read(value) !== undefined) return;
  const explanation = `Expected ${known.expected}`;
  throw new ServiceError('bad-value', { context, id: key, explanation, value: value.slice(0, 80) });
}
