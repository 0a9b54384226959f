import type { Migration } from '../../store/migrations/index.ts';

/**
 * From which networks accounts logged in, so that a restart does not hold them up while others guess. Both columns are
 * digests without a key: the audit log beside them has the same names and addresses in plain text.
 */
export const familiarNetworks: Migration = {
  number: 6,
  name: 'familiar-networks',
  statements: [
    `CREATE TABLE familiar_network (
       pair TEXT PRIMARY KEY NOT NULL,
       account TEXT NOT NULL,
       at INTEGER NOT NULL
     )`,
    'CREATE INDEX familiar_network_account ON familiar_network (account, at)',
    'CREATE INDEX familiar_network_at ON familiar_network (at)',
  ],
};
