import { badValue } from '../../../core/documents/bad-value.ts';
import type { ServiceError } from '../../../core/lib/errors.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { happened } from '../events.ts';
import {
  deleteSecret,
  deleteValue,
  deleteValues,
  insertSecret,
  roomForSecret,
  secretThere,
  valueThere,
  writeValue,
} from './store.ts';

const secretName = { type: 'secret', noun: 'Secret' } as const;

/** Keys of the original. */
const secretKeys = ['username', 'password', 'private_key', 'private_key_password'] as const;
type SecretKey = (typeof secretKeys)[number];

const most = 1_000;
/** Characters that stand for themselves in an address and in security.ini. */
const fits = /^[A-Za-z0-9][\w.-]{0,99}$/;

export const noSuchSecret = (alias: string): ServiceError => noSuchEntity(secretName, alias.slice(0, 100));

export function keyNamed(key: string): SecretKey {
  const named = secretKeys.find((each) => each === key);
  if (named) return named;
  throw badValue('path', `one of ${secretKeys.join(', ')}`, key);
}

const changed = (alias: string) => happened('configuration/modify', 'secret', { name: 'secret', key: alias });

export function createSecret(alias: string, now: number): CommitPlan {
  if (!fits.test(alias)) throw badValue('path', '1 to 100 letters, digits, dots, dashes and underscores', alias);
  const full = badValue('path', `at most ${most} secrets`, alias);
  return { changes: [insertSecret({ alias, now }), roomForSecret({ most }, full)], events: [changed(alias)] };
}

export const setValue = (alias: string, key: SecretKey, sealed: string, changedAt: number): CommitPlan => ({
  changes: [secretThere({ alias }, noSuchSecret(alias)), writeValue({ alias, key, sealed, changedAt })],
  events: [changed(alias)],
});

export const removeValue = (alias: string, key: SecretKey): CommitPlan => ({
  changes: [valueThere({ alias, key }, noSuchSecret(`${alias}/${key}`)), deleteValue({ alias, key })],
  events: [changed(alias)],
});

export const removeSecret = (alias: string): CommitPlan => ({
  changes: [secretThere({ alias }, noSuchSecret(alias)), deleteValues({ alias }), deleteSecret({ alias })],
  events: [changed(alias)],
});
