import type { Clock } from '../../core/lib/clock.ts';
import { inTime } from '../../core/lib/clock.ts';
import { withoutSecrets } from '../../core/lib/secret.ts';
import { storable } from '../../core/lib/storable.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { StorageDriver, StorageStatus } from '../../spi/index.ts';
import { DriverError, type StorageDrivers } from '../drivers.ts';
import { type MethodRow, methodAnswered, methodFailed, storageAnswered, storageSilent } from '../storages/store.ts';

export interface ReachableMethod {
  readonly method: MethodRow;
  readonly driver: StorageDriver;
  readonly place: StorageStatus;
}

interface UnreachableMethod {
  readonly method: MethodRow;
  readonly message: string;
}

/** Methods of a storage, reachable and unreachable from this instance. */
export interface Look {
  readonly seen: readonly ReachableMethod[];
  readonly unseen: readonly UnreachableMethod[];
}

interface LookParts {
  readonly places: StorageDrivers;
  readonly clock: Clock;
}

/** Milliseconds that a method may take to answer. */
const patience = 30_000;

/** `accepted`: an administrator has confirmed the new file system. */
export async function lookAt(
  { places, clock }: LookParts,
  methods: readonly MethodRow[],
  { accepted = false, signal }: { readonly accepted?: boolean; readonly signal?: AbortSignal } = {},
): Promise<Look> {
  const looked = await Promise.all(
    methods.map(async (method): Promise<ReachableMethod | UnreachableMethod> => {
      try {
        const driver = await places.of(method);
        const late = () => new DriverError('offline', `Expected an answer within ${patience / 1000} seconds`);
        const place = await inTime(driver.check(signal), clock, patience, late);
        if (accepted || isKnown(method, place)) return { method, driver, place };
        return { method, message: otherFileSystem(method.storageId) };
      } catch (error) {
        return { method, message: lookError(error) };
      }
    }),
  );
  return {
    seen: looked.filter((each): each is ReachableMethod => 'driver' in each),
    unseen: looked.filter((each): each is UnreachableMethod => 'message' in each),
  };
}

/** An empty mount point answers, too: what was seen there before tells it from the storage. */
const isKnown = ({ identity }: MethodRow, place: StorageStatus): boolean =>
  identity === null || place.identity === undefined || identity === place.identity;

/** Checked before files count as missing: the file system may have been unmounted meanwhile. */
export async function isStillThere({ driver, method, place }: ReachableMethod, signal: AbortSignal): Promise<boolean> {
  const now = await driver.check(signal);
  return now.identity === place.identity && (place.identity !== undefined || isKnown(method, now));
}

const otherFileSystem = (storage: string): string =>
  `Expected the file system that was there before: another one is. If it is the right one: POST /storage/${storage}/rescan?confirm=true`;

/** Message without credentials, since drivers may quote the address. */
export const lookError = (error: unknown): string =>
  storable(withoutSecrets(error instanceof Error ? error.message : String(error)), 500);

/** Writes the results of a look into the rows of the storage and its methods. */
export function recordLook(storage: string, { seen, unseen }: Look, now: number): Statement[] {
  const capacity = seen.find(({ place }) => place.capacity !== undefined)?.place;
  return [
    ...seen.map(({ method, place }) => methodAnswered({ id: method.id, now, identity: place.identity ?? null })),
    ...unseen.map(({ method, message }) => methodFailed({ id: method.id, lastFailure: now, failureMessage: message })),
    seen.length > 0
      ? storageAnswered({ id: storage, capacity: capacity?.capacity ?? null, free: capacity?.free ?? null })
      : storageSilent({ id: storage }),
  ];
}
