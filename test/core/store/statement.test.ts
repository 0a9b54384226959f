import { eq, inArray } from 'drizzle-orm';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { ServiceError } from '../../../src/core/lib/errors.ts';
import { guard } from '../../../src/core/store/guard.ts';
import { keyValue } from '../../../src/core/store/schema.ts';
import { query, sql, statement, writes } from '../../../src/core/store/statement.ts';
import { group, groupGroup, user } from '../../../src/identity/tables.ts';
import { memoryStore, nobody } from '../../support/store.ts';

describe('prepared statements', () => {
  const insert = statement<{ id: string; value: string }>((builder) =>
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
    const update = statement((builder) =>
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
    const touch = statement(
      sql`UPDATE ${writes('user')} SET version = version + ${sql.placeholder('by')} WHERE 1 = ${1}`,
    );
    expect(touch({ by: 2 })).toEqual({
      sql: 'UPDATE "user" SET version = version + ? WHERE 1 = ?',
      args: [2, 1],
      writes: 'user',
    });
  });

  test('name the table that they write, and one without a name is refused', () => {
    expect(insert({ id: 'a', value: 'x' }).writes).toBe('key_value');
    const late = sql`WITH old AS (SELECT ${sql.placeholder('id')} AS id) DELETE FROM ${writes('user')} WHERE id IN old`;
    expect(statement(sql`${late} RETURNING id`, { returns: true })({ id: 'a' })).toEqual({
      sql: 'WITH old AS (SELECT ? AS id) DELETE FROM "user" WHERE id IN old RETURNING id',
      args: ['a'],
      writes: 'user',
      returns: true,
    });
    const unnamed = sql.raw('DELETE FROM user');
    expect(() => statement(unnamed)({})).toThrow('Expected a table named by writes(): DELETE FROM user');
  });
});

describe('prepared queries', () => {
  const relate = statement((builder) =>
    builder.insert(groupGroup).values({ parentId: sql.placeholder('parent'), childId: sql.placeholder('child') }),
  );
  const insertGroup = statement(
    sql`INSERT INTO ${writes('group')} (id, name, role, version, created_at) VALUES (${sql.placeholder('id')}, ${sql.placeholder('id')}, 0, 1, 0)`,
  );
  const removeGroup = statement((builder) => builder.delete(group).where(eq(group.id, sql.placeholder('id'))));
  const ancestors = query(
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

  test('a look-up gives the first row, or undefined', async () => {
    const store = await memoryStore();
    await store.commit({ changes: ['a', 'b'].map((id) => insertGroup({ id })), events: [] }, nobody);
    const names = query((builder) => builder.select({ name: group.name }).from(group).orderBy(group.name));
    expect(await names(store, {})).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(await names.first(store, {})).toEqual({ name: 'a' });
    await store.commit({ changes: ['a', 'b'].map((id) => removeGroup({ id })), events: [] }, nobody);
    expect(await names.first(store, {})).toBeUndefined();
    await store.close();
  });

  test('rows have the types of the selection, nulls included', () => {
    const find = query((builder) =>
      builder.select({ id: user.id, realName: user.realName, n: sql<number>`1` }).from(user),
    ).first;
    expectTypeOf(find).returns.resolves.toEqualTypeOf<{ id: string; realName: string | null; n: number } | undefined>();
    const all = query((builder) =>
      builder
        .select()
        .from(user)
        .where(inArray(user.id, ['a', 'b'])),
    );
    expectTypeOf(all).returns.resolves.items.toHaveProperty('passwordVersion').toEqualTypeOf<number>();
  });
});

test('a prepared guard is one text for all requests', () => {
  const few = guard(sql`(SELECT count(*) FROM ${user}) < ${sql.placeholder('max')}`);
  const refusal = new ServiceError('not-allowed');
  expect(few({ max: 5 }, refusal)).toEqual({
    sql: 'INSERT INTO "guard" ("broken") SELECT 1 WHERE ((SELECT count(*) FROM "user") < ?) IS NOT TRUE',
    args: [5],
    writes: 'guard',
    refusal,
  });
});

test('a guard of the builder holds while its query has a row', async () => {
  const store = await memoryStore();
  const insert = statement(
    sql`INSERT INTO ${writes('key_value')} (entity_type, entity_id, key, position, value) VALUES ('User', 'a', 'k', 0, 'x')`,
  );
  const there = guard((builder) =>
    builder
      .select({ value: keyValue.value })
      .from(keyValue)
      .where(eq(keyValue.key, sql.placeholder('key'))),
  );
  const refusal = new ServiceError('already-exists');
  const commit = () => store.commit({ changes: [there({ key: 'k' }, refusal)], events: [] }, nobody);
  await expect(commit()).rejects.toBe(refusal);
  await store.commit({ changes: [insert({})], events: [] }, nobody);
  await commit();
  await store.close();
});
