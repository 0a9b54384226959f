import { expect, it } from 'vitest';
import type { Row, SqlValue } from '../../../src/core/store/contract.ts';
import { LocalSteadyReads } from '../../../src/core/store/local/steady-reads.ts';
import { SteadyRows } from '../../../src/core/store/remote/steady-rows.ts';
import { revisionQuery } from '../../../src/core/store/revision.ts';

const byNames = 'SELECT name, type FROM metadata_field WHERE name IN (SELECT value FROM json_each(?))';
const all = 'SELECT name FROM metadata_field';

/** Rows of fields by name, and what was asked beside the revision. */
function fields() {
  const state = { revision: 1, types: new Map([['title', 'string']]) };
  const asked: string[] = [];
  const steady = new LocalSteadyReads((sql, args: readonly SqlValue[] = []) => {
    if (sql.includes('counter')) return [[state.revision]];
    asked.push(`${sql === all ? 'all' : args[0]}`);
    const names = sql === all ? [...state.types.keys()] : (JSON.parse(String(args[0])) as string[]);
    return names.flatMap((name) => (state.types.has(name) ? [[name, state.types.get(name)!]] : []));
  });
  return { state, asked, steady };
}

it('rows of names are read once, also of names that have none, until the revision changes', async () => {
  const { state, asked, steady } = fields();
  expect(await steady.named(byNames, ['title', 'nothing'])).toEqual([['title', 'string']]);
  expect(await steady.named(byNames, ['nothing', 'title'])).toEqual([['title', 'string']]);
  state.types.set('nothing', 'date');
  state.revision = 2;
  expect(await steady.named(byNames, ['title', 'nothing', 'new'])).toEqual([
    ['title', 'string'],
    ['nothing', 'date'],
  ]);
  expect(await steady.named(byNames, ['new', 'nothing'])).toEqual([['nothing', 'date']]);
  expect(asked).toEqual(['["title","nothing"]', '["title","nothing","new"]']);
});

it('a caller that changes the list of rows changes no other answer', async () => {
  const { asked, steady } = fields();
  (await steady.read(all)).pop();
  (await steady.read(all)).pop();
  expect(await steady.read(all)).toEqual([['title', 'string']]);
  expect(asked).toEqual(['all']);
});

it('nothing is kept of a restored database, whose revisions come again, before they are new', async () => {
  const { state, asked, steady } = fields();
  state.revision = 5;
  await steady.read(all);
  state.revision = 4;
  await steady.read(all);
  await steady.read(all);
  state.revision = 6;
  await steady.read(all);
  await steady.read(all);
  expect(asked).toEqual(['all', 'all', 'all', 'all']);
});

it('no more than four million characters of rows are kept', async () => {
  const { state, asked, steady } = fields();
  for (let at = 0; at < 6; at++) {
    state.types.set(`field-${at}`, 'x'.repeat(1_000_000));
    await steady.named(byNames, [`field-${at}`]);
  }
  await steady.named(byNames, ['field-0']);
  expect(asked).toHaveLength(7);
});

it('rows of a server that are read before the answer about their revision are used, and not kept', async () => {
  const asked: string[] = [];
  let answer = (_rows: Row[]) => {};
  const read = async (sql: string): Promise<Row[]> => {
    if (sql === revisionQuery) return new Promise((resolve) => (answer = resolve));
    asked.push(sql);
    return [['title', `read ${asked.length}`]];
  };
  const steady = new SteadyRows(() => 0);
  const seen = steady.see(read);
  expect(await steady.read(all, [], { seen, isNew: false, read })).toEqual([['title', 'read 1']]);
  answer([[1]]);
  await seen.number;
  for (let time = 0; time < 2; time++)
    expect(await steady.read(all, [], { seen, isNew: false, read })).toEqual([['title', 'read 2']]);
});
