import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { createVault, requireKey, type Vault } from '../../core/lib/vault.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import { onlyActs, outlastsActing } from '../../http/acting.ts';
import type { RoomContext, Services } from '../../room/context.ts';
import { noSuchEntity } from '../../room/entities/find.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { configurationEvent } from './events.ts';
import {
  deleteSecret,
  deleteValue,
  deleteValues,
  findSealed,
  findSecret,
  insertSecret,
  listSecrets,
  roomForSecret,
  secretThere,
  tablesThere,
  valueThere,
  writeValue,
} from './store.ts';

const secretName = { type: 'secret', noun: 'Secret' } as const;

/** Keys of the original. */
const secretKeys = ['username', 'password', 'private_key', 'private_key_password'] as const;
type SecretKey = (typeof secretKeys)[number];

const max = 1_000;
/** Characters that stand for themselves in an address and in security.ini. */
const fits = /^[A-Za-z0-9][\w.-]{0,99}$/;

export const noSuchSecret = (alias: string): ServiceError => noSuchEntity(secretName, alias.slice(0, 100));

export function keyNamed(key: string): SecretKey {
  const named = secretKeys.find((each) => each === key);
  if (named) return named;
  throw badValue('path', `one of ${secretKeys.join(', ')}`, key);
}

const changed = (alias: string) => configurationEvent('configuration/modify', 'secret', { name: 'secret', key: alias });

export function createSecret(alias: string, now: number): CommitPlan {
  if (!fits.test(alias)) throw badValue('path', '1 to 100 letters, digits, dots, dashes and underscores', alias);
  const full = badValue('path', `at most ${max} secrets`, alias);
  return { changes: [insertSecret({ alias, now }), roomForSecret({ max }, full)], events: [changed(alias)] };
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

const purposeOf = (alias: string, key: string): string => `secret/${alias}/${key}`;

/** The secrets of this service: sealed for the database, and opened where an address, an action or a realm names one. */
export function openSecrets({ store, secretKey, random }: Pick<RoomContext, 'store' | 'secretKey' | 'random'>) {
  const vault = secretKey && createVault(secretKey, random);

  /** Before its first start a database has no tables, and so no secrets. */
  async function orNone<T>(reading: Promise<T>, none: T): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      if ((await tablesThere(store, {}))?.tables) throw error;
      return none;
    }
  }

  const services: Services['secrets'] = {
    async open(alias, key) {
      const row = await orNone(Promise.resolve(findSealed(store, { alias, key })), undefined);
      return row && needed(vault).open(row.sealed, purposeOf(alias, key));
    },
    async names() {
      const rows = await orNone(Promise.resolve(listSecrets(store, { limit: max, offset: 0 })), []);
      return rows.flatMap(({ alias, keys }) =>
        (JSON.parse(keys) as string[]).flatMap((key) => [...(key === 'password' ? [alias] : []), `${alias}/${key}`]),
      );
    },
    async mayUse(call, alias) {
      if (await onlyActs(call)) throw outlastsActing('who sends a secret to an address of their own knows it');
      // A caller who may send a secret to an address of their own learns it.
      if (!(await subjectOf(call).has(administrator))) {
        const explanation = 'Expected the role _administrator to use a secret: its value goes to the address';
        throw new ServiceError('not-allowed', { context: 'secret', id: alias, explanation });
      }
      if (!(await findSecret(store, { alias }))) throw noSuchSecret(alias);
    },
  };

  return {
    services,
    seal: (alias: string, key: string, text: string): Promise<string> =>
      needed(vault).seal(text, purposeOf(alias, key)),
  };
}

const needed = (vault: Vault | undefined): Vault => requireKey(vault, 'store secrets under');
