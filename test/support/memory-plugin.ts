import type { Plugin, StorageScheme } from '../../src/spi/index.ts';

/** A plugin that a host lends: storages whose methods are such as `memory:///in/`. */
export const memoryPlugin = (storage: StorageScheme): Plugin => ({
  name: 'memory',
  version: '1',
  contract: 1,
  storages: { 'test.MemoryStorage': { says: 'Files in memory.', create: () => storage } },
});
