import { afterAll, beforeAll, expect, it } from 'vitest';
import { ended } from '../../support/files.ts';
import { openBehind, type Sent } from '../../support/matrix.ts';
import { ask, bodyOf, sqlIn } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { sent, start } from '../../support/transfers.ts';
import type { RoomWorld } from '../../support/world.ts';
import { generic, imported, metadataEvents, openTables, tableOf, valued, write, writer } from './support.ts';

let world: RoomWorld;
const ends: (() => Promise<unknown>)[] = [];

/** VX-1 as it is made; VX-2 with values that no column replaces; VX-3 and VX-4 with locks of somebody else; two items of a name. */
beforeAll(async () => {
  world = await openTables((given = {}) => openBehind('fetch', given, (end) => ends.push(end)));
  const place = (text: string) => ({ name: 'x_event', mode: 'add', field: [valued('x_place', text)] });
  const english = { name: 'x_place', value: [{ value: 'a', lang: 'en_US' }] };
  await write(world, 'VX-2', [
    generic([english, { ...valued('x_note', 'a'), track: 'A1' }], [place('one'), place('two')]),
    { start: '0', end: '10', field: [valued('title', 'timed')] },
  ]);
  await prepare(world, [
    ask('POST /API/import/placeholder'),
    ...['VX-3', 'VX-4'].map((id) => ask(`POST /API/item/${id}/access`, { user: writer[0], permission: 'ALL' })),
    ask('POST /API/item/VX-4/metadata-lock?field=title', undefined, writer),
  ]);
  await sqlIn(
    world,
    "INSERT INTO item_lock (item_id, user_id, user, expires_at) SELECT 'VX-3', id, name, 9e15 FROM user WHERE name = ?",
    writer[0],
  );
  for (let count = 0; count < 2; count++) {
    const { jobId } = await start(world, sent('POST /API/import/raw?filename=twice.txt', 'bytes', {}, admin));
    await ended(world, jobId);
  }
});
afterAll(async () => {
  for (const end of ends) await end();
});

const long = (length: number, text = 'x') => text.repeat(length);
const utf16 = new Uint8Array([0xff, 0xfe, ...[...'itemId,title\n'].flatMap((letter) => [letter.charCodeAt(0), 0])]);
const latin = Uint8Array.from('itemId,title\nVX-1,caf\u00e9\n', (letter) => letter.charCodeAt(0));
const cut = new TextEncoder().encode('itemId,title\nVX-1,caf\u00e9').slice(0, -1);

type Broken = readonly [name: string, table: Sent['body'], query: string, ...expected: readonly string[]];

const named = (rows: readonly Broken[]) =>
  rows.map(([name, table, query, ...expected]) => ({ name, table, query, expected }));

