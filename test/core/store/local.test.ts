import { join } from 'node:path';
import type { Database } from '../../../src/core/store/contract.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { temporaryDirectory } from '../../support/store.ts';
import { describeDatabase, type Kind } from './contract.ts';
import { describeParticipants } from './contract-participants.ts';
import { describeStore } from './contract-store.ts';

const file: Kind = {
  name: 'file',
  crowd: 64,
  open: async () => {
    const directory = await temporaryDirectory();
    const url = `file:${join(directory.path, 'portico.db')}`;
    const opened: Database[] = [];
    const another = async () => {
      const database = await openDatabase(url);
      opened.push(database);
      return database;
    };
    const close = async () => {
      await Promise.all(opened.map((database) => database.close()));
      await directory.remove();
    };
    return { database: await another(), another, close };
  },
};

describeDatabase(file);
describeStore(file);
describeParticipants(file);

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
