import { changing } from '../../core/store/commit-plan.ts';
import { systemActor, tableConcern } from '../../core/store/contract.ts';
import { type Piece, type PieceContext, workKind } from '../../core/work/work-kind.ts';
import type { StorageDriver } from '../../spi/index.ts';
import { hotFoldersDue, listAutoImports } from '../auto-import-sql.ts';
import type { StorageSettings } from '../settings.ts';
import { noSuchStorage } from '../storages/rules.ts';
import { findStorage, type MethodRow, methodsOf, scanNow, storageThere } from '../storages/store.ts';
import { lookError } from './look.ts';
import { commitBatch } from './merging/commit.ts';
import type { MergeDecision } from './merging/rules.ts';
import { filesBetween, lastEvent, openFiles } from './merging/store.ts';
import { decideWindow } from './merging/window.ts';
import { optionsOf, type ScanOptions } from './options.ts';
import { TouchedFiles } from './touched-files.ts';
import type { ScanParts } from './turns/scan.ts';

interface Watching {
  readonly storage: string;
  readonly driver: StorageDriver;
  readonly options: ScanOptions;
  readonly signal: AbortSignal;
  /** Tells the size and time of a file. Default: as the driver does. */
  readonly stat?: StorageDriver['stat'];
}

/** `open`: may still be written. `gone`: nothing left to do. */
type Looked = 'open' | 'gone';

/**
 * Compares one file with its row by the rules of scans, and writes what follows. `rests`: the system has told of no
 * change for the time that closes a file. Then a row with an older size is brought up to date and closed at once.
 */
export async function lookAtFile(
  parts: Pick<ScanParts, 'store' | 'clock'>,
  watching: Watching,
  path: string,
  rests = false,
): Promise<Looked> {
  const { storage, driver, options, signal, stat = (...given) => driver.stat(...given) } = watching;
  const { store, clock } = parts;
  const sequence = (await lastEvent(store, {}))[0]?.sequence ?? 0;
  const file = await stat(path, signal);
  if (!file || options.excluded(path)) return 'gone';
  const isRecent = file.modified !== undefined && isWithin(clock.now() - file.modified / 1000, options.closeLimit);
  const step = async (closeLimit: number): Promise<{ state: string | undefined; isWritten: boolean }> => {
    const window = { after: path.slice(0, -1), upTo: path };
    const rows = await filesBetween(store, { id: storage, ...window, limit: 1000 });
    const row = rows.find((each) => each.path === path);
    const rules = { ...options, closeLimit, now: clock.now() };
    const around = {
      reader: store,
      storage,
      seen: { driver: { stat } },
      options,
      rules,
      careful: true,
      sequence,
      signal,
    };
    const pairs = [{ path, file, row }];
    const decisions = await decideWindow({ ...around, skipped: undefined }, { ...window, pairs });
    const written = await write(parts, storage, decisions);
    return { state: written[0]?.to?.state ?? row?.state, isWritten: written.length > 0 };
  };
  const first = await step(options.closeLimit);
  if (first.state !== 'OPEN') return 'gone';
  if (!rests || isRecent || !first.isWritten) return 'open';
  return (await step(0)).state === 'OPEN' ? 'open' : 'gone';
}

/** A clock of another machine may be ahead: a file from the future is not waited for. */
const isWithin = (age: number, limit: number): boolean => age >= 0 && age < limit;

const write = ({ store }: Pick<ScanParts, 'store'>, storage: string, decisions: readonly MergeDecision[]) =>
  decisions.length === 0
    ? []
    : commitBatch({ store, storage, decisions, with: () => [storageThere({ id: storage }, noSuchStorage(storage))] });

/** Storages with auto-import rules whose folders are watched. Those beyond are scanned alone. */
const maxStorages = 100;
/** Files that a piece looks at. */
const maxFiles = 100;
/** Milliseconds between two looks for rules that came or went. */
const checks = 5_000;
/** Milliseconds until another try where the system tells nothing, and at a file that could not be looked at. */
const [unwatchedRest, fileRest] = [60_000, 5_000];

interface WatchParts extends Omit<ScanParts, 'settings'> {
  readonly settings: Pick<StorageSettings, 'hotFolderRest'>;
}

interface Watched {
  readonly method: MethodRow;
  readonly driver: StorageDriver;
  readonly touched: TouchedFiles;
  options: ScanOptions;
  /** Undefined: it has ended by itself. */
  stop: (() => void) | undefined;
}

/**
 * Checks files of storages with auto-import rules on change events of the system. Scans run as well, and find changes
 * without events.
 */
