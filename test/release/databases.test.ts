import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programVersion } from '../../src/core/lib/version.ts';
import type { Database } from '../../src/core/store/contract.ts';
import type { Migration } from '../../src/core/store/migrations.ts';
import { mustHaveOwnSchema } from '../../src/entry/native/backup-schema.ts';
import { tryCli } from '../support/cli.ts';
import { isLong } from '../support/long.ts';
import { extensions, migrations } from '../support/migrated.ts';
import { temporaryDirectory } from '../support/store.ts';
import { bytesOf, callsOf, differenceOf, keptVersions, schemaIn, upgrade, withCopy } from './databases.ts';
import { answerOf, keep, lacking, lackingFor, serving } from './keep.ts';

/** Changes of a release that does not exist yet: to two tables of the core, and to one of an extension. */
const later = (number: number, name: string, ...statements: readonly string[]): Migration => ({
  number,
  name,
  statements,
});
const { length } = migrations;
const laterCore = [
  ...migrations,
  later(length + 1, 'colours', 'ALTER TABLE item ADD COLUMN colour TEXT', `UPDATE item SET colour = 'blue'`),
  later(
    length + 2,
    'tastes',
    'CREATE TABLE taste (item TEXT PRIMARY KEY)',
    'INSERT INTO taste SELECT id FROM item ORDER BY id',
  ),
];
const laterExtensions = extensions.map((chain) =>
  chain.extension === 'shares'
    ? {
        ...chain,
        migrations: [
          ...chain.migrations,
          later(chain.migrations.length + 1, 'notes', 'ALTER TABLE share ADD COLUMN colour TEXT'),
        ],
      }
    : chain,
);

/** A program that ends at one of its writes: before it, or when it is done and nobody has heard of it. */
function stopping(database: Database, at: number, moment: 'before' | 'behind'): Database {
  let writes = 0;
  return {
    ...database,
    read: (...asked) => {
      if (writes > at) throw new Error('stopped');
      return database.read(...asked);
    },
    async write(statements) {
      if (writes++ < at) return database.write(statements);
      if (moment === 'behind') await database.write(statements);
      throw new Error('stopped');
    },
  } as Database;
}

const changed = async (database: Database) => ({
  schema: await schemaIn(database),
  rows: await database.read(`SELECT id, colour, taste.item FROM item LEFT JOIN taste ON taste.item = id ORDER BY id`),
  migrations: await database.read('SELECT number, name FROM migration ORDER BY number'),
});

const newest = keptVersions.at(-1)!;

describe.each(keptVersions)('a database of %s', (version) => {
  it('answers the calls of its clients as its own program did', async () => {
    const all = callsOf(version);
    expect(all.length).toBeGreaterThan(300);
    const calls = isLong ? all : all.filter((_, at) => at % 4 === 0);
    const others = await withCopy(bytesOf(version), (database) =>
      serving(database, async (world) => {
        const lost: string[] = [];
        for (const { request, answer } of calls)
          lost.push(...lackingFor(request, answer, await answerOf(world, request)).map((each) => `${request} ${each}`));
        return lost;
      }),
    );
    expect(others).toEqual([]);
  });

  it('comes to the schema of the tables, by migrations alone', async () => {
    const remedy = 'Remedy: a migration with the statements that "npm run schema" prints';
    expect(await differenceOf(version), remedy).toEqual({ missing: [], gone: [] });
  });

  it('does not come to tables with a column, an index or a table more, without a migration', async () => {
    const table = 'CREATE TABLE taste (item TEXT)';
    const index = 'CREATE INDEX item_colour ON item (colour)';
    const { missing, gone } = await differenceOf(version, 'ALTER TABLE item ADD COLUMN colour TEXT', table, index);
    const item = /^CREATE TABLE "item" /;
    expect(missing).toEqual([index, expect.stringMatching(item), table]);
    expect(gone).toEqual([expect.stringMatching(item)]);
  });

  it('is a backup that later versions take, whichever migrations it has, and not with a trigger of others', async () => {
    const bytes = bytesOf(version);
    const hostile = 'CREATE TRIGGER kind AFTER UPDATE ON serial BEGIN UPDATE user SET enabled = 1; END';
    const check = (...chains: [readonly Migration[], typeof extensions]) =>
      withCopy(bytes, async (database, path) => {
        const backup = new Libsql(path);
        await mustHaveOwnSchema(backup);
        await mustHaveOwnSchema(backup, laterCore, laterExtensions);
        await upgrade(database, ...chains);
        await mustHaveOwnSchema(backup, laterCore, laterExtensions);
        await database.write([{ sql: hostile, args: [] }]);
        await expect(mustHaveOwnSchema(backup, laterCore, laterExtensions)).rejects.toThrow(
          /^Expected the schema that this program makes, found another one: trigger "kind" of "serial" is unknown$/,
        );
        backup.close();
      });
    await check(migrations, extensions);
    await check(laterCore.slice(0, -1), extensions);
  });

  it('is upgraded after a stop before and behind each migration, once', async () => {
    const bytes = bytesOf(version);
    const whole = await withCopy(bytes, async (database) => {
      await upgrade(database, laterCore, laterExtensions);
      return changed(database);
    });
    expect(whole.rows).toContainEqual(['VX-1', 'blue', 'VX-1']);
    let stops = 0;
    for (const moment of ['before', 'behind'] as const)
      for (let at = 0, stopped = true; stopped; at++)
        await withCopy(bytes, async (database) => {
          stopped = await upgrade(stopping(database, at, moment), laterCore, laterExtensions).then(
            () => false,
            () => true,
          );
          if (stopped) stops++;
          await upgrade(database, laterCore, laterExtensions);
          expect(await changed(database), `stopped ${moment} write ${at}`).toEqual(whole);
        });
    expect(stops).toBeGreaterThanOrEqual(6);
  });
});

