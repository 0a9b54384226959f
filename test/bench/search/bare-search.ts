import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import Database from 'libsql';
import { listen } from '../listen.ts';
import type { Question } from './questions.ts';

/**
 * The least that could answer the questions of the bench: Hono, a table of credentials, and the statements that a
 * person writes for each. Run beside the real server: `bare-search.ts DATABASE-FILE QUESTIONS-FILE`.
 */
const database = new Database(process.argv[2]!, { readonly: true });
const questions = JSON.parse(readFileSync(process.argv[3]!, 'utf8')) as readonly Question[];
const verified = new Map(questions.map(({ user }) => [`Basic ${btoa(`${user}:bench`)}`, user]));
const enabled = database.prepare('SELECT enabled FROM user WHERE name = ?').raw(true);
const bound = (value: string | number) => (typeof value === 'number' ? BigInt(value) : value);

const answers = new Map(
  questions.map(({ name, sql }) => {
    const statements = sql.map((each) => ({
      gives: each.gives,
      statement: database.prepare(each.sql).raw(true),
      args: each.args.map(bound),
    }));
    return [name, () => Object.assign({}, ...statements.map(readAll))] as const;
  }),
);

function readAll({
  gives,
  statement,
  args,
}: {
  gives: string;
  statement: Database.Statement;
  args: unknown[];
}): object {
  const rows = statement.all(args) as [string | number][];
  if (gives === 'hits') return { hits: rows[0]![0] };
  if (gives === 'ids') return { item: rows.map(([id]) => ({ id, start: '-INF', end: '+INF' })) };
  if (gives === 'words') return { suggestion: rows.map(([word]) => word) };
  const counts = new Map<string, number>();
  for (const value of JSON.parse(String(rows[0]![0])) as string[]) counts.set(value, (counts.get(value) ?? 0) + 1);
  const order = (one: string, other: string) => (one < other ? -1 : 1);
  const most = [...counts].toSorted(([a, many], [b, more]) => more - many || order(a, b)).slice(0, 100);
  return { facet: [{ count: most.map(([fieldValue, count]) => ({ value: count, fieldValue, count })) }] };
}

const app = new Hono();
app.put('/:name', async (context) => {
  const user = verified.get(context.req.header('authorization') ?? '');
  const row = user === undefined ? undefined : (enabled.get([user]) as [number] | undefined);
  if (row?.[0] !== 1) return context.body(null, 401);
  await context.req.json();
  const text = JSON.stringify(answers.get(decodeURIComponent(context.req.param('name')))!());
  return context.body(text, 200, { 'content-type': 'application/json' });
});

listen(app);
