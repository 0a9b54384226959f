import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import type { Database } from '../../src/store/contract.ts';
import { described, found, tables } from './described.ts';
import { newMigration, statementsFor } from './migration-text.ts';

const shelf = sqliteTable(
  'shelf',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull().unique(),
    height: integer('height').notNull().default(2),
    label: text('label').default("it's new"),
  },
  (table) => [index('shelf_label').on(table.label, table.id).where(sql`label IS NOT NULL`)],
);

describe('the migration of new tables', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase('memory:');
  });
  afterAll(() => database.close());

  it.each(tables)('makes $name as it is described', async ({ name, table }) => {
    await database.write(statementsFor(table).map((statement) => ({ sql: statement, args: [] })));
    expect(await found(database, name)).toEqual(described(table));
  });

  it('is a module of the room, with the next number', () => {
    const { path, exported, text } = newMigration('media', 'shelves-and-more', 41, [{ table: shelf }]);
    expect([path, exported]).toEqual(['src/media/migrations/0041-shelves-and-more.ts', 'shelvesAndMoreMigration']);
    expect(text).toBe(`import type { Migration } from '../../store/migrations/index.ts';

export const shelvesAndMoreMigration: Migration = {
  number: 41,
  name: 'shelves-and-more',
  statements: [
    \`CREATE TABLE "shelf" (
       "id" TEXT PRIMARY KEY NOT NULL,
       "name" TEXT NOT NULL UNIQUE,
       "height" INTEGER NOT NULL DEFAULT 2,
       "label" TEXT DEFAULT 'it''s new'
     ) WITHOUT ROWID\`,
    \`CREATE INDEX "shelf_label" ON "shelf" ("label", "id") WHERE label IS NOT NULL\`,
  ],
};
`);
  });

  it('is not written where something would be missing in it', () => {
    const checked = sqliteTable('low', { height: integer('height') }, () => [check('low', sql`height < 3`)]);
    expect(() => statementsFor(checked)).toThrow('"low" has a foreign key or a check');
    const made = sqliteTable('made', { at: integer('at').default(sql`(unixepoch())`) });
    expect(() => statementsFor(made)).toThrow('"made" has a default that is neither a number nor a text');
    expect(() => newMigration('media', 'shelves', 41, [])).toThrow('Expected a table of media that no migration makes');
    expect(() => newMigration('media', '../x', 41, [{ table: shelf }])).toThrow('Expected a name such as new-tables');
  });
});
