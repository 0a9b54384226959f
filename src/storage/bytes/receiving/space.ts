import type { Clock } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { StorageDriver } from '../../../spi/index.ts';
import { storageRefusal } from '../../places/refusals.ts';
import type { MethodRow } from '../../storages/store.ts';

interface SpaceParts {
  readonly clock: Clock;
  readonly settings: { readonly minFreeBytes: number };
}

/** Milliseconds: asking the disk for each small file would cost as much as writing it. */
const fresh = 1000;

export type Space = ReturnType<typeof createSpace>;

/** Keeps uploads from filling a disk. */
export function createSpace({ clock, settings: { minFreeBytes } }: SpaceParts) {
  const freeByMethod = new Map<string, { readonly at: number; readonly free: number }>();

  async function freeOf({ id, storageId }: MethodRow, driver: StorageDriver): Promise<number> {
    const now = clock.now();
    const last = freeByMethod.get(id);
    if (last && now - last.at < fresh) return last.free;
    try {
      const { free = Number.POSITIVE_INFINITY } = await driver.check();
      freeByMethod.set(id, { at: now, free });
      return free;
    } catch (error) {
      throw storageRefusal(error, { storage: storageId });
    }
  }

  return {
    /** Refuses bytes if less space than the setting demands would stay free. */
    async mustHold(method: MethodRow, driver: StorageDriver, bytes: number): Promise<void> {
      const free = await freeOf(method, driver);
      if (free - bytes >= minFreeBytes) return;
      const explanation = `Expected room for ${bytes} bytes beside the ${minFreeBytes} that stay free (setting minFreeBytes): ${free} are free`;
      throw new ServiceError('no-space', { id: method.storageId, context: 'storage', explanation });
    },
  };
}
