import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import {
  before,
  deleted,
  everyChange,
  goesWith,
  inserted,
  moved,
  triggers,
  updated,
} from '../../../src/core/store/triggers-sql.ts';
import { copiesOf } from '../../support/migrated.ts';

const log = (words: string): string => `INSERT INTO log VALUES (${words})`;
const sized = (row: string, sign: string): string => `UPDATE box SET size = size ${sign} 1 WHERE id = ${row}.box`;

const emptyBoxes = copiesOf((database) =>
  database.write(
    [
      'CREATE TABLE box (id TEXT, size INTEGER)',
      'CREATE TABLE thing (id TEXT, box TEXT, note TEXT)',
      'CREATE TABLE mark (kind TEXT, of TEXT, until TEXT)',
      'CREATE TABLE log (words TEXT)',
      ...triggers({
        thing_comes: inserted('thing', sized),
        thing_goes: deleted('thing', sized),
        thing_moves: moved('thing', 'box', sized, 'OLD.box <> NEW.box'),
        box_gone: deleted(
          'box',
          goesWith({ thing: 'box', mark: { kind: "'box'", of: 'OLD.id', until: null } }),
          (row) => `${row}.id <> 'kept'`,
        ),
        note_written: before(updated('thing', 'note', [log("'before'"), log('OLD.note || NEW.note')])),
        ...everyChange('mark', 'mark', (row, sign) => log(`'${sign}' || ${row}.of`)),
      }),
    ].map((sql) => ({ sql, args: [] })),
  ),
);

let database: Database;
const run = (...statements: string[]) => database.write(statements.map((sql) => ({ sql, args: [] })));
const rows = async (query: string) => (await database.read(query)).map((row) => row.join(' '));

beforeEach(async () => {
  database = await emptyBoxes();
  await run(`INSERT INTO box VALUES ('a', 0), ('b', 0), ('kept', 0)`);
  await run(`INSERT INTO thing VALUES ('x', 'a', 'n'), ('y', 'a', 'n'), ('z', 'kept', 'n')`);
});
afterEach(() => database.close());

it('counts a row that comes, goes, and moves', async () => {
  expect(await rows('SELECT * FROM box')).toEqual(['a 2', 'b 0', 'kept 1']);
  await run(`UPDATE thing SET box = 'b' WHERE id = 'x'`, `DELETE FROM thing WHERE id = 'y'`);
  expect(await rows('SELECT * FROM box')).toEqual(['a 0', 'b 1', 'kept 1']);
});

it('deletes the rows that go with a row, and no others', async () => {
  await run(`INSERT INTO mark VALUES ('box', 'a', NULL), ('box', 'a', 'May'), ('lid', 'a', NULL), ('box', 'b', NULL)`);
  await run(`DELETE FROM box WHERE id IN ('a', 'kept')`);
  expect(await rows('SELECT id FROM thing')).toEqual(['z']);
  expect(await rows('SELECT * FROM mark')).toEqual(['box a May', 'lid a ', 'box b ']);
});

it('follows the named columns, with all statements, before the change', async () => {
  await run(`UPDATE thing SET id = 'w' WHERE id = 'x'`, `UPDATE thing SET note = 'm' WHERE id = 'y'`);
  expect(await rows('SELECT * FROM log')).toEqual(['before', 'nm']);
});

it('follows every change of a row', async () => {
  await run(`INSERT INTO mark VALUES ('box', 'a', NULL)`, `UPDATE mark SET of = 'b'`, 'DELETE FROM mark');
  expect(await rows('SELECT * FROM log')).toEqual(['+a', '+b', '-b']);
});
