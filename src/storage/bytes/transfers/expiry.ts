import { describeError, type Log } from '../../../core/lib/log.ts';
import { systemActor } from '../../../core/store/contract.ts';
import type { WorkKind } from '../../../core/work/kind.ts';
import { steps } from '../../../core/work/steps.ts';
import type { Publisher } from '../publishing/publish.ts';
import { discardBytes, type EndParts, endTransfer } from './end.ts';
import { deleteTransfer, endedTransfers, idleTransfers, transfersDue, transfersWithStagedBytes } from './store.ts';

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
