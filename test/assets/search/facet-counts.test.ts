import { expect, it } from 'vitest';
import { fieldNumber } from '../../../src/assets/search/index/keys.ts';
import { fragment } from '../../../src/assets/search/query/conditions.ts';
import { valuesOf } from '../../../src/assets/search/query/rows-sql.ts';
import { fileStore, memoryStore, nobody } from '../../support/store.ts';

const numbers = Array.from({ length: 400 }, (_, index) => index + 1);
const long = 'long '.repeat(200);
/** Values of a field, one for each item. Texts lie beyond ASCII, beyond 16 bits, and are empty or long. */
const values = {
  place: numbers.map((i) => [`é${i % 31}`, `${'abcdefg'[i % 7]}`, '😀', ''][i % 4]!),
  story: numbers.map((i) => (i > 200 ? 'short' : `${long.slice(i % 3)}${i % 5}`)),
  size: numbers.map((i) => i % 11),
};
type Field = keyof typeof values;
const forms = { place: 'string-exact', story: 'string-exact', size: 'integer' } as const;
const plan = { kind: 'item', match: 'gw : "sea"', where: () => fragment('1') } as const;

/** The most frequent first, equally frequent ones by their bytes or their size. */
function counted(field: Field, minCount: number, max: number) {
  const counts = new Map<string | number, number>();
  for (const value of values[field]) counts.set(value, (counts.get(value) ?? 0) + 1);
  const order = (one: string | number, other: string | number) =>
    typeof one === 'number' ? one - Number(other) : Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  return [...counts]
    .filter(([, count]) => count >= minCount)
    .toSorted(([one, n], [other, m]) => m - n || order(one, other))
    .slice(0, max)
    .map(([value, count]) => ({ value: String(value), count }));
}

it.each([
  ['a file, whose readers are threads', fileStore],
  ['memory', memoryStore],
] as const)('a facet counts each value once, the most frequent first, in a database in %s', async (_, open) => {
  const store = await open();
  const statement = (sql: string, ...args: (string | number)[]) => ({ sql, args });
  const items = numbers.flatMap((i) => [
    statement('INSERT INTO search_entity (id, entity_id, created_at, timed) VALUES (?1, ?2, 0, 0)', i, `VX-${i}`),
    statement("INSERT INTO search_text (rowid, gw, gp, gk, tw, tp, tk) VALUES (?, 'sea', '', 'all', '', '', '')", i),
  ]);
  const rows = Object.entries(values).flatMap(([name, of]) =>
    of.map((value, at) =>
      statement(
        'INSERT INTO search_value (field, entity, val, spans) VALUES (?, ?, ?, 1)',
        fieldNumber(name),
        at + 1,
        value,
      ),
    ),
  );
  await store.commit({ changes: [...items, ...rows], events: [] }, nobody);
  const reader = store.reader('ann');
  for (const [name, base] of Object.entries(forms)) {
    for (const [minCount, max] of [
      [1, 100],
      [4, 100],
      [1, 3],
    ] as const) {
      const facet = await valuesOf(reader, plan, { name, base, foldsCase: false }, { minCount, max });
      expect(facet, `${name}, at least ${minCount}, at most ${max}`).toEqual(counted(name as Field, minCount, max));
    }
  }
  await store.close();
});

it('long values of a facet are counted where they lie, and none of them is read', async () => {
  const store = await fileStore();
  const upTo = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)';
  const changes = [
    `${upTo} INSERT INTO search_entity (id, entity_id, created_at, timed) SELECT i, 'VX-' || i, 0, 0 FROM n`,
    `${upTo} INSERT INTO search_text (rowid, gw, gp, gk, tw, tp, tk) SELECT i, 'sea', '', 'all', '', '', '' FROM n`,
    `${upTo} INSERT INTO search_value (field, entity, val, spans) SELECT ${fieldNumber('story')}, i, '${long}', 1 FROM n`,
  ].map((sql) => ({ sql, args: [] }));
  await store.commit({ changes, events: [] }, nobody);
  const reader = store.reader('ann');
  let read = 0;
  const tally: typeof reader.tally = async (sql, args, how) => {
    const [row] = await reader.read(sql, [...args], 'one');
    read = String(row![0]).length;
    return reader.tally!(sql, args, how);
  };
  const form = { name: 'story', base: 'string-exact', foldsCase: false } as const;
  const facet = await valuesOf({ ...reader, tally }, plan, form, { minCount: 1, max: 100 });
  expect(facet).toEqual([{ value: long, count: 400 }]);
  expect(read).toBeLessThan(400 * '"short",'.length);
  await store.close();
});
