import type { Clock } from '../../../core/lib/clock.ts';
import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import { unable } from '../../files/refusals.ts';
import { findFile } from '../../files/store.ts';
import type { StorageDrivers } from '../../places/places.ts';
import { storageRefusal } from '../../places/refusals.ts';
import type { Publisher } from '../publishing/publish.ts';
import { findMethod } from '../publishing/store.ts';
import type { Writable } from '../receiving/destination.ts';
import type { LiveTransfers } from './live.ts';
import { abort } from './rules.ts';
import { findTransfer, forgetToken, type TransferRow } from './store.ts';

export interface EndParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly places: StorageDrivers;
  readonly live: LiveTransfers;
}

/** The method and the driver under which the bytes of a transfer are staged. */
export async function writableOf(
  { store, places }: Pick<EndParts, 'store' | 'places'>,
  { methodId, storageId }: Pick<TransferRow, 'methodId' | 'storageId'>,
): Promise<Writable> {
  const method = await findMethod(store, { id: methodId });
  if (!method) throw unable(storageId, 'Expected the storage method with which the upload began: it was deleted');
  try {
    return { method, driver: await places.of(method) };
  } catch (error) {
    throw storageRefusal(error, { storage: storageId });
  }
}

/** Ends an upload early. Its bytes are discarded after the commit, and by background work if that fails. */
export async function endTransfer(parts: EndParts, id: string, by: Publisher): Promise<void> {
  const { store, clock, live } = parts;
  const ended = await retryWhenChanged(async () => {
    const row = await findTransfer(store, { id });
    if (row?.state !== 'TRANSFERRING') return undefined;
    const file = row.fileId === null ? undefined : await findFile(store, { id: row.fileId });
    await by.commit(abort(row, file, clock.now()));
    return row;
  });
  if (!ended) return;
  await live.takeOver(id);
  live.forgetHash(id);
  // Work comes back to it.
  await discardBytes(parts, ended).catch(() => undefined);
}

/** Forgets the staged bytes of a transfer that has ended. A method that was deleted leaves nothing to ask. */
export async function discardBytes(parts: Pick<EndParts, 'store' | 'places'>, row: TransferRow): Promise<void> {
  const method = await findMethod(parts.store, { id: row.methodId });
  const driver = method && (await parts.places.of(method));
  await driver?.discard?.(row.token);
  await parts.store.commit(changing(forgetToken({ id: row.id })), systemActor);
}
