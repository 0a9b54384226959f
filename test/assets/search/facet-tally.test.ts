import { expect, it } from 'vitest';
import { fieldNumber } from '../../../src/assets/search/index/keys.ts';
import type { FieldForm } from '../../../src/assets/search/index/values.ts';
import { fragment } from '../../../src/assets/search/query/conditions.ts';
import { valuesOf } from '../../../src/assets/search/query/rows-sql.ts';
import type { SqlValue } from '../../../src/core/store/contract.ts';
import type { Reader } from '../../../src/core/store/statement.ts';
import { fileStore, nobody } from '../../support/store.ts';

const upTo = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)';
const place: FieldForm = { name: 'place', base: 'string-exact', foldsCase: false };
const story: FieldForm = { name: 'story', base: 'string-exact', foldsCase: false };
const size: FieldForm = { name: 'size', base: 'integer', foldsCase: false };

it('values of texts that a thread counts are those that the engine groups; numbers are grouped', async () => {
  const store = await fileStore();
  const changes = [
    `${upTo} INSERT INTO search_entity (id, entity_id, created_at, timed) SELECT i, 'VX-' || i, 0, 0 FROM n`,
    `${upTo} INSERT INTO search_text (rowid, gw, gp, gk, tw, tp, tk) SELECT i, 'sea', '', 'all', '', '', '' FROM n`,
    `${upTo} INSERT INTO search_value (field, entity, val, spans) SELECT ${fieldNumber('place')}, i,
      CASE i % 4 WHEN 0 THEN char(233, i % 7 + 97) WHEN 1 THEN char(128512) WHEN 2 THEN '' ELSE 'é' || (i % 31) END, 1 FROM n`,
    `${upTo} INSERT INTO search_value (field, entity, val, spans) SELECT ${fieldNumber('size')}, i, i % 11, 1 FROM n`,
    `${upTo} INSERT INTO search_value (field, entity, val, spans) SELECT ${fieldNumber('story')}, i,
      substr('${'long '.repeat(200)}', i % 3) || (i % 5), 1 FROM n WHERE i <= 200`,
    `${upTo} INSERT INTO search_value (field, entity, val, spans) SELECT ${fieldNumber('story')}, i, 'short', 1 FROM n
      WHERE i > 200`,
  ].map((sql) => ({ sql, args: [] }));
  await store.commit({ changes, events: [] }, nobody);
  const reader = store.reader('ann');
  const tallies: string[] = [];
  const tallied: (readonly SqlValue[])[] = [];
  const tally: Reader['tally'] = (sql, values, asked) => {
    tallies.push(sql);
    tallied.push(values);
    return reader.tally!(sql, values, asked);
  };
  const counting: Reader = { ...reader, tally };
  const grouping: Reader = { ...reader, tally: undefined };
  const plan = { kind: 'item', match: 'gw : "sea"', where: () => fragment('1') } as const;
  for (const form of [place, size]) {
    for (const asked of [
      { minCount: 1, most: 100 },
      { minCount: 4, most: 100 },
      { minCount: 1, most: 3 },
    ]) {
      expect(await valuesOf(counting, plan, form, asked)).toEqual(await valuesOf(grouping, plan, form, asked));
    }
  }
  expect((await valuesOf(counting, plan, place, { minCount: 1, most: 100 })).length).toBeGreaterThan(30);
  expect(tallies).toHaveLength(4);
  // Long texts never cross to JavaScript all at once: the engine groups them.
  const asked = { minCount: 1, most: 100 };
  expect(await valuesOf(counting, plan, story, asked)).toEqual(await valuesOf(grouping, plan, story, asked));
  const [row] = await reader.read(tallies.at(-1)!, [...tallied.at(-1)!], 'one');
  expect(String(row![0]).length).toBeLessThan(400 * '"short",'.length);
  await store.close();
});