const refused: readonly Broken[] = [
  ['an empty body', '', '', '400 body: Expected a table'],
  ['blank lines alone', '\r\n\n\n', '', '400 body: Expected a table'],
  ['heads without rows', 'itemId,title\n', '', '400 body: Expected a row below the heads: none'],
  ['one column', 'itemId\nVX-1\n', '', '400 body, row 1: Expected the heads of at least two columns: "itemId"'],
  [
    'another separator than the parameter',
    'itemId;title\nVX-1;a\n',
    'separator=comma',
    '400 body, row 1: Expected the heads of at least two columns: "itemId;title"',
  ],
  [
    'an unknown separator',
    'itemId|title\nVX-1|a\n',
    'separator=pipe',
    '400 parameter: Expected one of comma, semicolon, tab',
  ],
  ['UTF-16', utf16, '', '400 body: Expected a table in UTF-8'],
  ['Latin-1', latin, '', '400 body: Expected a table in UTF-8'],
  ['an end within a character', cut, '', '400 body: Expected a table in UTF-8'],
  [
    'a quote that does not end',
    'itemId,title\nVX-1,"a\nVX-2,b\n',
    '',
    '400 body, row 2: Expected a quote at the end of the value',
  ],
  [
    'a quote within a value',
    'itemId,title\nVX-1,a"b\n',
    '',
    '400 body, row 2: Expected quotes around the whole value, and two for each one in it',
  ],
  [
    'text behind a quote',
    'itemId,title\nVX-1,"a"b\n',
    '',
    '400 body, row 2: Expected quotes around the whole value, and two for each one in it',
  ],
  ['a NUL character', 'itemId,title\nVX-1,a\0b\n', '', '400 body, row 2: Expected values without a NUL character'],
  ['too many columns', `itemId${long(200, ',a')}\n`, '', '400 body, row 1: Expected at most 200 values in a row'],
  [
    'too long a head',
    `itemId,${long(2836)}\nVX-1,a\n`,
    '',
    `400 body, row 1: Expected heads of at most 2835 characters: "${long(79)}…"`,
  ],
  [
    'too long a row',
    `itemId,title\nVX-1,${long(2 * 1024 * 1024)}\n`,
    '',
    '400 body, row 2: Expected at most 2097152 characters in a row',
  ],
  [
    'a key column that is not there',
    'itemId,title\nVX-1,a\n',
    'keyColumn=Id',
    '400 parameter: Expected the head of a column of the table',
  ],
  [
    'an ignored column that is not there',
    'itemId,title\nVX-1,a\n',
    'ignore=Note',
    '400 parameter: Expected the head of a column of the table',
  ],
  [
    'a renamed column that is not there',
    'itemId,title\nVX-1,a\n',
    'field=x_note:Note',
    '400 parameter: Expected the head of a column of the table',
  ],
];

it.each(named(refused))('$name is refused before anything is kept', async ({ table, query, expected: [expected] }) => {
  const answer = await world.send(tableOf(table, query));
  const { context, explanation } = bodyOf<{ invalidInput: Record<string, string> }>(answer).invalidInput;
  expect(`${answer.status} ${context}: ${explanation}`).toBe(expected);
});

const table = (head: string, ...rows: readonly string[]) => `${[head, ...rows].join('\n')}\n`;
const cell = (field: string, text: string, item = 'VX-1') => table(`itemId,${field}`, `${item},${text}`);

