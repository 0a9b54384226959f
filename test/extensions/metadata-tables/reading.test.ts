import { expect, it } from 'vitest';
import { tableCommands } from '../../../src/extensions/metadata-tables/commands.ts';
import { ended } from '../../support/files.ts';
import { localFile } from '../../support/import-command.ts';
import { done } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { sent, start } from '../../support/transfers.ts';
import type { RoomWorld } from '../../support/world.ts';
import { generic, imported, listed, openTables, tableOf, valued, write } from './support.ts';

const notes = async (world: RoomWorld) =>
  (await listed(world, 'title,x_note'))
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.replace(/^VX-/, ''));

it.each<[name: string, table: string, query?: string]>([
  ['semicolons', 'itemId;title;x_note\nVX-1;"a,b";c\n'],
  ['tabs', 'itemId\ttitle\tx_note\nVX-1\ta,b\tc\n'],
  ['a separator that is told', 'itemId;title;x_note;a,b,c,d,e\nVX-1;a,b;c;\n', 'separator=semicolon&ignore=a,b,c,d,e'],
  ['a byte order mark, and returns', '\ufeffitemId,title,x_note\r\nVX-1,"a,b",c\r\n'],
  ['blanks around heads, and blank rows', '\n itemId , title,x_note\n\nVX-1,"a,b",c\n,,\n'],
  ['other heads', 'Id,Name,Remark,Else\nVX-1,"a,b",c,d\n', 'field=title:Name,x_note:Remark&ignore=Else'],
  ['the key in another column', 'title,x_note,Item\n"a,b",c,VX-1\n', 'keyColumn=Item'],
  ['an external id', 'itemId,title,x_note\ntape_1,"a,b",c\n'],
  ['a long form of an id', 'itemId,title,x_note\nITEM-VX-1,"a,b",c\n'],
])('a table with %s comes in', async (_name, table, query = '') => {
  const world = await openTables();
  const { status, changed, problem } = await imported(world, table, query);
  expect([status, changed, problem]).toEqual(['FINISHED', 1, []]);
  expect((await notes(world))[0]).toBe('1,"a,b",c');
});

it('cells have several values or one, and an empty one leaves or clears its field', async () => {
  const world = await openTables();
  await write(world, 'VX-1', [generic([valued('title', 'a'), valued('x_note', 'b')])]);
  const table = (...cells: readonly string[]) => `itemId,title,x_note\nVX-1,${cells.join()}\n`;
  const steps: readonly (readonly [string, string, string])[] = [
    [table('', 'c; d\\; e'), '', '1,a,"c; d\\; e"'],
    [table('', 'c; d'), 'values=one', '1,a,"c\\; d"'],
    [table('', '"\'=1+1; \'-x"'), '', `1,a,"'=1+1; '-x"`],
    [table('', 'f'), 'empty=clear', '1,,f'],
  ];
  for (const [text, query, line] of steps) {
    expect((await imported(world, text, query)).status).toBe('FINISHED');
    expect((await notes(world))[0]).toBe(line);
  }
});

it('file names find their items', async () => {
  const world = await openTables();
  const { jobId } = await start(world, sent('POST /API/import/raw?filename=Day 1.txt', 'bytes', {}, admin));
  await ended(world, jobId);
  const table = await imported(world, 'x_note,File\na,Day 1.txt\n', 'key=filename&keyColumn=File');
  expect([table.status, table.changed]).toEqual(['FINISHED', 1]);
});

it('a form of a page may hold the table', async () => {
  const world = await openTables();
  const part = 'content-disposition: form-data; name="file"; filename="a.csv"';
  const body = `--x\r\n${part}\r\n\r\nitemId,title\nVX-1,a\n\r\n--x--\r\n`;
  const headers = { accept: 'application/json', 'content-type': 'multipart/form-data; boundary=x' };
  const { jobId } = await done<{ jobId: string }>(world, { ...tableOf(body), headers });
  await ended(world, jobId);
  expect((await notes(world))[0]).toBe('1,a,');
});

