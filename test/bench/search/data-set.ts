import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { fieldNumber } from '../../../src/assets/search/index/keys.ts';
import { fillSlice } from '../../../src/assets/search/index/order-sql.ts';
import { hashOf } from '../../../src/core/store/migrations.ts';
import { extensions, migrations } from '../../support/migrated.ts';
import { initialise, startService } from '../runtimes.ts';
import { fieldNames, fieldTypes, leafOf, perLeaf, sortable, valuesOf } from './content.ts';
import { bound, rowsOf, writeItems } from './fill.ts';
import { type ItemMarks, rowTemplatesOf } from './row-templates.ts';

/** A root of the service with many items, which the bench asks. */
export interface DataSet {
  readonly root: string;
  readonly items: number;
  readonly leaves: number;
  /** Collections with all items, with half of them, and with 1 percent. */
  readonly all: string;
  readonly half: string;
  readonly one: string;
  /** A collection with 100,000 items below it, and all of those that it has. */
  readonly large: string;
  readonly largeItems: number;
  remove(): Promise<void>;
}

export const password = 'bench';
export const authorizationOf = (name: string): string => `Basic ${btoa(`${name}:${password}`)}`;

const owners = ['owner-0', 'owner-1', 'owner-2', 'owner-3'];
/** Readers of 1 percent, of half and of all items, and one who gets an entry in the bench. */
export const readers = {
  one: 'reader-of-one',
  half: 'reader-of-half',
  all: 'reader-of-all',
  late: 'reader-at-last',
} as const;
const roles = ['_item_search', '_item_read', '_collection_read', '_metadata_read'];
const largest = 100_000;

/** Serials begin so high, by what counts them: texts that hold two of them are told apart. */
const firstSerials = {
  item: 4_000_001,
  shape: 5_000_001,
  component: 6_000_001,
  access: 7_000_001,
  'change-set': 8_000_001,
};
/** The number of the item at the first place. */
export const firstItem = 4_200_000;
const changeSets = 3;

type Ask = (method: string, path: string, body?: object) => Promise<Readonly<Record<string, string>>>;

/**
 * A copy of the data set, which the bench may change. What is copied is made once in a run, or once for all runs of the
 * same schema in the folder `PORTICO_BENCH_DATA`.
 */
export async function openDataSet(items: number, leaves = items / perLeaf): Promise<DataSet> {
  const folder = process.env['PORTICO_BENCH_DATA'] ?? folderOfRun();
  const source = join(folder, `search-${items}-${leaves}-${await digest()}`);
  const root = await mkdtemp(join(folder, 'portico-bench-'));
  if (!existsSync(source)) {
    await make(root, items, leaves);
    await rename(root, source);
  }
  await cp(source, root, { recursive: true });
  return describe(root, items, leaves);
}

let ofRun: string | undefined;

function folderOfRun(): string {
  if (ofRun !== undefined) return ofRun;
  const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  ofRun = folder;
  return folder;
}

async function digest(): Promise<string> {
  const hash = createHash('sha256');
  for (const migration of [migrations, ...extensions.map((each) => each.migrations)].flat()) {
    hash.update(await hashOf(migration));
  }
  for (const name of ['content', 'data-set', 'fill', 'row-templates']) {
    hash.update(readFileSync(new URL(`${name}.ts`, import.meta.url)));
  }
  return hash.digest('hex').slice(0, 12);
}

function describe(root: string, items: number, leaves: number): DataSet {
  const database = new Database(join(root, 'portico.db'));
  const idOf = (name: string) => {
    const sql = `SELECT owner_id FROM metadata_state WHERE owner_type = 'collection' AND instr(doc, ?) > 0`;
    return String(
      (
        database
          .prepare(sql)
          .raw(true)
          .get([`"${name}"`]) as string[]
      )[0],
    );
  };
  const tenth = items / 10 >= largest;
  const set = {
    all: idOf('bench-all'),
    half: idOf('bench-half-0'),
    one: idOf('bench-hundredth-0'),
    large: idOf(tenth ? 'bench-tenth-9' : 'bench-all'),
  };
  database.close();
  const largeItems = tenth ? items / 10 : items;
  const remove = () => rm(root, { recursive: true, force: true });
  return { ...set, root, items, leaves, largeItems, remove };
}

