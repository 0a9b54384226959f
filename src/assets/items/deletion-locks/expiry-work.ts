import { changedMeanwhile, retryWhenChanged } from '../../../core/lib/retry-when-changed.ts';
import { together } from '../../../core/store/commit-plan.ts';
import { systemActor } from '../../../core/store/contract.ts';
import { type Piece, type WorkKind, workKind } from '../../../core/work/work-kind.ts';
import { createProperties } from '../../../identity/api-settings/public-reading.ts';
import { flagProperty, type KnownProperties } from '../../../room/properties.ts';
import type { ItemsContext } from '../settings.ts';
import { endDeletionLock, expireLock } from './rules.ts';
import { expiryDue, isExpired, nextToExpire } from './store.ts';

export const lockProperties = {
  autoRemoveExpiredDeletionLocks: flagProperty(
    0,
    'Whether deletion locks of items and collections go when they expire.',
  ),
} as const satisfies KnownProperties;

const batch = 50;

/**
 * Sends events for expired deletion locks. A property decides whether expired locks of items and collections are
 * deleted.
 */
export function lockExpiryKind({ store, clock }: Pick<ItemsContext, 'store' | 'clock'>): WorkKind {
  const piece: Piece = { key: 'deletion-locks' };
  const property = createProperties(store, lockProperties);
  return workKind({
    name: 'deletion-locks',
    says: 'Sends events for deletion locks that expired',
    priority: 66,
    concurrency: 1,
    longest: 60_000,
    wokenBy: ['deletionLock/create', 'deletionLock/modify'],
    due: () => expiryDue,
    claim: async () => [piece],
    async do(_piece, context) {
      await retryWhenChanged(async () => {
        const now = clock.now();
        const rows = (await nextToExpire(store, { limit: batch })).filter(({ expiresAt }) => expiresAt <= now);
        const removes = (await property('autoRemoveExpiredDeletionLocks')) === 1;
        const works = rows.map((row) => {
          const still = isExpired({ id: row.id, now }, changedMeanwhile('DeletionLock', row.id));
          const expired = expireLock(row, still);
          return removes && row.entityType !== 'file' ? together(expired, endDeletionLock(row)) : expired;
        });
        if (works.length > 0) await store.commit(together(...works), systemActor);
        context.done(works.length);
      });
    },
  });
}