const problems: readonly Broken[] = [
  [
    'an unknown head',
    table('itemId,Note', 'VX-1,a'),
    '',
    'row 1 Note: Expected the name of a field, or an ignored column. The nearest is x_note: "Note"',
  ],
  [
    'an unknown head that is like a field',
    table('itemId,titel', 'VX-1,a'),
    '',
    'row 1 titel: Expected the name of a field, or an ignored column. The nearest is title: "titel"',
  ],
  [
    'an unknown head that is like nothing',
    table('itemId,qqqqqqqq', 'VX-1,a'),
    '',
    'row 1 qqqqqqqq: Expected the name of a field, or an ignored column: "qqqqqqqq"',
  ],
  ['no head', table('itemId,title,', 'VX-1,a,b'), '', 'row 1: Expected the name of a field, or an ignored column: ""'],
  [
    'a head twice',
    table('itemId,title,title', 'VX-1,a,b'),
    '',
    'row 1 title: Expected each head once, or its columns ignored: "title"',
  ],
  [
    'an unknown group',
    table('itemId,x_party/x_note', 'VX-1,a'),
    '',
    'row 1 x_party/x_note: Expected a field group in front of "/", and there is no "x_party": "x_party/x_note"',
  ],
  [
    'a start without an end',
    table('itemId,start,x_note', 'VX-1,1,a'),
    '',
    'row 1 start: Expected the column "end" beside it: "start"',
  ],
  [
    'an end without a start',
    table('itemId,x_note,end', 'VX-1,a,1'),
    '',
    'row 1 end: Expected the column "start" beside it: "end"',
  ],
  [
    'too few values',
    table('itemId,title,x_note', 'VX-1,a'),
    '',
    'row 2: Expected 3 values, one for each head, and not 2: "VX-1"',
  ],
  [
    'too many values',
    table('itemId,title', 'VX-1,a,b'),
    '',
    'row 2: Expected 2 values, one for each head, and not 3: "VX-1"',
  ],
  [
    'more values than an item may have',
    cell('x_note', Array(50_001).fill('a').join('; ')),
    '',
    `row 2 x_note: Expected a row of at most 50000 values: "${'a; '.repeat(27).slice(0, 79)}…"`,
  ],
  ['no key', table('itemId,title', ',a'), '', 'row 2 itemId: Expected the id of an item, or an external id of one: ""'],
  [
    'an item that is not there',
    table('itemId,title', 'VX-999,a'),
    '',
    'row 2 itemId: Expected the id of an item, or an external id of one: "VX-999"',
  ],
  [
    'a key that is no id',
    table('itemId,title', 'the first one,a'),
    '',
    'row 2 itemId: Expected the id of an item, or an external id of one: "the first one"',
  ],
  [
    'an item twice',
    table('itemId,title', 'VX-1,a', 'VX-1,b'),
    '',
    'row 3: Expected each item once, or with other times: row 2 has it, too: "VX-1"',
  ],
  [
    'an item by its id and its external id',
    table('itemId,title', 'tape_1,a', 'VX-1,b'),
    '',
    'row 3: Expected each item once, or with other times: row 2 has it, too: "VX-1"',
  ],
  [
    'the same times twice',
    table('itemId,start,end,x_note', 'VX-1,25@PAL,50@PAL,a', 'VX-1,1,2,b'),
    '',
    'row 3: Expected each item once, or with other times: row 2 has it, too: "VX-1"',
  ],
  [
    'a time that is none',
    table('itemId,start,end,x_note', 'VX-1,noon,1,a'),
    '',
    'row 2 start: Expected a time code such as 250@PAL, 3.5, -INF or +INF: "noon"',
  ],
  [
    'an end ahead of its start',
    table('itemId,start,end,x_note', 'VX-1,2,1,a'),
    '',
    'row 2 end: Expected an end that is no earlier than 2: "1"',
  ],
  [
    'no number',
    cell('x_count', 'many'),
    '',
    'row 2 x_count: Expected a whole number from -2147483648 to 2147483647: "many"',
  ],
  ['too small a number', cell('x_count', '0'), '', 'row 2 x_count: Expected at least 1: "0"'],
  ['too large a number', cell('x_count', '101'), '', 'row 2 x_count: Expected at most 100: "101"'],
  [
    'a fraction',
    cell('x_count', '1.5'),
    '',
    'row 2 x_count: Expected a whole number from -2147483648 to 2147483647: "1.5"',
  ],
  ['a number of another country', cell('x_rate', '"1,5"'), '', 'row 2 x_rate: Expected a decimal number: "1,5"'],
  [
    'a date of another country',
    cell('x_when', '31.01.2030'),
    '',
    'row 2 x_when: Expected an ISO 8601 date, or date and time: "31.01.2030"',
  ],
  [
    'a day that no month has',
    cell('x_when', '2030-02-31'),
    '',
    'row 2 x_when: Expected an ISO 8601 date, or date and time: "2030-02-31"',
  ],
  ['neither true nor false', cell('x_fine', 'perhaps'), '', 'row 2 x_fine: Expected true or false: "perhaps"'],
  ['no time code', cell('x_at', 'noon'), '', 'row 2 x_at: Expected a time code such as 250@PAL or 3.5: "noon"'],
  ['too long a text', cell('x_code', 'ABCD'), '', 'row 2 x_code: Expected at most 3 characters: "ABCD"'],
  ['a text of another form', cell('x_code', 'ab'), '', 'row 2 x_code: Expected a text that matches [A-Z]+: "ab"'],
  [
    'the second of several values',
    cell('x_count', '7; eight'),
    '',
    'row 2 x_count: Expected a whole number from -2147483648 to 2147483647: "eight"',
  ],
  [
    'several values in one',
    cell('x_count', '7; 8'),
    'values=one',
    'row 2 x_count: Expected a whole number from -2147483648 to 2147483647: "7; 8"',
  ],
  [
    'a formula that is no number',
    cell('x_count', '=1+1'),
    '',
    'row 2 x_count: Expected a whole number from -2147483648 to 2147483647: "=1+1"',
  ],
  [
    'a field of the service',
    cell('created', '2031-01-01'),
    '',
    'row 2 created: Expected the value that the item has: the service alone writes this field: "2031-01-01"',
  ],
  [
    'a computed field',
    cell('__metadata_last_modified', '2031-01-01'),
    '',
    'row 2 __metadata_last_modified: Expected the value that the item has: the service alone writes this field: "2031-01-01"',
  ],
  [
    'values with a language',
    cell('x_place', 'b', 'VX-2'),
    '',
    'row 2 x_place: Expected values without a language in the item: "b"',
  ],
  [
    'values of a track',
    cell('x_note', 'b', 'VX-2'),
    '',
    'row 2 x_note: Expected a field without tracks in the item: "b"',
  ],
  [
    'a group that is there twice',
    cell('x_event/x_place', 'b', 'VX-2'),
    '',
    'row 2 x_event/x_place: Expected at most one group "x_event" in the item, which has 2: "b"',
  ],
  [
    'a value with a time',
    cell('title', 'b', 'VX-2'),
    '',
    'row 2 title: Expected a column for each place of the values in the item: "group/title", or columns start and end: "b"',
  ],
  [
    'an item that somebody has locked',
    cell('title', 'b', 'VX-3'),
    '',
    'row 2: Expected an item that nobody else has locked: "VX-3"',
  ],
  [
    'a field that somebody has locked',
    cell('title', 'b', 'VX-4'),
    '',
    'row 2: Another user holds a lock on these fields: wait until it expires: "VX-4"',
  ],
  [
    'a file name of nobody',
    table('File,title', 'none.txt,a'),
    'key=filename',
    'row 2 File: Expected the file name of an item that you may read: "none.txt"',
  ],
  [
    'a file name of two items',
    table('File,title', 'twice.txt,a'),
    'key=filename',
    'row 2 File: Expected a file name that one item has: several have it: "twice.txt"',
  ],
  [
    'an item that is not there, with a wrong value',
    table('itemId,x_count,created', 'VX-999,many,2031-01-01'),
    '',
    'row 2 itemId: Expected the id of an item, or an external id of one: "VX-999"',
    'row 2 x_count: Expected a whole number from -2147483648 to 2147483647: "many"',
  ],
  [
    'several problems at once',
    table('itemId,titel,x_count,x_fine', 'VX-1,a,b,c', 'VX-9,a,1,true'),
    '',
    'row 1 titel: Expected the name of a field, or an ignored column. The nearest is title: "titel"',
    'row 2 x_count: Expected a whole number from -2147483648 to 2147483647: "b"',
    'row 2 x_fine: Expected true or false: "c"',
    'row 3 itemId: Expected the id of an item, or an external id of one: "VX-9"',
  ],
];

it.each(named(problems))('$name has its sentence, and nothing changes', async ({ table: text, query, expected }) => {
  const before = await world.sequence();
  const { status, problem = [], problems: count } = await imported(world, text as string, query);
  const lines = problem.map(({ row, column, value = '', expected: says }) => {
    return `row ${row}${column === undefined ? '' : ` ${column}`}: ${says}: "${value}"`;
  });
  expect(lines).toEqual(expected);
  expect([status, count]).toEqual(['FAILED_TOTAL', expected.length]);
  expect(await metadataEvents(world, before)).toEqual([]);
});

it('the table of broken tables is no shorter than promised', () => {
  expect(refused.length + problems.length).toBeGreaterThanOrEqual(50);
});
