import { type MemoryStorage, memoryStorage } from '../../src/kit/testing/storage/memory-storage.ts';
import { newUser } from '../support/cast.ts';
import { testClock } from '../support/clock.ts';
import type { Answer, Entry, Sent, World } from '../support/matrix.ts';
import { storageRows } from '../support/media.ts';
import { prepare } from '../support/scenario.ts';
import type { Credentials, ServiceOptions } from '../support/service.ts';
import { memoryPlugin } from '../support/service.ts';

export interface FilesWorld extends World {
  readonly storage: MemoryStorage;
}

export const librarian: Credentials = ['librarian', 'password of librarian'];
export const viewer: Credentials = ['viewer', 'password of viewer'];

/** The storages VX-1 and VX-2 in memory, one user who may write files and one who may read them. */
export async function openFiles(entry: Entry, options: ServiceOptions = {}): Promise<FilesWorld> {
  const clock = options.clock ?? testClock();
  const storage = memoryStorage(() => clock.now());
  const world = await entry.open({ ...options, clock, plugins: [memoryPlugin(storage)] });
  await storageRows(world);
  await storageRows(world, { id: 'VX-2', uri: 'memory:///out/' });
  await prepare(world, [newUser(librarian, ['_file_write', '_file_read']), newUser(viewer, ['_file_read'])]);
  return { ...world, storage };
}

export const json = { accept: 'application/json' };

/** A request of the librarian, answered in JSON. */
export const ask = (request: string, body?: Sent['body']): Sent => ({
  as: librarian,
  headers: json,
  request,
  ...(body !== undefined && { body }),
});

/** Registers a file of VX-1. */
export const register = (path: string, more: Readonly<Record<string, string>> = {}, storage = 'VX-1'): Sent =>
  ask(`POST /API/storage/${storage}/file?${new URLSearchParams({ path, ...more })}`);

/** So many files, one behind the other: their ids are VX-1, VX-2, … */
export const registered = (...paths: readonly string[]): readonly Sent[] =>
  paths.map((path) => register(path, { state: 'CLOSED' }));

export const bodyOf = (answer: Answer): Record<string, unknown> => JSON.parse(answer.body) as Record<string, unknown>;

/** What components say of files: items make such rows. */
export async function useFile({ service }: Pick<World, 'service'>, file: string, ...uses: readonly string[]) {
  const changes = uses.map((use) => {
    const [item, shape, component] = use.split(' ');
    return {
      sql: 'INSERT INTO file_use (file_id, item_id, shape_id, component_id) VALUES (?, ?, ?, ?)',
      args: [file, item!, shape!, component!],
    };
  });
  await service.store.commit({ changes, events: [] }, { user: 'test' });
}

export const rowsOf = async ({ service: { store } }: Pick<World, 'service'>, table: string) => {
  const columns = (await store.read(`SELECT name FROM pragma_table_info('${table}')`)).map(([name]) => String(name));
  const rows = await store.read(`SELECT * FROM ${table}`);
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
};
