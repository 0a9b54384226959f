import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matcherOf, prefixesOf } from '../../../src/core/lib/search-pattern.ts';
import { query, sql } from '../../../src/core/store/statement.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { boundsFor, fromPrefixes } from '../../../src/room/entities/search-sql.ts';
import { memoryStore, nobody } from '../../support/store.ts';

/** Any room may list by a pattern: here the table is none of a room's. */
const names = ['a', 'ab', 'aB', 'AB', 'abc', 'b', 'é', 'É', '*', '%', '\u{10ffff}', '\u{10ffff}x', ''];

describe('a list by a search pattern', () => {
  let store: Store;
  beforeAll(async () => {
    store = await memoryStore();
    const create = { sql: 'CREATE TABLE thing (id INTEGER PRIMARY KEY, title TEXT UNIQUE)', args: [] };
    const insert = names.map((name) => ({ sql: 'INSERT INTO thing (title) VALUES (?)', args: [name] }));
    await store.commit({ changes: [create, ...insert], events: [] }, nobody);
  });
  afterAll(() => store.close());

  const from = (pattern: string, ignoreCase: boolean) =>
    fromPrefixes(sql.identifier('thing'), sql`title`, prefixesOf(pattern, ignoreCase));
  const titles = async (pattern: string, ignoreCase: boolean) => {
    const rows = await query(sql`SELECT title ${from(pattern, ignoreCase)}`, { title: sql<string>`` })(store, {});
    return rows.map(({ title }) => title);
  };

  it.each(
    ['a*', 'AB*', 'ab', 'é*', '\u{10ffff}*', '*', '*b', '**', ''].flatMap((pattern) => [
      [pattern, false] as const,
      [pattern, true] as const,
    ]),
  )('finds for %j all that fits (ignoring case: %s), each once', async (pattern, ignoreCase) => {
    const found = await titles(pattern, ignoreCase);
    const fitting = await store.read('SELECT title FROM thing WHERE title GLOB ?', [matcherOf(pattern, ignoreCase)]);
    expect(found).toEqual([...new Set(found)]);
    expect(found).toEqual(expect.arrayContaining(fitting.map(([title]) => title)));
  });

  it('looks only at what begins so', async () => {
    expect((await titles('a*', false)).toSorted()).toEqual(['a', 'aB', 'ab', 'abc']);
    const column = sql<string>``;
    const explain = query(sql`EXPLAIN QUERY PLAN SELECT title ${from('a*b', true)}`, {
      id: column,
      parent: column,
      unused: column,
      detail: column,
    });
    const plan = (await explain(store, {})).map(({ detail }) => detail);
    expect(plan).toContainEqual(
      expect.stringMatching(/^SEARCH thing USING COVERING INDEX \S+ \(title>\? AND title<\?\)$/),
    );
  });

  it('has smaller bounds in memory, where it holds up other requests', () => {
    const settings = { maxSearchWork: 1_000_000, maxSearchSteps: 1e10, maxSearchText: 100, maxSearchPattern: 20 };
    expect(boundsFor('file', settings)).toEqual({ values: 1_000_000, steps: 1e10, text: 100, pattern: 20 });
    expect(boundsFor('remote', settings)).toEqual(boundsFor('file', settings));
    expect(boundsFor('memory', settings)).toEqual({ values: 10_000, steps: 3_000_000, text: 100, pattern: 20 });
  });
});
