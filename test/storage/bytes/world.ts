import {
  type MemoryFolder,
  type MemoryStorage,
  memoryStorage,
} from '../../../src/kit/testing/storage/memory-storage.ts';
import type { StorageScheme } from '../../../src/spi/index.ts';
import { newUser } from '../../support/cast.ts';
import { testClock } from '../../support/clock.ts';
import type { Answer, Entry, Sent, World } from '../../support/matrix.ts';
import { storageRows } from '../../support/media.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials, ServiceOptions } from '../../support/service.ts';
import { memoryPlugin } from '../../support/service.ts';

export interface BytesWorld extends World {
  readonly storage: MemoryStorage;
  /** What lies in the storage VX-1. */
  readonly place: MemoryFolder;
}

export const uploader: Credentials = ['uploader', 'password of uploader'];
export const other: Credentials = ['other', 'password of other'];
export const viewer: Credentials = ['viewer', 'password of viewer'];

export interface BytesOptions extends ServiceOptions {
  /** The storage in memory, as the service gets it. */
  scheme?(inner: StorageScheme): StorageScheme;
}

/** A service with the storage VX-1 in memory, two people who upload and one who reads. */
export async function openBytesWorld(
  entry: Entry,
  { scheme = (inner) => inner, ...options }: BytesOptions = {},
): Promise<BytesWorld> {
  const clock = options.clock ?? testClock();
  const storage = memoryStorage(() => clock.now());
  const world = await entry.open({ ...options, clock, plugins: [memoryPlugin(scheme(storage))] });
  await storageRows(world);
  await prepare(world, [
    newUser(uploader, ['_file_write', '_file_read']),
    newUser(other, ['_file_write', '_file_read']),
    newUser(viewer, ['_file_read']),
  ]);
  return { ...world, storage, place: storage.place('memory:///in/') };
}

export const json = { accept: 'application/json' };
export const files = '/API/storage/VX-1/file/data';

export const upload = (path: string, body: string, more: Partial<Sent> = {}): Sent => ({
  as: uploader,
  request: `POST ${files}?path=${encodeURIComponent(path)}`,
  body,
  ...more,
  headers: { ...json, 'content-type': 'application/octet-stream', ...more.headers },
});

export interface PartOf {
  readonly path: string;
  readonly id: string;
  readonly size: number;
  readonly index: number;
}

export const part = ({ path, id, size, index }: PartOf, body: string, more: Partial<Sent> = {}): Sent =>
  upload(path, body, {
    ...more,
    request: `POST ${files}?path=${encodeURIComponent(path)}&transferId=${encodeURIComponent(id)}`,
    headers: { size: String(size), index: String(index), ...more.headers },
  });

export const bodyOf = (answer: Answer): Record<string, unknown> => JSON.parse(answer.body) as Record<string, unknown>;

export const textAt = ({ place }: BytesWorld, path: string): string | undefined => {
  const kept = place.files.get(path);
  return kept && new TextDecoder().decode(kept.bytes);
};

/** All rows of a table. */
export const rowsOf = async (world: World, table: string) => {
  const { store } = world.service;
  const columns = (await store.read(`SELECT name FROM pragma_table_info('${table}')`)).map(([name]) => String(name));
  const rows = await store.read(`SELECT * FROM ${table}`);
  return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
};

/** Changes rows behind the back of the service. */
export const sqlIn = (sql: string) => (world: World) =>
  world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
