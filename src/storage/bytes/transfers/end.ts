import type { Clock } from '../../../core/lib/clock.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import { retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import { type StorageDrivers, storageRefusal } from '../../drivers.ts';
import { unable } from '../../files/rules.ts';
import { findFile } from '../../files/store.ts';
import type { Publisher } from '../publishing/publish.ts';
import { findMethod } from '../publishing/store.ts';
import type { Writable } from '../receiving/destination.ts';
import type { LiveTransfers } from './live.ts';
import { abort } from './rules.ts';
import {
  deleteTransfer,
  endedTransfers,
  findTransfer,
  forgetToken,
  idleTransfers,
  type TransferRow,
  transfersDue,
  transfersWithStagedBytes,
} from './store.ts';

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
async function discardBytes(parts: Pick<EndParts, 'store' | 'places'>, row: TransferRow): Promise<void> {
  const method = await findMethod(parts.store, { id: row.methodId });
  const driver = method && (await parts.places.of(method));
  await driver?.discard?.(row.token);
  await parts.store.commit(changing(forgetToken({ id: row.id })), systemActor);
}

interface ExpiryParts extends EndParts {
  readonly log: Log;
  readonly settings: { readonly transferIdleHours: number };
}

const rest = 60_000;
const batch = 50;
const hour = 3_600_000;

/** Ends abandoned uploads in parts, discards their bytes, and deletes those that ended long ago. */
export function expiryKind(parts: ExpiryParts): WorkKind {
  const { store, clock, live, log, settings } = parts;
  const by: Publisher = { actor: systemActor, commit: (work) => store.commit(work, systemActor) };

  async function endIdle(since: number): Promise<boolean> {
    const idle = await idleTransfers(store, { since, limit: batch });
    const ended = idle.filter(({ id }) => !live.isActive(id));
    for (const { id } of ended) await endTransfer(parts, id, by);
    return ended.length === batch;
  }

  /** Cursor of the next batch. Storages that are offline do not block the transfers of others. */
  let after = '';
  async function discardLeft(): Promise<boolean> {
    const left = await transfersWithStagedBytes(store, { after, limit: batch });
    after = left.length === batch ? left.at(-1)!.id : '';
    for (const row of left) {
      try {
        await discardBytes(parts, row);
      } catch (error) {
        log.write('warn', 'discard-failed', { transfer: row.id, storage: row.storageId, ...describeError(error) });
      }
    }
    return left.length === batch;
  }

  async function forgetEnded(since: number): Promise<boolean> {
    const ended = await endedTransfers(store, { since, limit: batch });
    if (ended.length > 0)
      await store.commit({ changes: ended.map(({ id }) => deleteTransfer({ id })), events: [] }, systemActor);
    return ended.length === batch;
  }

  return steps({
    name: 'transfers',
    says: 'Aborts idle uploads in parts and deletes their bytes',
    hosts: ['loop', 'edge'],
    priority: 70,
    clock,
    rest,
    due: () => transfersDue(settings.transferIdleHours * hour),
    async step() {
      const since = clock.now() - settings.transferIdleHours * hour;
      const more = [await endIdle(since), await discardLeft(), await forgetEnded(since)];
      return more.includes(true);
    },
  });
}
