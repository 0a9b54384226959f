import type { Migration } from '../../store/migrations/index.ts';

/** Imports ask which files have the bytes at an address that is spelt in another way. */
export const fileIdentity: Migration = {
  number: 50,
  name: 'file-identity',
  statements: ['CREATE INDEX file_identity ON file (identity) WHERE identity IS NOT NULL'],
};
