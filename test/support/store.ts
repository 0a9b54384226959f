import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/core/lib/clock.ts';
import type { Actor } from '../../src/core/store/contract.ts';
import { openStore, type Store, type StoreSettings } from '../../src/core/store/store.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { migratedDatabase, migrations } from './migrated.ts';

export { migrations };

export const nobody: Actor = { user: 'nobody' };

/** A migrated store in memory: for tests of everything that is not the store itself. */
export async function memoryStore(settings: Partial<StoreSettings> = {}): Promise<Store> {
  const store = openStore(await migratedDatabase(), storeSettings(settings));
  await store.migrate();
  return store;
}

/** A migrated store in a file of its own; closing it removes the file. */
export async function fileStore(settings: Partial<StoreSettings> = {}): Promise<Store> {
  const directory = await temporaryDirectory();
  const store = openStore(await openDatabase(`file:${join(directory.path, 'portico.db')}`), storeSettings(settings));
  await store.migrate();
  const close = async () => {
    await store.close();
    await directory.remove();
  };
  return { ...store, close };
}

export function storeSettings(settings: Partial<StoreSettings> = {}): StoreSettings {
  return { clock: systemClock, site: 'VX', migrations, ...settings };
}

export interface TemporaryDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'portico-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A clock that stands still except that each sleep moves it on at once: retries take no time. */
export function hastyClock(start = 1_700_000_000_000): Clock & { readonly slept: number[] } {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}