it('a preview tells how columns would be read, from any beginning of a table', async () => {
  const world = await openTables();
  const rows = Array.from({ length: 20 }, (_, at) => `VX-${at};a ${at};7;b;c\n`).join('');
  const preview = async (text: string, query = '') => {
    const request = `POST /API/import/metadata-table/preview?${query}`;
    return done<Record<string, unknown>>(world, { ...tableOf(text), request });
  };
  const table = `itemId;Note;x_count;x_event/x_place;Elsewhere\n${rows}`;
  const seen = await preview(table, 'ignore=Elsewhere');
  expect(seen).toMatchObject({
    separator: 'semicolon',
    column: [
      { head: 'itemId', use: 'key' },
      { head: 'Note', use: 'unknown', nearest: 'x_note' },
      { head: 'x_count', use: 'field', field: 'x_count', type: 'integer' },
      { head: 'x_event/x_place', use: 'field', field: 'x_event/x_place', type: 'string-exact' },
      { head: 'Elsewhere', use: 'ignored' },
    ],
    problem: [
      {
        ...{ row: 1, column: 'Note', value: 'Note' },
        expected: 'Expected the name of a field, or an ignored column. The nearest is x_note',
      },
    ],
  });
  expect((seen['row'] as { value: string[] }[]).map(({ value }) => value[1])).toEqual(
    Array.from({ length: 10 }, (_, at) => `a ${at}`),
  );
  const cut = await preview('itemId,title\nVX-1,a\nVX-2,"b');
  expect(cut['row']).toEqual([{ value: ['VX-1', 'a'] }]);
});

/** Runs the command beside a server that works whenever the command rests. */
async function run(world: RoomWorld, text: string, more: Readonly<Record<string, readonly string[]>> = {}) {
  const said: string[] = [];
  const file = localFile('a.csv', text);
  const line = {
    words: ['a.csv'],
    has: (flag: string) => Object.hasOwn(more, flag),
    option: (name: string) => more[name] ?? [],
  };
  const desk = {
    store: world.service.store,
    provides: world.service.rooms['metadata-tables'],
    now: () => world.clock.now(),
    tell: (words: string) => said.push(words),
    sleep: async () => {
      await world.service.tick();
      await world.clock.advance(1_000);
    },
    async *localFiles() {
      yield file;
    },
  };
  const failed = await tableCommands()
    ['import-metadata']!.run(line, desk as never)
    .then(
      () => undefined,
      (error: Error) => error.message,
    );
  return { said, failed };
}

it('the command imports a table beside a server, and prints each problem', async () => {
  const world = await openTables();
  const { said, failed } = await run(world, 'itemId;Name\nVX-1;a\n', { '--field': ['title:Name'], '--no-wait': [] });
  expect([failed, said]).toEqual([undefined, [expect.stringMatching(/^a\.csv\tjob VX-\d+$/)]]);
  const fine = await run(world, 'itemId,title\nVX-1,b\n');
  expect([fine.failed, fine.said.at(-1)]).toEqual([undefined, 'a.csv\tdone']);
  expect((await notes(world))[0]).toBe('1,b,');
  const wrong = await run(world, 'itemId,x_count\nVX-1,many\nVX-9,7\n', { '--dry-run': [] });
  expect(wrong.failed).toBe('Expected a table without problems: 2');
  expect(wrong.said.slice(-2)).toEqual([
    'row 2, x_count\tExpected a whole number from -2147483648 to 2147483647: "many"',
    'row 3, itemId\tExpected the id of an item, or an external id of one: "VX-9"',
  ]);
  expect((await run(world, 'itemId\n')).failed).toBe(
    'Expected the heads of at least two columns: "itemId" in body, row 1',
  );
  expect((await run(world, 'itemId,title\nVX-1,a\n', { '--user': ['nobody'] })).failed).toContain(
    'in --user: "nobody"',
  );
  expect((await run(world, '', { '--separator': ['pipe'] })).failed).toContain('in --separator: "pipe"');
});
