import { and, asc, eq, gt, gte, sql } from 'drizzle-orm';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import { deleteBy } from '../../core/store/rows.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import type { Store } from '../../core/store/store.ts';
import { familiarNetwork, loginFailure, user } from '../tables.ts';
import { firstDelay } from './failures.ts';
import type { FamiliarKeeper } from './familiar.ts';

/** The stored hash, for routes that log in no user. */
export const passwordOf = query((db) =>
  db
    .select({ password: user.password })
    .from(user)
    .where(eq(user.id, value('id'))),
).first;

/** Limits for one account, so that its owner cannot displace networks of other accounts, and for all. */
const maxOfAccount = 50;
const maxOfAll = 20_000;

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
    WHERE account = ${value('account')} ORDER BY at DESC LIMIT -1 OFFSET ${sql.raw(String(maxOfAccount))})`,
);

/** Deletes the networks of a deleted user. A new user with the same name begins without networks. */
export const forgetFamiliar = statement<{ account: string }>(
  sql`DELETE FROM ${writes('familiar_network')} WHERE account = ${value('account')}`,
);

const trimOld = statement(sql`DELETE FROM ${writes('familiar_network')} WHERE at < ${value('since')}`);

const trimAll = statement(
  sql`DELETE FROM ${writes('familiar_network')} WHERE pair IN
    (SELECT pair FROM familiar_network ORDER BY at DESC LIMIT -1 OFFSET ${sql.raw(String(maxOfAll))})`,
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

export interface FailureRow {
  readonly key: string;
  readonly count: number;
  readonly until: number;
}

/** Failed logins in the database, by the digests of their keys. */
export interface FailureKeeper {
  read(keys: readonly string[], now: number): Promise<readonly FailureRow[]>;
  /** Adds one to each key, and returns all. Empty: one of the held keys is paused, and nothing is added. */
  count(given: {
    readonly paces: readonly (readonly [key: string, free: number, max: number])[];
    readonly held: readonly string[];
    readonly now: number;
    readonly memory: number;
  }): Promise<readonly FailureRow[]>;
  forget(key: string): Promise<void>;
}

/** Expired rows that each failure deletes: more than it adds. */
const trimmed = 16;

const failuresOf = query((db) =>
  db
    .select({ key: loginFailure.key, count: loginFailure.count, until: loginFailure.until })
    .from(loginFailure)
    .where(and(sql`${loginFailure.key} IN ${valuesOf('keys')}`, gt(loginFailure.expires, value('now')))),
);

const countFailure = statement<{ paces: readonly unknown[]; held: readonly unknown[]; now: number; memory: number }>(
  sql`INSERT INTO ${writes('login_failure')} (key, count, until, expires)
    SELECT key, count, ${value('now')} + pause, ${value('now')} + max(pause, ${value('memory')}) FROM (
      SELECT key, count, CASE WHEN count < free THEN 0
        ELSE min(most, ${sql.raw(String(firstDelay))} << min(count - free, 20)) END AS pause
      FROM (
        SELECT value ->> 0 AS key, value ->> 1 AS free, value ->> 2 AS most,
          1 + coalesce((SELECT earlier.count FROM login_failure earlier
            WHERE earlier.key = value ->> 0 AND earlier.expires > ${value('now')}), 0) AS count
        FROM ${eachOf('paces')})
      WHERE NOT EXISTS (SELECT 1 FROM ${eachOf('held')} held
        JOIN login_failure paused ON paused.key = held.value WHERE paused.until > ${value('now')}))
    WHERE true
    ON CONFLICT (key) DO UPDATE SET count = excluded.count, until = excluded.until, expires = excluded.expires
    RETURNING key, count, until`,
  { returns: true },
);

const trimFailures = statement(
  sql`DELETE FROM ${writes('login_failure')} WHERE key IN (SELECT key FROM login_failure
    WHERE expires <= ${value('now')} ORDER BY expires LIMIT ${sql.raw(String(trimmed))})`,
);

const forgetFailure = deleteBy(loginFailure, 'key');

export const failureKeeper = (store: Store): FailureKeeper => ({
  read: async (keys, now) => failuresOf(store, { keys, now }),
  async count({ paces, held, now, memory }) {
    const counting = { paces, held, now, memory };
    const changes = [trimFailures({ now }), countFailure(counting)];
    const [rows = []] = await store.commit({ changes, events: [] }, systemActor);
    return rows.map(([key, count, until]) => ({ key: String(key), count: Number(count), until: Number(until) }));
  },
  async forget(key) {
    await store.commit(changing(forgetFailure({ key })), systemActor);
  },
});
