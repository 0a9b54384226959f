import { readFileSync } from 'node:fs';
import Database from 'libsql';
import type { Question } from './questions.ts';

export const readQuestions = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as readonly Question[];

const bound = (value: string | number) => (typeof value === 'number' ? BigInt(value) : value);

/** Functions that answer each question, as JSON, with the statements that a person writes for it. */
export function answersOf(file: string, questions: readonly Question[]): ReadonlyMap<string, () => string> {
  const database = new Database(file, { readonly: true });
  return new Map(
    questions.map(({ name, sql }) => {
      const statements = sql.map((each) => ({
        gives: each.gives,
        statement: database.prepare(each.sql).raw(true),
        args: each.args.map(bound),
      }));
      return [name, () => JSON.stringify(Object.assign({}, ...statements.map(readAll)))] as const;
    }),
  );
}

interface Prepared {
  readonly gives: string;
  readonly statement: Database.Statement;
  readonly args: readonly unknown[];
}

function readAll({ gives, statement, args }: Prepared): object {
  const rows = statement.all(args) as [string | number][];
  if (gives === 'hits') return { hits: rows[0]![0] };
  if (gives === 'ids') return { item: rows.map(([id]) => ({ id, start: '-INF', end: '+INF' })) };
  if (gives === 'words') return { suggestion: rows.map(([word]) => word) };
  const counts = new Map<string, number>();
  for (const value of JSON.parse(String(rows[0]![0])) as string[]) counts.set(value, (counts.get(value) ?? 0) + 1);
  const order = (one: string, other: string) => (one < other ? -1 : 1);
  const max = [...counts].toSorted(([a, many], [b, more]) => more - many || order(a, b)).slice(0, 100);
  return { facet: [{ count: max.map(([fieldValue, count]) => ({ value: count, fieldValue, count })) }] };
}
