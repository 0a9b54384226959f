import {
  type MemoryFolder,
  type MemoryStorage,
  memoryStorage,
} from '../../../src/kit/testing/storage/memory-storage.ts';
import type { StorageScheme } from '../../../src/spi/index.ts';
import { testClock } from '../../support/clock.ts';
import { openWorld, type Sent, type World } from '../../support/matrix.ts';
import { storageRows } from '../../support/media.ts';
import { admin, memoryPlugin, type ServiceOptions } from '../../support/service.ts';

export interface ScanWorld extends World {
  readonly storage: MemoryStorage;
  /** What lies in the storage VX-1. */
  readonly place: MemoryFolder;
  /** Asks for a scan of VX-1 and lets it go on to its end. Gives the events of files that it made. */
  scan(): Promise<string[]>;
  /** The same so many seconds later. */
  scanAfter(seconds: number): Promise<string[]>;
  /** The row of a file of VX-1 by its path. */
  row(path: string): Promise<Record<string, unknown> | undefined>;
  rows(table: string): Promise<Record<string, unknown>[]>;
  sql(text: string, ...args: (string | number | null)[]): Promise<unknown>;
  ask(request: string, body?: Sent['body']): Promise<{ status: number; body: string }>;
  metadata(key: string, value: string): Promise<unknown>;
}

export interface ScanOptions extends ServiceOptions {
  /** The storage in memory, as the service gets it. */
  scheme?(inner: StorageScheme): StorageScheme;
  readonly type?: string;
  readonly scanInterval?: number;
  /** The storage tells of files that come or change. */
  readonly tells?: boolean;
}

/** A service with the storage VX-1 in memory, which nobody scans before it is asked for. */
export async function openScanWorld({
  scheme = (inner) => inner,
  tells = false,
  ...options
}: ScanOptions = {}): Promise<ScanWorld> {
  const clock = options.clock ?? testClock();
  const storage = memoryStorage(() => clock.now(), 'memory', { tells });
  const world = await openWorld('fetch', { ...options, clock, plugins: [memoryPlugin(scheme(storage))] });
  const { type = 'LOCAL', scanInterval = 60 } = options;
  await storageRows(world, { type, scanInterval });
  return scanWorldOf(world, storage);
}

export function scanWorldOf(world: World, storage: MemoryStorage): ScanWorld {
  const { store } = world.service;
  const sql = (text: string, ...args: (string | number | null)[]) =>
    store.commit({ changes: [{ sql: text, args }], events: [] }, { user: 'test' });
  const rows = async (table: string) => {
    const columns = (await store.read(`SELECT name FROM pragma_table_info('${table}')`)).map(([name]) => String(name));
    const found = await store.read(`SELECT * FROM ${table}`);
    return found.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
  };
  const ask = async (request: string, body?: Sent['body']) => {
    const headers = { accept: 'application/json' };
    const { status, body: text } = await world.send({
      as: admin,
      request,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status, body: text };
  };
  async function scan(): Promise<string[]> {
    const before = (await world.events()).at(-1)?.sequence ?? 0;
    const { status, body } = await ask('POST /API/storage/VX-1/rescan');
    if (status !== 200) throw new Error(body);
    await world.service.tick();
    const paths = new Map((await rows('file')).map(({ id, path }) => [id, path]));
    const told = (await world.events(before)).filter(({ name }) => name.startsWith('file/'));
    return told.map(({ name, entity }) => `${name} ${paths.get(entity) ?? entity}`);
  }
  return {
    ...world,
    storage,
    place: storage.place('memory:///in/'),
    scan,
    async scanAfter(seconds) {
      await world.clock.advance(seconds * 1000);
      return scan();
    },
    row: async (path) => (await rows('file')).find((row) => row['path'] === path && row['storage_id'] === 'VX-1'),
    rows,
    sql,
    ask,
    metadata: (key, value) =>
      sql(
        `INSERT INTO key_value (entity_type, entity_id, key, position, value) VALUES ('storage', 'VX-1', ?, 0, ?)`,
        key,
        value,
      ),
  };
}
