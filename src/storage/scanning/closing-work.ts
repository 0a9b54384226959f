import { isRefusal } from '../../core/lib/errors.ts';
import { steps } from '../../core/work/work-kind.ts';
import type { StorageDriver } from '../../spi/index.ts';
import type { StorageSettings } from '../settings.ts';
import { methodsOf } from '../storages/store.ts';
import { lookAt } from './look.ts';
import { filesMayRest, recentlyOpen, storagesWithOpenFiles } from './merging/store.ts';
import { optionsOf, type ScanOptions } from './options.ts';
import type { ScanParts } from './turns/scan.ts';
import { lookAtFile } from './watching-work.ts';

/** Milliseconds between two looks. */
const rest = 3_000;
/** Closing times after which a file that still changes, or that never comes, is left to scans. */
const maxRests = 12;
const [maxStorages, maxFiles] = [20, 100];

interface ClosingParts extends Omit<ScanParts, 'settings'> {
  readonly settings: Pick<StorageSettings, 'closeLimit'>;
}

/**
 * Closes files that have come to rest between two scans. A file rests when its size and time have been the same for the
 * closing time, by the clock of this server. It must also open. Opening it asks a file server for the current
 * size, where a listing may be older, and fails on one that another machine has locked.
 */
export function closingKind(parts: ClosingParts, isWatched: (storage: string) => boolean) {
  const { store, clock, settings } = parts;

  async function lookIn(storage: string): Promise<void> {
    const options = await optionsOf(store, storage, settings).catch(unlessFilter);
    if (!options) return;
    const now = clock.now();
    const since = now - maxRests * Math.max(options.closeLimit, rest);
    const rows = await recentlyOpen(store, { id: storage, since, limit: maxFiles });
    const due = rows.filter(
      ({ timestamp, content }) => content === null || now - timestamp >= Math.max(options.closeLimit, 1),
    );
    if (due.length === 0) return;
    const signal = AbortSignal.timeout(rest * 10);
    const methods = (await methodsOf(store, { id: storage })).filter(({ browse }) => browse === 1);
    const [seen] = (await lookAt(parts, methods, { signal })).seen;
    if (!seen) return;
    for (const { path } of due) await lookAtPath(storage, seen.driver, options, path, signal);
  }

  /** A file that cannot be read yet is looked at again. */
  async function lookAtPath(
    storage: string,
    driver: StorageDriver,
    options: ScanOptions,
    path: string,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await lookAtFile(parts, { storage, driver, options, signal, stat: statOpened(driver) }, path);
    } catch (error) {
      if (Object(error).kind === undefined) throw error;
    }
  }

  return steps({
    name: 'closing',
    says: 'Closes files that have come to rest between scans',
    hosts: ['loop'],
    priority: 67,
    clock,
    rest,
    due: () => filesMayRest,
    async step() {
      const limit = clock.now() - maxRests * Math.max(settings.closeLimit * 1000, rest);
      const storages = await storagesWithOpenFiles(store, { since: limit, limit: maxStorages });
      for (const { id } of storages) if (!isWatched(id)) await lookIn(id);
      return false;
    },
  });
}

/** A filter that nobody can read stops the scans of a storage, which say so. */
function unlessFilter(error: unknown): undefined {
  if (!isRefusal(error)) throw error;
}

/** Size and time of a file that is opened for it. */
const statOpened =
  (driver: StorageDriver): StorageDriver['stat'] =>
  async (path, signal) => {
    const listed = await driver.stat(path, signal);
    if (!listed || listed.size === 0 || listed.archive) return listed;
    const { file, body } = await driver.read(path, { range: { from: 0, end: 1 }, ...(signal && { signal }) });
    await body.cancel();
    return file;
  };
