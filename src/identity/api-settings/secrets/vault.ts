import { ServiceError } from '../../../core/lib/errors.ts';
import { createVault, type Vault } from '../../../core/lib/vault.ts';
import { onlyActs, outlastsActing } from '../../../http/acting.ts';
import type { RoomContext, Services } from '../../../room/context.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { noSuchSecret } from './rules.ts';
import { findSealed, findSecret } from './store.ts';

const purposeOf = (alias: string, key: string): string => `secret/${alias}/${key}`;

/** The secrets of this service: sealed for the database, and opened where an address, an action or a realm names one. */
export function openSecrets({ store, secretKey, random }: Pick<RoomContext, 'store' | 'secretKey' | 'random'>) {
  const vault = secretKey && createVault(secretKey, random);

  const services: Services['secrets'] = {
    async open(alias, key) {
      const row = await findSealed(store, { alias, key });
      return row && needed(vault).open(row.sealed, purposeOf(alias, key));
    },
    async mayUse(call, alias) {
      if (await onlyActs(call)) throw outlastsActing('who sends a secret to an address of their own knows it');
      // Who may send a secret to an address of their own knows it.
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

function needed(vault: Vault | undefined): Vault {
  if (vault) return vault;
  const explanation =
    'Expected a key to store secrets under: set PORTICO_SECRET_KEY to 32 random bytes in base64, the same on every instance';
  throw new ServiceError('not-allowed', { context: 'setting secretKey', explanation });
}