export function openWatching(parts: WatchParts) {
  const { store, clock, log, places, settings } = parts;
  const watched = new Map<string, Watched>();
  /** Storages that cannot be watched, with the time of the next attempt. */
  const unwatched = new Map<string, number>();
  let checkedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  let wake = (): void => undefined;

  function forget(storage: string): void {
    watched.get(storage)?.stop?.();
    watched.delete(storage);
  }

  /** The browsing methods of storages whose files are imported by themselves. */
  async function watchedMethods(): Promise<Map<string, MethodRow>> {
    const methodsByStorage = new Map<string, MethodRow>();
    for (const { storageId: id, enabled } of await listAutoImports(store, { limit: maxStorages, offset: 0 })) {
      const storage = enabled === 1 ? await findStorage(store, { id }) : undefined;
      if (storage?.showImportables !== 1 || storage.scanInterval < 0) continue;
      const method = (await methodsOf(store, { id })).find(({ browse }) => browse === 1);
      if (method) methodsByStorage.set(id, method);
    }
    return methodsByStorage;
  }

  async function check(): Promise<void> {
    const methods = await watchedMethods();
    for (const [storage, { method, stop }] of watched) {
      const now = methods.get(storage);
      if (stop && now?.id === method.id && now.version === method.version) continue;
      forget(storage);
      // A scan tells whether the folder exists at all.
      if (!stop) await scan(storage);
    }
    for (const [storage, method] of methods) {
      const watch = watched.get(storage) ?? (await begin(storage, method));
      if (!watch) continue;
      watch.options = await optionsFor(storage);
      await expectOpen(storage, watch);
      if (watch.touched.takeFull()) await scan(storage);
    }
  }

  const scan = (id: string) => store.commit(changing(scanNow({ id, now: clock.now() })), systemActor);
  const optionsFor = (id: string) => optionsOf(store, id, { closeLimit: settings.hotFolderRest });

  async function begin(storage: string, method: MethodRow): Promise<Watched | undefined> {
    const now = clock.now();
    if ((unwatched.get(storage) ?? 0) > now) return undefined;
    unwatched.delete(storage);
    try {
      const driver = await places.of(method);
      if (!driver.watch) return undefined;
      const touched = new TouchedFiles();
      const watch: Watched = { method, driver, touched, options: await optionsFor(storage), stop: undefined };
      const stop = await driver.watch({
        changed(path) {
          touched.change(path, clock.now(), watch.options.closeLimit);
          wake();
        },
        ended(reason) {
          watch.stop = undefined;
          log.write('warn', 'watch-ended', { storage, reason });
        },
      });
      if (isClosed) {
        stop();
        return undefined;
      }
      watch.stop = stop;
      watched.set(storage, watch);
      // Scans for changes before the watch began.
      await scan(storage);
      return watch;
    } catch (error) {
      unwatched.set(storage, now + unwatchedRest);
      log.write('warn', 'watch-ended', { storage, reason: lookError(error) });
      return undefined;
    }
  }

  /** Adds open files found by scans, or from before the start of this server. */
  async function expectOpen(id: string, { touched, options }: Watched): Promise<void> {
    const due = clock.now() + options.closeLimit;
    for (const { path } of await openFiles(store, { id, after: 0, limit: maxFiles })) touched.expect(path, due);
  }

  async function lookAt(storage: string, { touched, driver, options }: Watched, context: PieceContext): Promise<void> {
    const { signal } = context;
    for (const { path, rests } of touched.due(clock.now(), maxFiles)) {
      if (!context.mayGoOn()) return;
      touched.putOff(path, clock.now() + options.closeLimit);
      try {
        const looked = await lookAtFile(parts, { storage, driver, options, signal }, path, rests);
        if (looked === 'gone') touched.forget(path);
        // The row tells the time of the next check.
        else touched.putOff(path, clock.now() + options.closeLimit);
        context.done();
      } catch (error) {
        touched.putOff(path, clock.now() + fileRest);
        if (Object(error).kind === 'bad-path') touched.forget(path);
        else throw error;
      }
    }
  }

  const kind = workKind<Piece>({
    name: 'hot-folders',
    says: 'Handles file system events of hot folders',
    hosts: ['loop'],
    priority: 66,
    concurrency: 2,
    wokenBy: [tableConcern('auto_import_rule')],
    // A file that is written changes many times.
    gathers: 200,
    wokenHere(wakeUp) {
      wake = wakeUp;
    },
    due: () => hotFoldersDue,
    dueHere(due) {
      if (watched.size === 0) return Math.max(due, checkedAt + checks);
      return Math.min(checkedAt + checks, ...[...watched.values()].map(({ touched }) => touched.next()));
    },
    async claim(max, now, isHeld) {
      const keys = [...watched].filter(([, { touched }]) => touched.next() <= now).map(([storage]) => storage);
      if (now - checkedAt >= checks) keys.unshift('');
      return keys
        .filter((key) => !isHeld(key))
        .slice(0, max)
        .map((key) => ({ key }));
    },
    async do({ key }, context) {
      if (key === '') {
        checkedAt = clock.now();
        return check();
      }
      const watch = watched.get(key);
      if (watch) await lookAt(key, watch, context);
    },
  });

  return {
    kind,
    /** Whether the system reports changes of the storage. Its open files are then looked at here. */
    watches: (storage: string): boolean => watched.get(storage)?.stop !== undefined,
    close() {
      isClosed = true;
      for (const storage of [...watched.keys()]) forget(storage);
    },
  };
}
