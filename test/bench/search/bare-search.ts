import { Hono } from 'hono';
import Database from 'libsql';
import type { Maybe } from '../../../src/core/lib/maybe.ts';
import { listen } from '../listen.ts';
import { answersOf, readQuestions } from './bare-answers.ts';
import { BareThread } from './bare-thread.ts';

/**
 * The least that could answer the questions of the bench: Hono, a table of credentials, and the statements that a
 * person writes for each. Run beside the real server: `bare-search.ts DATABASE-FILE QUESTIONS-FILE ["thread"]`. With the
 * last word a thread runs the statements and makes the whole answer.
 */
const [file, questionsFile, place] = process.argv.slice(2) as [string, string, string?];
const questions = readQuestions(questionsFile);
const database = new Database(file, { readonly: true });
const verified = new Map(
  ['admin', ...questions.map(({ user }) => user)].map((user) => [`Basic ${btoa(`${user}:bench`)}`, user]),
);
const enabled = database.prepare('SELECT enabled FROM user WHERE name = ?').raw(true);
const answer = answering();

function answering(): (name: string) => Maybe<string> {
  if (place === 'thread') {
    const thread = new BareThread(file, questionsFile);
    return (name) => thread.answer(name);
  }
  const answers = answersOf(file, questions);
  return (name) => answers.get(name)!();
}

function callerOf(authorization: string | undefined): string | undefined {
  const user = verified.get(authorization ?? '');
  const row = user === undefined ? undefined : (enabled.get([user]) as [number] | undefined);
  return row?.[0] === 1 ? user : undefined;
}

const app = new Hono();
app.get('/API/whoami', (context) => {
  const user = callerOf(context.req.header('authorization'));
  return user === undefined ? context.body(null, 401) : context.text(user);
});
app.put('/:name', async (context) => {
  if (callerOf(context.req.header('authorization')) === undefined) return context.body(null, 401);
  await context.req.json();
  const text = await answer(decodeURIComponent(context.req.param('name')));
  return context.body(text, 200, { 'content-type': 'application/json' });
});

listen(app);
