import type { Clock } from '../../../core/lib/clock.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import type { StorageDriver } from '../../../spi/index.ts';
import { storageRefusal } from '../../drivers.ts';
import type { MethodRow } from '../../storages/store.ts';

export interface UploadLimits {
  readonly maxTransfers: number;
  readonly maxTransferBytes: number;
}

interface Running {
  uploads: number;
  bytes: number;
}

export type Uploads = ReturnType<typeof createUploads>;

/** Counts what each user uploads in one go just now: uploads in parts are counted by their rows. */
export function createUploads({ maxTransfers, maxTransferBytes }: UploadLimits) {
  const users = new Map<string, Running>();

  return {
    /** Throws where the user uploads too much at once. The caller ends it. */
    begin(owner: string, announced: number) {
      const running = users.get(owner) ?? { uploads: 0, bytes: 0 };
      let bytes = 0;

      function take(count: number): void {
        if (bytes + count > maxTransferBytes) throw tooLarge(maxTransferBytes);
        if (running.bytes + count > maxTransferBytes) throw tooManyBytes(maxTransferBytes);
        bytes += count;
        running.bytes += count;
      }

      if (running.uploads >= maxTransfers) throw tooManyUploads(maxTransfers);
      take(announced);
      running.uploads++;
      users.set(owner, running);
      return {
        /** Takes bytes of an upload that does not say how many come. */
        take,
        end(): void {
          running.uploads--;
          running.bytes -= bytes;
          if (running.uploads === 0) users.delete(owner);
        },
      };
    },
  };
}

export const tooManyUploads = (max: number): ServiceError =>
  new ServiceError('too-many-transfers', {
    context: 'upload',
    explanation: `Expected at most ${max} open uploads of one user (setting maxTransfers): finish or end one`,
  });

export const tooManyBytes = (max: number): ServiceError =>
  new ServiceError('too-many-transfers', {
    context: 'upload',
    explanation: `Expected at most ${max} bytes in all open uploads of one user (setting maxTransferBytes): finish or end one`,
  });

export const tooLarge = (max: number): ServiceError =>
  new ServiceError('body-too-large', {
    context: 'body',
    explanation: `Expected at most ${max} bytes (setting maxTransferBytes)`,
  });

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
      const explanation = `Expected room for ${bytes} bytes beside the ${minFreeBytes} that stay free (PORTICO_MIN_FREE_BYTES): ${free} are free`;
      throw new ServiceError('no-space', { id: method.storageId, context: 'storage', explanation });
    },
  };
}
