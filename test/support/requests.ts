import type { Store } from '../../src/core/store/store.ts';
import type { MemoryFolder } from '../../src/kit/testing/storage/memory-storage.ts';
import type { Answer, Sent } from './matrix.ts';
import { admin, type Credentials } from './service.ts';

/** Requests as tests of all rooms send them, and what lies behind the answers. */

export const json = { accept: 'application/json' };
export const xml = { accept: 'application/xml' };
export const plain = { accept: 'text/plain' };

/** By the administrator, with answers as JSON. */
export const by = (request: string, body?: Sent['body'], headers: Sent['headers'] = json, as = admin) => ({
  as,
  request,
  body,
  headers,
});

type Ask = (request: string, body?: Sent['body'], as?: Credentials) => Sent;

/** Requests of one person, with answers as JSON. A row may name another person. */
export const asking =
  (person: Credentials): Ask =>
  (request, body, as = person) => ({ as, headers: json, request, ...(body !== undefined && { body }) });

/** Requests of the administrator, or of the person that a row names, with answers as JSON. */
export const ask = asking(admin);

interface Asked {
  send(sent: Sent): Promise<Answer>;
}

/** The answer of a request that must succeed. */
export async function send(world: Asked, sent: Sent): Promise<Answer> {
  const answer = await world.send(sent);
  if (answer.status >= 300) throw new Error(`${sent.request}: ${answer.status} ${answer.body}`);
  return answer;
}

/** JSON of a successful answer; an empty object where it has no body. */
export async function done<T = Record<string, unknown>>(world: Asked, sent: Sent): Promise<T> {
  const answer = await send(world, sent);
  return (answer.body === '' ? {} : bodyOf(answer)) as T;
}

export const jsonOf = <T = Record<string, unknown>>(world: Asked, request: string, as = admin): Promise<T> =>
  done<T>(world, by(request, undefined, json, as));

export const bodyOf = <T = Record<string, unknown>>({ body }: Pick<Answer, 'body'>): T => JSON.parse(body) as T;

interface Served {
  readonly service: { readonly store: Store };
}

/** All rows of a table. */
export async function rowsOf({ service: { store } }: Served, table: string): Promise<Record<string, unknown>[]> {
  const columns = (await store.read(`SELECT name FROM pragma_table_info('${table}')`)).map(([name]) => String(name));
  const rows = await store.read(`SELECT * FROM ${table}`);
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
}

/** Changes rows behind the back of the service. */
export const sqlIn = ({ service }: Served, sql: string, ...args: readonly (string | number | null)[]) =>
  service.store.commit({ changes: [{ sql, args: [...args] }], events: [] }, { user: 'test' });

export function textAt(place: MemoryFolder, path: string): string | undefined {
  const file = place.files.get(path);
  return file && new TextDecoder().decode(file.bytes);
}
