import { type MemoryStorage, memoryStorage } from '../../src/kit/testing/storage/memory-storage.ts';
import { testClock } from './clock.ts';
import { memoryPlugin, openService, type ServiceOptions, type TestService } from './service.ts';

export interface TestMedia extends TestService {
  /** The places of the scheme `memory`, for changes behind the back of the service. */
  readonly storage: MemoryStorage;
}

/** A service whose storages may lie in memory: methods such as `memory:///in/`. */
export async function openMedia(options: ServiceOptions = {}): Promise<TestMedia> {
  const clock = options.clock ?? testClock();
  const storage = memoryStorage(() => clock.now());
  const opened = await openService({ ...options, clock, plugins: [memoryPlugin(storage), ...(options.plugins ?? [])] });
  return { ...opened, storage };
}

/** A storage with one method, by rows: for tests of what comes behind its routes. */
export async function storageRows(
  { service }: Pick<TestService, 'service'>,
  { id = 'VX-1', uri = 'memory:///in/', type = 'LOCAL', scanInterval = 60 } = {},
): Promise<string> {
  const serial = Number(id.slice(id.indexOf('-') + 1));
  await service.store.commit(
    {
      changes: [
        {
          sql: `INSERT INTO storage (id, serial, type, state, capacity, auto_detect, low_watermark, high_watermark,
                  scan_interval, show_importables, priority, rest, version, created_at)
                VALUES (?1, ?2, ?3, 'NONE', 1000000, 0, 100, 100, ?4, 1, 'MEDIUM', '{}', 1, 0)`,
          args: [id, serial, type, scanInterval],
        },
        {
          sql: `INSERT INTO storage_method (id, serial, storage_id, uri, read, write, browse, bandwidth, type, version)
                VALUES (?1, ?2, ?1, ?3, 1, 1, 1, 0, '', 1)`,
          args: [id, serial, uri],
        },
      ],
      events: [],
    },
    { user: 'test' },
  );
  return id;
}
