import { join } from 'node:path';
import Database from 'libsql';
import { type RuntimeName, type Started, startService } from './runtimes.ts';

/** Roots of instances with as many items as a bench needs. */

export const authorization = `Basic ${btoa('admin:bench')}`;
export const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' };

export async function ask(
  { port }: Pick<Started, 'port'>,
  request: string,
  body?: unknown,
  accept = 'application/json',
  login = authorization,
): Promise<string> {
  const [method, path] = request.split(' ') as [string, string];
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, accept, authorization: login },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`Expected ${request} to be answered: ${answer.status} ${text}`);
  return text;
}

/** The texts of an answer, by name. */
export const askJson = async (...question: Parameters<typeof ask>): Promise<Record<string, string>> =>
  JSON.parse(await ask(...question));

/** A user in the group `editor`. Gives the header of the login. */
export async function makeEditor(server: Started): Promise<string> {
  await ask(server, 'PUT /APIinit/groups', undefined, '*/*');
  await ask(server, 'POST /API/user', { userName: 'erin', password: 'bench-erin' }, '*/*');
  await ask(server, 'PUT /API/group/editor/user/erin', undefined, '*/*');
  return `Basic ${btoa('erin:bench-erin')}`;
}

const fieldOf = (at: number): string => `bench_field${at}`;

/** Fields from `first` on, each with a value that no other turn gives. */
export const metadataOf = (count: number, turn: number | string, first = 0) => ({
  timespan: [
    {
      start: '-INF',
      end: '+INF',
      field: Array.from({ length: count }, (_, at) => ({
        name: fieldOf(first + at),
        value: [{ value: `the value ${first + at} of turn ${turn}` }],
      })),
    },
  ],
});

/** All of `items`, so many at once. */
export async function each(items: number, work: (item: number) => Promise<unknown>, atOnce = 32): Promise<void> {
  let next = 0;
  const go = async () => {
    while (next < items) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, go));
}

/** An instance with so many text fields, and one item with three values. Gives the id of the item. */
export async function prepareRoot(runtime: RuntimeName, root: string, fields: number): Promise<string> {
  const server = await startService(runtime, root);
  await each(fields, (at) => ask(server, `PUT /API/metadata-field/${fieldOf(at)}`, { type: 'string' }));
  const { id } = await askJson(server, 'POST /API/import/placeholder', metadataOf(3, 'first'));
  await server.stop();
  return id!;
}

/** The database of a root whose server has stopped, as fast as it goes. Nothing is durable before it ends. */
export function fill(root: string, work: (run: Run, database: Database.Database) => void): void {
  const database = new Database(join(root, 'portico.db'));
  database.exec('PRAGMA synchronous = OFF');
  database.exec('PRAGMA cache_size = -400000');
  database.exec('BEGIN');
  work((sql, ...args) => void database.prepare(sql).run(args.map(whole)), database);
  database.exec('COMMIT');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

type Run = (sql: string, ...args: (string | number)[]) => void;

/** The binding stores a number as a float, of which an id would be made. */
const whole = (value: string | number) => (typeof value === 'number' ? BigInt(value) : value);

/** Without triggers that the rows do not need, because they say what the triggers would. */
export function without(database: Database.Database, triggers: readonly string[], work: () => void): void {
  const sql = triggers.map((name) => {
    const [text] = database.prepare(`SELECT sql FROM sqlite_master WHERE name = ?`).raw().get([name]) as [string];
    database.exec(`DROP TRIGGER ${name}`);
    return text;
  });
  work();
  for (const text of sql) database.exec(text);
}

/** The number of the first item that `addItems` makes: all of them have as many digits, so that ids are in order. */
export const firstItem = 1_000_000;
export const itemAt = (at: number): string => `VX-${firstItem + at}`;

const upTo = 'WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)';

/** Items like one that is there, with its owner and, when wanted, its metadata. */
export function addItems(root: string, like: string, count: number, metadata: boolean): void {
  const range = [firstItem, firstItem + count - 1] as const;
  fill(root, (run, database) => {
    without(database, ['access_item_granted'], () => {
      run(
        `${upTo} INSERT INTO item (id, serial, created_at, context)
          SELECT 'VX-' || i, i, created_at, context FROM n CROSS JOIN item WHERE id = ?3`,
        ...range,
        like,
      );
      run(
        `${upTo} INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority,
            applies_to, reach)
          SELECT entity_type, 'VX-' || i, id, i, user_id, permission, priority, applies_to, reach
          FROM n CROSS JOIN access_entry WHERE entity_type = 'item' AND entity_id = ?3`,
        ...range,
        like,
      );
      if (!metadata) return;
      run(
        `${upTo} INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
          SELECT owner_type, 'VX-' || i, version, newest, changed_at, doc
          FROM n CROSS JOIN metadata_state WHERE owner_type = 'item' AND owner_id = ?3`,
        ...range,
        like,
      );
    });
  });
}
