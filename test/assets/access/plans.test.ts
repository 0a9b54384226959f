import { expect, it, onTestFinished } from 'vitest';
import { contextsByStrength } from '../../../src/assets/access/contexts-sql.ts';
import { entriesThatReach } from '../../../src/assets/access/reading-sql.ts';
import type { SqlValue } from '../../../src/core/store/contract.ts';
import type { Reader } from '../../../src/core/store/statement.ts';
import { containersAround } from '../../../src/extensions/graphs/store.ts';
import { memoryStore } from '../../support/store.ts';

const reads: readonly (readonly [string, (reader: Reader) => unknown])[] = [
  ['entries that reach an item', (reader) => entriesThatReach(reader, { places: '[["item","VX-1"]]' })],
  ['contexts of a user', (reader) => contextsByStrength(reader, { principals: '[["u:","VX-1",9]]', held: '[]' })],
  ['containers above an item', (reader) => containersAround(reader, { type: 'item', id: 'VX-1', limit: 9 })],
];

it.each(reads)('no read of access goes through all members of collections or libraries: %s', async (_, read) => {
  const store = await memoryStore();
  onTestFinished(() => store.close());
  const statements: [string, readonly SqlValue[]][] = [];
  const reader: Reader = {
    read: (sql, args = []) => {
      statements.push([sql, args]);
      return [];
    },
  };
  await read(reader);
  for (const [sql, args] of statements) {
    const plan = await store.read(`EXPLAIN QUERY PLAN ${sql}`, args);
    const steps = plan.map((row) => String(row[3]));
    expect(steps.filter((step) => /SCAN (over|collection_member|library_item)|MATERIALIZE access/.test(step))).toEqual(
      [],
    );
  }
});