async function make(root: string, items: number, count: number): Promise<void> {
  await initialise('node', root);
  const path = join(root, 'portico.db');
  const serials = new Database(path);
  for (const [entity, next] of Object.entries(firstSerials)) {
    const sql = 'INSERT INTO serial (entity, next) VALUES (?1, ?2) ON CONFLICT (entity) DO UPDATE SET next = ?2';
    serials.prepare(sql).run([entity, BigInt(next)]);
  }
  serials.close();
  const { port, stop } = await startService('node', root);
  const ask = askerAt(port);
  for (const name of fieldNames) await ask('PUT', `/metadata-field/${name}`, { type: fieldTypes[name] });
  for (const name of [...owners, ...Object.values(readers)]) {
    const groupList = { group: roles.map((groupName) => ({ groupName })) };
    await ask('POST', '/user?passwordType=raw', { userName: name, password, groupList });
  }
  const leaves = await makeCollections(ask, count);
  const aside = (await ask('POST', '/collection?name=bench-aside'))['id']!;
  const made = [];
  // By these the bulk writes: the first of each pair of tags has values that no other text has.
  for (const tags of ['original', 'original,lowres']) {
    for (const values of [distinctValues, ...checkedPlaces.map((place) => valuesOf(place, items))]) {
      const field = fieldNames.map((name, at) => ({ name, value: [{ value: values[at] }] }));
      const { id } = await ask('POST', `/import/placeholder?container=1&importTag=${tags}`, { timespan: [{ field }] });
      await ask('PUT', `/collection/${aside}/${id}`);
      made.push({ id: id!, values });
    }
  }
  await stop();
  await fill(path, items, made, leaves, aside);
}

const checkedPlaces = [1_000_000_001, 1_000_000_002];
const distinctValues = fieldNames.map((name, at) => {
  const type = fieldTypes[name]!;
  if (type.startsWith('integer')) return String(1_900_000_000 + at);
  return type.startsWith('date') ? new Date(Date.UTC(2001, 0, 1 + at)).toISOString() : `marker ${'z'.repeat(at + 1)}q`;
});

