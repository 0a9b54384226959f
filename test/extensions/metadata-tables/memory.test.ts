import { expect, it } from 'vitest';
import type { Row, Statement } from '../../../src/core/store/contract.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { admin, openService } from '../../support/service.ts';

/** Rows of 6,000 characters: some in a part, and more than one commit of parts. */
const [count, length] = [300, 6_000];
const table = `itemId,title,Note\n${Array.from({ length: count }, (_, at) => `VX-${at + 1},new,${'x'.repeat(length)}\n`).join('')}`;

it('an import holds few rows of its table at a time, as it comes, is checked and is written', async () => {
  const database = await migratedDatabase();
  await database.write(
    Array.from({ length: count }, (_, at) => ({
      sql: 'INSERT INTO item (id, serial, created_at) VALUES (?, ?, 0)',
      args: [`VX-${at + 1}`, at + 1],
    })),
  );
  const rowsIn = (text: unknown): number => (JSON.parse(String(text)) as unknown[]).length;
  /** Rows that were read since a part was left, and those that one commit stored. */
  let [held, maxHeld, maxStored, read] = [0, 0, 0, 0];
  function look(sql: string, rows: readonly Row[]): void {
    if (!/from "?metadata_table_part/i.test(sql)) return;
    const some = rows.reduce((sum, row) => sum + rowsIn(row[0]), 0);
    held += some;
    read += some;
    maxHeld = Math.max(maxHeld, held);
  }
  function stored(statements: readonly Statement[]): void {
    const parts = statements.filter(({ sql }) => /insert into "?metadata_table_part/i.test(sql));
    maxStored = Math.max(
      maxStored,
      parts.reduce((sum, { args }) => sum + rowsIn(args.find((arg) => String(arg).startsWith('['))), 0),
    );
    if (statements.some(({ sql }) => /update "?metadata_table"? set.*(checked|written)_to/is.test(sql))) held = 0;
  }
  const watched: typeof database = {
    ...outliving(database),
    async read(...given) {
      const rows = await database.read(...given);
      look(given[0], rows);
      return rows;
    },
    async query(...given) {
      const rows = await database.query(...given);
      look(given[1], rows);
      return rows;
    },
    write(statements, share) {
      stored(statements);
      return database.write(statements, share);
    },
  };
  const { service } = await openService({ database: watched, settings: { logLevel: 'error' } });
  const request = 'POST /API/import/metadata-table?ignore=Note';
  await service.fetch(
    requestOf('http://portico.test', { as: admin, request, headers: { 'content-type': 'text/csv' }, body: table }),
  );
  for (let round = 0; round < 4; round++) await service.tick();
  expect(await database.read('SELECT rows, changed, problems FROM metadata_table')).toEqual([[count, count, 0]]);
  expect(read).toBe(2 * count);
  expect([maxHeld <= 50, maxStored < count]).toEqual([true, true]);
  await service.close();
  await database.close();
});
