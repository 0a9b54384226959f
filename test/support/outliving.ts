import type { Database } from '../../src/core/store/contract.ts';

/** A database that closes after its services. */
export const outliving = (database: Database): Database => ({
  kind: database.kind,
  grouped: database.grouped,
  pending: 0,
  figures: database.figures,
  read: database.read.bind(database),
  query: database.query.bind(database),
  write: database.write.bind(database),
  guardGroups: database.guardGroups.bind(database),
  close: async () => undefined,
});
