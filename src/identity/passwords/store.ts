import { asc, eq, gte, sql } from 'drizzle-orm';
import { systemActor } from '../../store/contract.ts';
import { query, statement, writes } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import { familiarNetwork, user } from '../tables.ts';
import type { FamiliarKeeper } from './familiar.ts';

const value = sql.placeholder;

/** The stored hash, for routes that log in no user. */
export const passwordOf = query((db) =>
  db
    .select({ password: user.password })
    .from(user)
    .where(eq(user.id, sql.placeholder('id'))),
).first;

/** Limits for one account, so that its owner cannot displace networks of other accounts, and for all. */
const mostOfAccount = 50;
const mostOfAll = 20_000;

const familiarSince = query((db) =>
  db
    .select({ pair: familiarNetwork.pair, at: familiarNetwork.at })
    .from(familiarNetwork)
    .where(gte(familiarNetwork.at, value('since')))
    .orderBy(asc(familiarNetwork.at)),
);

const keepFamiliar = statement(
  sql`INSERT INTO ${writes('familiar_network')} (pair, account, at) VALUES (${value('pair')}, ${value('account')}, ${value('at')})
    ON CONFLICT (pair) DO UPDATE SET at = excluded.at`,
);

const trimAccount = statement(
  sql`DELETE FROM ${writes('familiar_network')} WHERE pair IN (SELECT pair FROM familiar_network
    WHERE account = ${value('account')} ORDER BY at DESC LIMIT -1 OFFSET ${sql.raw(String(mostOfAccount))})`,
);

/** Deletes the networks of a deleted user. A new user with the same name begins without networks. */
export const forgetFamiliar = statement<{ account: string }>(
  sql`DELETE FROM ${writes('familiar_network')} WHERE account = ${value('account')}`,
);

const trimOld = statement(sql`DELETE FROM ${writes('familiar_network')} WHERE at < ${value('since')}`);

const trimAll = statement(
  sql`DELETE FROM ${writes('familiar_network')} WHERE pair IN
    (SELECT pair FROM familiar_network ORDER BY at DESC LIMIT -1 OFFSET ${sql.raw(String(mostOfAll))})`,
);

export const familiarKeeper = (store: Store, digest: (text: string) => string): FamiliarKeeper => ({
  digest,
  load: async (since) => familiarSince(store, { since }),
  write: (rows, since) => {
    const accounts = [...new Set(rows.map(({ account }) => account))];
    const changes = [
      ...rows.map((row) => keepFamiliar({ ...row })),
      ...accounts.map((account) => trimAccount({ account })),
      trimOld({ since }),
      trimAll({}),
    ];
    return store.commit({ changes, events: [] }, systemActor);
  },
});