function askerAt(port: number): Ask {
  return async (method, path, body) => {
    const headers = { authorization: authorizationOf('admin'), accept: 'application/json' };
    const json = { ...headers, 'content-type': 'application/json' };
    const sent = body ? { headers: json, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(`http://127.0.0.1:${port}/API${path}`, { method, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Expected 200 from ${method} ${path}: ${answer.status} ${text}`);
    return text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {};
  };
}

/** All, two halves, ten tenths, a hundred hundredths, and the leaves in which the items are. Gives those. */
async function makeCollections(ask: Ask, leaves: number): Promise<readonly string[]> {
  const make = async (name: string, above?: string): Promise<string> => {
    const { id } = await ask('POST', `/collection?name=${name}`);
    if (above !== undefined) await ask('PUT', `/collection/${above}/${id}?type=collection`);
    return id!;
  };
  const all = await make('bench-all');
  const row = async (name: string, count: number, above: readonly string[]) => {
    const ids: string[] = [];
    for (let at = 0; at < count; at++)
      ids.push(await make(`bench-${name}-${at}`, above[Math.floor((at * above.length) / count)]!));
    return ids;
  };
  const halves = await row('half', 2, [all]);
  const hundredths = await row('hundredth', 100, await row('tenth', 10, halves));
  const permission = { permission: 'READ' };
  await ask('POST', `/collection/${hundredths[0]}/access`, { ...permission, user: readers.one });
  await ask('POST', `/collection/${halves[0]}/access`, { ...permission, user: readers.half });
  await ask('POST', `/collection/${all}/access`, { ...permission, user: readers.all });
  return row('leaf', leaves, hundredths);
}

function expectSameRows(mine: string, its: string): void {
  if (mine === its) return;
  const at = Array.from(mine).findIndex((character, index) => character !== its[index]);
  const [one, other] = [mine, its].map((text) => text.slice(Math.max(at - 100, 0), at + 100));
  throw new Error(`Expected the rows that the service writes, such as "${other}": found "${one}"`);
}

type Made = { readonly id: string; readonly values: readonly string[] };

async function fill(
  path: string,
  items: number,
  made: readonly Made[],
  leaves: readonly string[],
  aside: string,
): Promise<void> {
  const database = new Database(path);
  for (const pragma of ['synchronous = OFF', 'cache_size = -600000', 'wal_autocheckpoint = 100000']) {
    database.exec(`PRAGMA ${pragma}`);
  }
  const userId = (name: string) =>
    String((database.prepare('SELECT id FROM user WHERE name = ?').raw(true).get([name]) as string[])[0]);
  for (const name of sortable) {
    const sql = `INSERT INTO search_ordered (name, field, state, position) VALUES (?, ?, 'ready', 0)
      ON CONFLICT (name) DO UPDATE SET state = 'ready'`;
    const field = fieldNumber(name);
    database.prepare(sql).run([name, BigInt(field)]);
    const places = fillSlice({ field, from: 0, below: Number.MAX_SAFE_INTEGER });
    database.prepare(places.sql).run(places.args.map(bound));
  }
  database.exec("UPDATE metadata_field SET used = 1 WHERE name GLOB 'b_*'");
  const marksOf = ({ id, values }: Made): ItemMarks => {
    const one = (sql: string) => database.prepare(sql).raw(true).all([id]) as [string | number][];
    const ids = [
      ...one(`SELECT id FROM access_entry WHERE entity_type = 'item' AND entity_id = ?`),
      ...one('SELECT id FROM shape WHERE item_id = ?'),
      ...one('SELECT id FROM component WHERE shape_id = (SELECT id FROM shape WHERE item_id = ?)'),
      ...one(`SELECT id FROM metadata_change_set WHERE owner_type = 'item' AND owner_id = ? ORDER BY serial`),
    ].map(([each]) => String(each));
    if (ids.length !== 3 + changeSets)
      throw new Error(`Expected ${3 + changeSets} ids of ${id}: found "${ids.join()}"`);
    const time = Number(one('SELECT created_at FROM item WHERE id = ?')[0]![0]);
    const serial = Number(id.slice(3));
    return { id, serial, values, ids, owner: userId('admin'), collection: aside, time, position: 0 };
  };
  const [plain, tagged] = [made.slice(0, made.length / 2), made.slice(made.length / 2)];
  const templates = [plain, tagged].map(([first]) => rowTemplatesOf(database, marksOf(first!)));
  const users = owners.map(userId);
  let serial = firstItem - 2 * checkedPlaces.length;
  const numbered = (
    values: readonly string[],
    owner: string,
    collection: string,
    position: number,
    time: number,
  ): ItemMarks => {
    const at = serial++;
    // Behind the ids of what the service made.
    const more = at - firstSerials.item;
    const { shape, component, access, 'change-set': change } = firstSerials;
    const sets = Array.from({ length: changeSets }, (_, each) => `VX-${change + more * changeSets + each}`);
    const ids = [`VX-${access + more}`, `VX-${shape + more}`, `VX-${component + more}`, ...sets];
    return { id: `VX-${at}`, serial: at, values, ids, owner, collection, time, position: position * 2 ** 20 };
  };
  const now = Date.now();
  for (const [each, template] of [[plain, templates[0]!] as const, [tagged, templates[1]!] as const]) {
    const checked = each.slice(1).map(({ values }, at) => numbered(values, userId('admin'), aside, 100 + at, now));
    await writeItems(database, template, checked);
    for (const [at, marks] of checked.entries()) {
      const [mine, its] = [marks, marksOf(each[at + 1]!)].map((one) => rowsOf(database, one));
      expectSameRows(mine!, its!);
    }
  }
  // A tenth of the items has the second tag: the templates take turns by slices, as the index goes by numbers.
  const slice = 1000;
  for (let from = 0; from < items; from += slice) {
    const some = Array.from({ length: Math.min(slice, items - from) }, (_, at) => {
      const place = from + at;
      const leaf = leaves[leafOf(place, leaves.length)]!;
      const time = now - (items - place) * 60_000;
      return numbered(
        valuesOf(place, items),
        users[place % users.length]!,
        leaf,
        Math.floor(place / leaves.length),
        time,
      );
    });
    await writeItems(database, templates[(from / slice) % 10 === 0 ? 1 : 0]!, some);
  }
  database.exec(
    `UPDATE serial SET next = 100000000 WHERE entity IN ('item', 'shape', 'component', 'access', 'change-set')`,
  );
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
