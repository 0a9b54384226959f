import { afterAll, beforeAll, describe } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { openRemoteDatabase, type RemoteSettings } from '../../../src/core/store/remote/remote-database.ts';
import { isLong } from '../../support/long.ts';
import { type Sqld, sqldBinary, startSqld } from '../../support/sqld.ts';
import { describeDatabase, type Kind } from './contract.ts';
import { describeParticipants } from './contract-participants.ts';
import { describeStore } from './contract-store.ts';

/** A real libsql-server. It is emptied between tests, and meets two writers at most: more make it stall. */
describe.skipIf(sqldBinary() === undefined)('on a libsql-server', () => {
  let server: Sqld;
  beforeAll(async () => {
    server = await startSqld();
  });
  afterAll(() => server.stop());

  const remote = (name: string, settings: RemoteSettings, crowd: number): Kind => ({
    name,
    crowd,
    open: async () => {
      const opened: Database[] = [];
      const another = async () => {
        const database = openRemoteDatabase(server.url, settings);
        opened.push(database);
        return database;
      };
      const close = async () => {
        await Promise.all(opened.map((database) => database.close()));
        await empty(server.url);
      };
      return { database: await another(), another, close };
    },
  });

  const grouped = remote('remote', {}, 40);
  describeDatabase(grouped);
  describeStore(grouped);
  describeParticipants(grouped);
  const alone = remote('remote, nothing shared between requests', { group: false }, 4);
  describeParticipants(alone);
  if (isLong) describeStore(alone);
});

async function empty(url: string): Promise<void> {
  const database = openRemoteDatabase(url);
  // A virtual table takes those along that it keeps its rows in; a table that others refer to goes after them.
  for (const which of [`type = 'view'`, `sql LIKE 'CREATE VIRTUAL%'`, `type = 'table' AND name <> 'applied'`]) {
    const found = await database.read(
      `SELECT type, name FROM sqlite_master WHERE ${which} AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND name NOT LIKE 'libsql\\_%' ESCAPE '\\' ORDER BY rowid DESC`,
    );
    if (found.length > 0) {
      await database.write(found.map(([type, name]) => ({ sql: `DROP ${type} IF EXISTS "${name}"`, args: [] })));
    }
  }
  await database.write([{ sql: 'DROP TABLE IF EXISTS applied', args: [] }]);
  await database.close();
}
