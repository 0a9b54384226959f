import type { Clock } from '../../../core/lib/clock.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import type { Store } from '../../../core/store/store.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import type { StorageDrivers } from '../../drivers.ts';
import { DriverError } from '../../drivers.ts';
import { methodsOf } from '../../storages/store.ts';
import { namedTokens, nextWritingStorage } from './store.ts';

interface SweepParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly places: StorageDrivers;
}

/** Milliseconds: longer than bytes wait between their last one and the row that names them. */
const unnamed = 3_600_000;
const rest = 10 * 60_000;

export type Sweep = ReturnType<typeof createSweep>;

/** Discards staged bytes that no row names: an upload in one go that broke off with its process. */
export function createSweep({ store, clock, log, places }: SweepParts) {
  /** Last failure of a method. It is logged once, not again while it lasts. */
  const failures = new Map<string, string>();

  function failed(storage: string, method: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (failures.get(method) === message) return;
    failures.set(method, message);
    // A place that cannot be reached is no defect of the code: one line has all there is to know.
    const fields = error instanceof DriverError ? { error: message } : describeError(error);
    log.write('warn', 'sweep-failed', { storage, method, ...fields });
  }

  /** Discards the unreferenced staged bytes of one storage whose last write was at `until` or earlier. */
  async function one(storageId: string, until: number): Promise<void> {
    for (const method of await methodsOf(store, { id: storageId })) {
      if (method.write === 0) continue;
      try {
        const driver = await places.of(method);
        const staged = (await driver.staged?.()) ?? [];
        failures.delete(method.id);
        const old = staged.filter(({ at }) => at <= until).map(({ token }) => token);
        if (old.length === 0) continue;
        const named = new Set((await namedTokens(store, { tokens: old })).map(({ token }) => token));
        for (const token of old) if (!named.has(token)) await driver.discard?.(token);
      } catch (error) {
        failed(storageId, method.id, error);
      }
    }
  }

  /** The next storage behind that number; undefined behind the last one. */
  async function next(after: number, until: number): Promise<number | undefined> {
    const storage = await nextWritingStorage(store, { after });
    if (storage) await one(storage.id, until);
    return storage?.serial;
  }

  let at = 0;
  const kind: WorkKind = steps({
    name: 'staged-bytes',
    says: 'Deletes the bytes of uploads that cannot be continued',
    hosts: ['loop'],
    priority: 80,
    clock,
    rest,
    async step() {
      at = (await next(at, clock.now() - unnamed)) ?? 0;
      return at > 0;
    },
  });

  return {
    kind,
    /** Sweeps all storages, one after the other. */
    async all(until: number): Promise<void> {
      for (let after: number | undefined = 0; after !== undefined; ) after = await next(after, until);
    },
  };
}
