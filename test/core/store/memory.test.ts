import type { Database } from '../../../src/core/store/contract.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { describeDatabase, type Kind } from './contract.ts';
import { describeParticipants } from './contract-participants.ts';
import { describeStore } from './contract-store.ts';

/** Memory has one instance: another one on the same rows is the same, without the right to close it. */
const memory: Kind = {
  name: 'memory',
  crowd: 64,
  open: async () => {
    const database = await openDatabase('memory:');
    const shared: Database = {
      kind: database.kind,
      grouped: database.grouped,
      pending: 0,
      read: (sql, args) => database.read(sql, args),
      query: (caller, sql, args) => database.query(caller, sql, args),
      figures: database.figures,
      write: (statements, share) => database.write(statements, share),
      guardGroups: (guard) => database.guardGroups(guard),
      close: async () => {},
    };
    return { database, another: async () => shared, close: () => database.close() };
  },
};

describeDatabase(memory);
describeStore(memory);
describeParticipants(memory);
