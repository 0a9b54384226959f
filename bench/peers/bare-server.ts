import { createHash, randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import Database from 'libsql';
import { type Values, valuesOf } from './values.ts';

/**
 * The least that could do the same work: Hono, prepared statements, documents as text, and the rows that Portico writes.
 * `bare-server.ts FOLDER PORT [ITEMS]`: with ITEMS it fills its database and ends.
 */
const [folder, port, items] = process.argv.slice(2) as [string, string, string | undefined];
const database = new Database(join(folder, 'bare.db'));
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS user (name TEXT PRIMARY KEY, enabled INTEGER) WITHOUT ROWID;
  INSERT OR IGNORE INTO user VALUES ('erin', 1);
  CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, created INTEGER, genre TEXT, colour TEXT, doc TEXT);
  CREATE INDEX IF NOT EXISTS item_genre ON item (genre);
  CREATE TABLE IF NOT EXISTS value (item INTEGER, field TEXT, value TEXT, PRIMARY KEY (item, field)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS value_value ON value (field, value);
  CREATE TABLE IF NOT EXISTS change (id INTEGER PRIMARY KEY, item INTEGER, at INTEGER, doc TEXT);
  CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, item INTEGER, at INTEGER, name TEXT);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, content = '');
`);

const prepare = (sql: string) => database.prepare(sql);
const statements = {
  begin: prepare('BEGIN IMMEDIATE'),
  commit: prepare('COMMIT'),
  user: prepare('SELECT enabled FROM user WHERE name = ?').raw(),
  add: prepare('INSERT INTO item (created, genre, colour, doc) VALUES (?, ?, ?, ?)'),
  addTitle: prepare('INSERT INTO words (rowid, title) VALUES (?, ?)'),
  addValue: prepare('INSERT INTO value VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'),
  addChange: prepare('INSERT INTO change (item, at, doc) VALUES (?, ?, ?)'),
  addEvent: prepare('INSERT INTO event (item, at, name) VALUES (?, ?, ?)'),
  doc: prepare('SELECT doc FROM item WHERE id = ?').raw(),
  setDoc: prepare('UPDATE item SET doc = ? WHERE id = ?'),
  list: prepare('SELECT doc FROM item ORDER BY id LIMIT 50').raw(),
  ids: prepare('SELECT id FROM item ORDER BY id LIMIT 50').raw(),
  count: prepare('SELECT count(*) FROM item').raw(),
};
const hits = 'FROM words CROSS JOIN item ON item.id = words.rowid WHERE words MATCH ? AND genre = ?';
const searches = {
  docs: prepare(`SELECT doc ${hits} ORDER BY id LIMIT 50`).raw(),
  ids: prepare(`SELECT id ${hits} ORDER BY id LIMIT 50`).raw(),
  count: prepare(`SELECT count(*) ${hits}`).raw(),
  colours: prepare(`SELECT colour, count(*) ${hits} GROUP BY colour`).raw(),
};

const caller = 'erin';
const field = (name: string, value: string) => {
  const by = { uuid: randomUUID(), user: caller, timestamp: new Date().toISOString(), change: 'VX-1' };
  return { name, value: [{ value, ...by }], ...by };
};
type Fields = ReturnType<typeof field>[];
const docOf = (fields: Fields) => ({ metadata: { timespan: [{ start: '-INF', end: '+INF', field: fields }] } });

function write(item: number | undefined, values: Partial<Values>): number {
  const fields = Object.entries(values).map(([name, value]) => field(name, value));
  const now = Date.now();
  let id = item;
  if (id === undefined) {
    const { genre = '', colour = '' } = values;
    id = Number(statements.add.run(now, genre, colour, JSON.stringify(docOf(fields))).lastInsertRowid);
    statements.addTitle.run(id, values.title ?? '');
  } else {
    const [text] = statements.doc.get(id) as [string];
    const doc = JSON.parse(text) as ReturnType<typeof docOf>;
    const span = doc.metadata.timespan[0]!;
    span.field = [...span.field.filter(({ name }) => !Object.hasOwn(values, name)), ...fields];
    statements.setDoc.run(JSON.stringify(doc), id);
  }
  for (const [name, value] of Object.entries(values)) statements.addValue.run(id, name, value);
  statements.addChange.run(id, now, JSON.stringify(values));
  statements.addEvent.run(id, now, item === undefined ? 'item/create' : 'metadata/modify');
  return id;
}

function commit(item: number | undefined, values: Partial<Values>): number {
  statements.begin.run();
  const id = write(item, values);
  statements.commit.run();
  return id;
}

const json = (context: Context, text: string) => context.body(text, 200, { 'content-type': 'application/json' });
const joined = (rows: unknown[]) => `[${(rows as [string | number][]).map(([one]) => one).join(',')}]`;
const first = (row: unknown) => (row as [number])[0];

const verified = new Map([
  [`Basic ${btoa('erin:bench-erin')}`, caller],
  ['token bench', caller],
]);
const app = new Hono<{ Bindings: HttpBindings }>();
app.use(async (context, next) => {
  const name = verified.get(context.req.header('authorization') ?? '');
  const row = name === undefined ? undefined : statements.user.get(name);
  if (row === undefined || first(row) !== 1) return context.body(null, 401);
  return next();
});
app.get('/whoami', (context) => context.text(caller));
app.post('/item', async (context) => json(context, `{"id":${commit(undefined, await context.req.json())}}`));
app.get('/item/:id', (context) => {
  const row = statements.doc.get(context.req.param('id')) as [string] | undefined;
  return row ? json(context, row[0]) : context.body(null, 404);
});
app.put('/item/:id', async (context) => {
  const id = Number(context.req.param('id'));
  commit(id, await context.req.json());
  return json(context, (statements.doc.get(id) as [string])[0]);
});
app.get('/item', (context) => {
  const rows = (context.req.query('ids') ? statements.ids : statements.list).all();
  const counted = context.req.query('count') === 'false' ? '' : `"hits":${first(statements.count.get())},`;
  return json(context, `{${counted}"item":${joined(rows)}}`);
});
app.put('/item', async (context) => {
  const { word, genre, ids, facet } = await context.req.json();
  const rows = (ids ? searches.ids : searches.docs).all(word, genre);
  const groups = facet ? JSON.stringify(searches.colours.all(word, genre)) : '[]';
  return json(context, `{"hits":${first(searches.count.get(word, genre))},"facet":${groups},"item":${joined(rows)}}`);
});
app.post('/file', async (context) => {
  const hash = createHash('sha1');
  const target = await open(join(folder, 'file'), 'w');
  for await (const piece of context.env.incoming) {
    hash.update(piece);
    await target.write(piece);
  }
  await target.datasync();
  await target.close();
  return context.text(hash.digest('hex'));
});
app.get('/file', async (context) => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(context.req.header('range') ?? '') ?? [];
  const source = await open(join(folder, 'file'));
  const bytes = Buffer.allocUnsafe(Number(to) - Number(from) + 1);
  await source.read(bytes, 0, bytes.length, Number(from));
  await source.close();
  return context.body(bytes, 206, { 'content-type': 'application/octet-stream' });
});

if (items === undefined) {
  createServer(getRequestListener(app.fetch)).listen(Number(port), '127.0.0.1');
} else {
  statements.begin.run();
  for (let serial = 0; serial < Number(items); serial++) write(undefined, valuesOf(serial));
  statements.commit.run();
  database.close();
}
