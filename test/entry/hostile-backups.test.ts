import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/core/store/store.ts';
import { backup, restore } from '../../src/entry/native/backup.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { storeSettings, type TemporaryDirectory, temporaryDirectory } from '../support/store.ts';

let made: TemporaryDirectory;
let directory: TemporaryDirectory;
let path: string;
let copy: string;
beforeAll(async () => {
  made = await temporaryDirectory();
  const store = openStore(await openDatabase(`file:${join(made.path, 'portico.db')}`), storeSettings());
  await store.migrate();
  await backup(join(made.path, 'portico.db'), join(made.path, 'backup.db'));
  await store.close();
});
afterAll(() => made.remove());
beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory.path, 'portico.db');
  copy = join(directory.path, 'backup.db');
  for (const to of [path, copy]) await copyFile(join(made.path, 'backup.db'), to);
});
afterEach(() => directory.remove());

const change = (file: string, ...statements: readonly string[]): void => {
  const database = new Database(file);
  for (const text of statements) database.exec(text);
  database.close();
};

/** Everything that lies in the folder, by name and content. */
const contents = async (): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(directory.path)).sort();
  const digest = async (name: string) => createHash('sha256').update(await readFile(join(directory.path, name)));
  return new Map(await Promise.all(names.map(async (name) => [name, (await digest(name)).digest('hex')] as const)));
};

const forged = (...statements: readonly string[]) => [
  'PRAGMA writable_schema = ON',
  ...statements,
  'PRAGMA writable_schema = OFF',
];

/** Name of a table that ends the statement it is put into. `do`: what comes behind it. */
const table = (effect: string): string => `CREATE TABLE "x"" SET fence = 0; ${effect}; --" (fence INTEGER)`;

const admins = `UPDATE user SET enabled = 1`;
const attacks: readonly (readonly [
  title: string,
  statements: (outside: string) => readonly string[],
  named: RegExp,
])[] = [
  [
    'a name of a table that attaches a file and writes there',
    (outside) => [table(`COMMIT; ATTACH '${outside}' AS o; CREATE TABLE o.t AS SELECT 1`)],
    /table "x" SET fence = 0; COMMIT; ATTACH .*" is unknown/,
  ],
  [
    'a name of a table that reads another database',
    (outside) => [table(`COMMIT; ATTACH '${outside}' AS o; INSERT INTO property SELECT * FROM o.property`)],
    /table "x" SET fence = 0.* is unknown/,
  ],
  [
    'a name of a column that ends a statement',
    () => ['CREATE TABLE lent ("fence = 0; DROP TABLE user; --" INTEGER, fence INTEGER)'],
    /table "lent" is unknown/,
  ],
  [
    'a trigger that enables a disabled administrator',
    () => [`CREATE TRIGGER kind AFTER UPDATE ON serial BEGIN ${admins}; END`],
    /trigger "kind" of "serial" is unknown/,
  ],
  [
    'a trigger with the name of one of ours',
    () => [
      'DROP TRIGGER user_ends_tokens',
      `CREATE TRIGGER user_ends_tokens AFTER UPDATE ON serial BEGIN ${admins}; END`,
    ],
    /trigger "user_ends_tokens" of "serial" is unknown, trigger "user_ends_tokens" of "user" is missing/,
  ],
  [
    'a trigger of ours that does one thing more',
    () => [
      "CREATE TEMP TABLE old AS SELECT sql FROM sqlite_master WHERE name = 'user_ends_tokens'",
      ...forged(`UPDATE sqlite_master SET sql = replace(sql, 'END', '${admins}; END') WHERE name = 'user_ends_tokens'`),
    ],
    /trigger "user_ends_tokens" of "user" is another one/,
  ],
  [
    'a trigger of ours that is gone',
    () => ['DROP TRIGGER user_ends_tokens'],
    /trigger "user_ends_tokens" of "user" is missing/,
  ],
  [
    'a view that takes the place of a table',
    () => ['ALTER TABLE serial RENAME TO serials', "CREATE VIEW serial AS SELECT readfile('/etc/passwd') AS next"],
    /table "serials" is unknown.*view "serial" is unknown/,
  ],
  [
    'a view in place of the list of migrations',
    () => ['ALTER TABLE migration RENAME TO real', 'CREATE VIEW migration AS SELECT * FROM real'],
    /view "migration" is unknown, table "migration" is missing/,
  ],
  [
    'an index with an expression',
    () => [`CREATE INDEX quick ON user (replace(name, 'a', 'b'))`],
    /index "quick" of "user" is unknown/,
  ],
  [
    'a generated column',
    () => [`ALTER TABLE user ADD COLUMN made TEXT AS (upper(name))`],
    /table "user" is another one/,
  ],
  [
    'a condition of a column that is evaluated with each change',
    () =>
      forged(
        `UPDATE sqlite_master SET sql = replace(sql, '"next" INTEGER', '"next" INTEGER CHECK (randomblob(9))') WHERE name = 'serial'`,
      ),
    /table "serial" is another one/,
  ],
  [
    'a virtual table that lists folders',
    () => ['CREATE VIRTUAL TABLE pages USING fts5(a)'],
    /table "pages" is unknown/,
  ],
  [
    'a virtual table of ours of another module',
    () =>
      forged(
        `UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE "search_text" USING fsdir(a)' WHERE name = 'search_text'`,
      ),
    /table "search_text" is another one/,
  ],
  [
    'a statement of the schema that is no definition',
    (outside) =>
      forged(
        `UPDATE sqlite_master SET sql = 'CREATE TABLE lane AS SELECT writefile(''${outside}'', 1)' WHERE name = 'lane'`,
      ),
    /table "lane" is another one|malformed/,
  ],
  [
    'an entry of the schema that comes twice',
    () => forged(`INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'lane'`),
    /malformed|is unknown/,
  ],
  [
    'two tables that share their pages',
    () =>
      forged(
        `UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'user') WHERE name = 'login'`,
      ),
    /damaged|malformed/,
  ],
  [
    'a page that leads beyond the file',
    () => forged(`UPDATE sqlite_master SET rootpage = 99999 WHERE name = 'login'`),
    /damaged|malformed/,
  ],
  ['a name that a terminal obeys', () => ['CREATE TABLE "\x1b[2J" (a)'], /table "\\u\{1b\}\[2J" is unknown/],
  [
    'migrations that never were',
    () => [`UPDATE migration SET hash = 'x'`],
    /made by a program from before the first release, or by a changed one/,
  ],
];

describe('a backup of others is data:', () => {
  it.each(attacks)(
    '%s is refused by its name, and nothing is written or read outside',
    async (_, statements, named) => {
      const outside = join(directory.path, 'outside.db');
      change(outside, 'CREATE TABLE property (name, value)', `INSERT INTO property VALUES ('secret', 'of others')`);
      change(copy, ...statements(outside));
      const before = await contents();
      await expect(restore(copy, path, { force: true })).rejects.toThrow(named);
      expect(await contents()).toEqual(before);
    },
  );

  it('a trigger with other blanks and quotes, as an earlier release wrote it, is ours', async () => {
    const text = `replace(replace(sql, char(10), char(9) || ' '), '"user"', 'user')`;
    change(copy, ...forged(`UPDATE sqlite_master SET sql = ${text} WHERE type = 'trigger'`));
    await restore(copy, path, { force: true });
  });
});
