import type { Migration } from '../../store/migrations/index.ts';

/** Files wait to be hashed in a line of their storage: one that cannot be reached holds up no other. */
export const hashQueue: Migration = {
  number: 10,
  name: 'hash-queue',
  statements: [
    'DROP INDEX file_hash_due',
    'CREATE INDEX file_hash_due ON file (storage_id, hash_due) WHERE hash_due IS NOT NULL',
  ],
};