it('an answer with another value, without a property or with a shorter list is not that of a release', () => {
  const before = { state: 'OPEN', file: [{ id: 'VX-1' }] };
  expect(lacking(before, { state: 'CLOSED', file: [{ id: 'VX-1', size: 1 }], more: 1 })).toEqual([
    '/state: "OPEN", now "CLOSED"',
  ]);
  expect(lacking(before, { file: [] })).toEqual(['/state: "OPEN", now undefined', '/file: [{"id":"VX-1"}], now []']);
});

it('a list of the program may grow, and keeps what was in it', () => {
  const [first, second] = [
    { id: 1, step: 100 },
    { id: 2, step: 200 },
  ];
  const request = 'GET /API/task-definition';
  expect(lackingFor(request, { task: [second] }, { task: [first, second] })).toEqual([]);
  expect(lackingFor(request, { task: [first, second] }, { task: [first, { id: 2, step: 300 }] })).toEqual([
    ': {"id":2,"step":200} is gone',
  ]);
  expect(lackingFor('GET /API/item', { item: [second] }, { item: [first, second] })).toHaveLength(1);
  const lines = 'deliveries\t0\t\t\r\njobs\t0\t\t';
  expect(lackingFor('GET /API/vidispine-service/stacktrace', lines, `closing\t0\t\t\r\n${lines}`)).toEqual([]);
  expect(lackingFor('GET /API/vidispine-service/stacktrace', lines, 'jobs\t0\t\t')).toHaveLength(1);
});

it('an older program refuses the database of a newer one, and says what a way back loses', async () => {
  await withCopy(bytesOf(newest), async (database) => {
    await upgrade(database, laterCore, laterExtensions);
    const before = await schemaIn(database);
    await expect(upgrade(database)).rejects.toThrow(
      [
        `The database has version ${length + 2}, this program knows only ${length}: migration ${length + 1} "colours", migration ${length + 2} "tastes" came later`,
        `Remedy: start the newer program, or restore a backup from before 2030-01-01T00:00:00.000Z, such as portico.db.before-${length}`,
        'Everything that was changed since that time is lost with the backup',
      ].join('. '),
    );
    expect(await schemaIn(database)).toEqual(before);
  });
});

it('a database of 28 November 2026, from before the first release, is refused with a way out, and stays as it is', async () => {
  const bytes = gunzipSync(readFileSync('test/release/before-release.db.gz'));
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const root = directory.path;
  await writeFile(join(root, 'portico.db'), bytes);
  const says =
    'The database was made by a program from before the first release, or by a changed one, and nothing in it was changed. Remedy: start with an empty database. Bring what is in the old one over with "portico migrate-from", while its own program serves it';
  for (const words of [['migrate'], ['user', 'list'], ['work'], ['serve', '--port', '0']])
    expect(await tryCli(words, { root }), words[0]).toEqual({ code: 1, out: '', err: `portico: ${says}\n` });
  const old = join(root, 'old.db');
  await writeFile(old, bytes);
  const restored = await tryCli(['restore', old, '--force'], { root });
  expect([restored.code, restored.err]).toEqual([1, expect.stringContaining(says)]);
  expect((await readFile(join(root, 'portico.db'))).equals(bytes)).toBe(true);
  expect((await readdir(root)).filter((name) => /before|restor/.test(name))).toEqual([]);
});

it.runIf(process.env['PORTICO_KEEP'])('keeps a database of this version', async () => {
  process.stdout.write(await keep(programVersion));
});
