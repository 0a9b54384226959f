import { getTableColumns, type Table } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tables } from '../core/store/described.ts';
import { openWorld } from '../support/matrix.ts';

const isSecret = /^(digest|hash|secret|caller)$/;

/** Each table whose rows let somebody in, or act for a user, and what ends its rows. */
const ends: Readonly<Record<string, string>> = {
  token: 'the logins of its user and of who asked for it: triggers and commits delete it',
  access_key: 'made by a password, or soon after a login, alone; deleting it',
  second_factor: 'made soon after a login alone; deleting it',
  recovery_code: 'made soon after a login alone; the last factor',
  scheduled_request: 'kept caller',
  import_upload_key: 'kept caller',
  share: 'kept caller',
  archive_order: 'kept caller',
  share_use: 'its share',
  mailbox: 'its user: each mail asks for the rights of then',
  ...Object.fromEntries(
    [
      ...['migration', 'extension_migration', 'used_challenge', 'login_place', 'file', 'publication', 'import_source'],
      ...['search_cursor', 'search_history', 'search_saved'],
    ].map((name) => [name, 'lets nobody in']),
  ),
};

it('whatever lets somebody in, or acts later for a user, has a row here that says what ends it', () => {
  const secret = tables.filter(({ table }) =>
    Object.keys(getTableColumns(table as Table)).some((name) => isSecret.test(name)),
  );
  expect(secret.map(({ name }) => name).filter((name) => ends[name] === undefined)).toEqual([]);
});

it('each table with a kept caller ends with the login that made its row', async () => {
  const keeping = tables.filter(({ table }) => 'caller' in getTableColumns(table as Table)).map(({ name }) => name);
  expect(keeping.toSorted()).toEqual(
    Object.keys(ends)
      .filter((name) => ends[name] === 'kept caller')
      .toSorted(),
  );
  const world = await openWorld('fetch');
  const { store } = world.service;
  for (const name of keeping) {
    const plan = await store.read(`EXPLAIN QUERY PLAN UPDATE ${name} SET caller = NULL WHERE login = 'x'`);
    expect([name, JSON.stringify(plan)]).toEqual([name, expect.stringContaining('SEARCH')]);
  }
  await world.close();
});
