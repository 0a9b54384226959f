import { type MemoryFolder, type MemoryStorage, memoryStorage } from '../../src/kit/testing/storage/memory-storage.ts';
import { startOfTime, testClock } from './clock.ts';
import { type Entry, openWorld, type Sent, type World } from './matrix.ts';
import { ask as askAdmin, by, rowsOf, sqlIn } from './requests.ts';
import type { ScenarioOptions } from './scenario.ts';
import { memoryPlugin } from './service.ts';
import { storageRows, type WorldOptions } from './world.ts';

/** Storages as several suites make and read them. */

/** As the recorded client sends it: numbers and booleans are texts. */
export const recorded = {
  type: 'LOCAL',
  capacity: '1500000',
  method: [{ uri: 'memory:///srv/media1/', read: 'true', write: 'true', browse: 'true' }],
  lowWatermarkPercentage: '90',
  highWatermarkPercentage: '75',
  showImportables: 'true',
  metadata: {
    field: [
      { key: 'name', value: 'test_storage' },
      { key: 'purpose', value: 'tests' },
    ],
  },
};

export const newStorage = (document: object = recorded): Sent => by('POST /API/storage', document);

/** A storage with one method below `memory:`. */
export const storageAt = (place: string, more: object = {}): Sent =>
  newStorage({ method: [{ uri: `memory:///${place}/` }], ...more });

/** With a scheme that keeps files in memory, and one that finds faults with addresses. */
export function mediaOptions(options: ScenarioOptions = {}): ScenarioOptions {
  const memory = memoryStorage(() => startOfTime);
  const picky = {
    ...memoryStorage(() => startOfTime, 'picky'),
    defect: ({ uri }: { readonly uri: string }) =>
      uri.includes('outside') ? 'Expected a folder below one of the roots' : undefined,
    closed: ({ uri }: { readonly uri: string }) =>
      uri.includes('closed') ? 'Expected a folder that the operator lists' : undefined,
  };
  const plugin = {
    name: 'memory',
    version: '1',
    contract: 1,
    storages: {
      'test.MemoryStorage': { says: 'Files in memory.', create: () => memory },
      'test.PickyStorage': { says: 'The same, with rules.', create: () => picky },
    },
  } as const;
  return { ...options, plugins: [plugin, ...(options.plugins ?? [])] };
}

export const fetchEntry: Entry = { name: 'fetch', open: (options) => openWorld('fetch', options) };

export const openStorages = (options: ScenarioOptions = {}): Promise<World> =>
  openWorld('fetch', mediaOptions(options));

/** Files of a storage by rows, with an item that uses the first `used` of them. */
export async function fileRows(
  { service }: World,
  storage: string,
  count: number,
  { size = 10, used = 0, from = 1 } = {},
): Promise<void> {
  const rows = (sql: string, args: readonly (string | number)[]) => ({
    sql: `WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + ?2 - 1) ${sql}`,
    args: [from, ...args],
  });
  const files = rows(
    `INSERT INTO file (id, serial, storage_id, path, folder, name, extension, state, size, changed_at, timestamp, version)
      SELECT 'VX-' || i, i, ?3, 'f' || i, '', 'f' || i, '', 'CLOSED', ?4, 0, 0, 1 FROM n`,
    [count, storage, size],
  );
  const uses = rows(
    `INSERT INTO file_use (file_id, item_id, shape_id, component_id)
      SELECT 'VX-' || i, 'VX-1' || i, 'VX-2' || i, 'VX-3' || i FROM n`,
    [used],
  );
  const changes = used > 0 ? [files, uses] : [files];
  await service.store.commit({ changes, events: [] }, { user: 'test' });
}

export const missing = 'VX-1000000';
export const noSuch = { jsonPart: { notFound: { type: 'Storage', id: missing, context: null } } };

/** Answer recorded for `newStorage`. */
export const recordedAnswer =
  '{"id":"VX-1","state":"NONE","type":"LOCAL","capacity":1500000,"freeCapacity":1500000,' +
  '"method":[{"id":"VX-1","uri":"memory:///srv/media1/","read":true,"write":true,"browse":true,"type":"NONE"}],' +
  '"metadata":{"field":[{"key":"name","value":"test_storage"},{"key":"purpose","value":"tests"}]},' +
  '"lowWatermark":1350000,"highWatermark":1125000,"lowWatermarkPercentage":90,"highWatermarkPercentage":75,' +
  '"showImportables":true}';

export interface ScanWorld extends World {
  readonly storage: MemoryStorage;
  /** Content of the storage VX-1. */
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

interface ScanOptions extends WorldOptions {
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
  const rows = (table: string) => rowsOf(world, table);
  const sql: ScanWorld['sql'] = (text, ...args) => sqlIn(world, text, ...args);
  const ask = async (request: string, body?: Sent['body']) => {
    const { status, body: text } = await world.send(askAdmin(request, body));
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
