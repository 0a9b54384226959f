import { eq, inArray } from 'drizzle-orm';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { groupGroup, user } from '../../src/identity/tables.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { prepareGuard } from '../../src/store/guard.ts';
import { keyValue } from '../../src/store/schema.ts';
import { prepareLookup, prepareQuery, prepareStatement, sql } from '../../src/store/statement.ts';
import { memoryStore, nobody } from '../support/store.ts';

describe('prepared statements', () => {
  const insert = prepareStatement<{ id: string; value: string }>((builder) =>
    builder.insert(keyValue).values({
      entityType: 'User',
      entityId: sql.placeholder('id'),
      key: 'k',
      position: 0,
      value: sql.placeholder('value'),
    }),
  );

  test('are built once and filled with constants and values in order', () => {
    const [one, two] = [insert({ id: 'a', value: 'x' }), insert({ id: 'b', value: 'y' })];
    expect(one.sql).toBe(two.sql);
    expect(one.args).toEqual(['User', 'a', 'k', 0, 'x']);
    expect(two.args).toEqual(['User', 'b', 'k', 0, 'y']);
    expect(one).not.toHaveProperty('refusal');
  });

  test('carry the refusal of the caller', () => {
    const refusal = new ServiceError('already-exists');
    expect(insert({ id: 'a', value: 'x' }, refusal).refusal).toBe(refusal);
  });

  test('a value that is missing is named, one that an object inherits is missing, null is a value', () => {
    const update = prepareStatement((builder) =>
      builder
        .update(user)
        .set({ realName: sql.placeholder('toString') as never })
        .where(eq(user.id, sql.placeholder('id'))),
    );
    expect(() => insert({ id: 'a' } as never)).toThrow('No value for the placeholder "value"');
    expect(() => update({ id: 'a' })).toThrow('No value for the placeholder "toString"');
    expect(update({ toString: null, id: 'a' } as never).args).toEqual([null, 'a']);
  });

  test('what the builder cannot say is said in SQL', () => {
    const touch = prepareStatement(sql`UPDATE ${user} SET version = version + ${sql.placeholder('by')} WHERE 1 = ${1}`);
    expect(touch({ by: 2 })).toEqual({ sql: 'UPDATE "user" SET version = version + ? WHERE 1 = ?', args: [2, 1] });
  });
});

describe('prepared queries', () => {
  const relate = prepareStatement((builder) =>
    builder.insert(groupGroup).values({ parentId: sql.placeholder('parent'), childId: sql.placeholder('child') }),
  );
  const insertGroup = prepareStatement(
    sql`INSERT INTO "group" (id, name, role, version, created_at) VALUES (${sql.placeholder('id')}, ${sql.placeholder('id')}, 0, 1, 0)`,
  );
  const ancestors = prepareQuery(
    sql`WITH RECURSIVE up (id, depth) AS (
          SELECT ${sql.placeholder('id')}, 0
          UNION SELECT parent_id, depth + 1 FROM group_group JOIN up ON child_id = up.id
        ) SELECT id, depth FROM up ORDER BY depth`,
    { id: groupGroup.parentId, depth: sql<number>`depth` },
  );

  test('a recursive query gives typed rows', async () => {
    const store = await memoryStore();
    const groups = ['a', 'b', 'c'].map((id) => insertGroup({ id }));
    const edges = [relate({ parent: 'a', child: 'b' }), relate({ parent: 'b', child: 'c' })];
    await store.commit({ changes: [...groups, ...edges], events: [] }, nobody);
    const rows = await ancestors(store, { id: 'c' });
    expectTypeOf(rows).toEqualTypeOf<{ id: string; depth: number }[]>();
    expect(rows).toEqual([
      { id: 'c', depth: 0 },
      { id: 'b', depth: 1 },
      { id: 'a', depth: 2 },
    ]);
    await store.close();
  });

  test('rows have the types of the selection, nulls included', () => {
    const find = prepareLookup((builder) =>
      builder.select({ id: user.id, realName: user.realName, n: sql<number>`1` }).from(user),
    );
    expectTypeOf(find).returns.resolves.toEqualTypeOf<{ id: string; realName: string | null; n: number } | undefined>();
    const all = prepareQuery((builder) =>
      builder
        .select()
        .from(user)
        .where(inArray(user.id, ['a', 'b'])),
    );
    expectTypeOf(all).returns.resolves.items.toHaveProperty('passwordVersion').toEqualTypeOf<number>();
  });
});

test('a prepared guard is one text for all requests', () => {
  const few = prepareGuard(sql`(SELECT count(*) FROM ${user}) < ${sql.placeholder('most')}`);
  const refusal = new ServiceError('not-allowed');
  expect(few({ most: 5 }, refusal)).toEqual({
    sql: 'INSERT INTO "guard" ("broken") SELECT 1 WHERE ((SELECT count(*) FROM "user") < ?) IS NOT TRUE',
    args: [5],
    refusal,
  });
});
