import { join } from 'node:path';
import { systemClock } from '../../src/core/lib/clock.ts';
import { type Migration, migrate } from '../../src/core/store/migrations.ts';
import { copyBeforeMigration } from '../../src/entry/native/backup.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { migrations } from '../support/migrated.ts';
import type { Row } from './row.ts';
import { openDataSet } from './search/data-set.ts';

/** Changes as a later release may have them. */
const changes: Readonly<Record<string, readonly string[]>> = {
  'a column of each item': ['ALTER TABLE item ADD COLUMN colour TEXT'],
  'a value in the column': [`UPDATE item SET colour = 'blue'`],
  'an index over it': ['CREATE INDEX item_colour ON item (colour)'],
  'a table with a row for each item': [
    'CREATE TABLE taste (item TEXT PRIMARY KEY) WITHOUT ROWID',
    'INSERT INTO taste SELECT id FROM item ORDER BY id',
  ],
};

const sizes = (process.env['PORTICO_BENCH_SIZES'] ?? '100000').split(',').map(Number);

/** Milliseconds of an upgrade of many items, and of the copy before it. `PORTICO_BENCH_SIZES=10000` takes fewer. */
export async function benchUpgrade(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const items of sizes) {
    const set = await openDataSet(items, Math.min(200, items / 100));
    const path = join(set.root, 'portico.db');
    const database = await openDatabase(`file:${path}`);
    const all: Migration[] = [...migrations];
    const timed = async (name: string, run: () => Promise<unknown>) => {
      const began = performance.now();
      await run();
      rows.push({ name: `${items} items: ${name}, ms`, value: performance.now() - began });
    };
    await timed('the copy before', () => copyBeforeMigration(path, all.length));
    for (const [name, statements] of Object.entries(changes)) {
      all.push({ number: all.length + 1, name, statements });
      await timed(name, () => migrate(database, systemClock, all));
    }
    await database.close();
    await set.remove();
  }
  return rows;
}
