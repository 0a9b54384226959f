import { changedMeanwhile, retryWhenChanged } from '../../core/lib/retry-when-changed.ts';
import { together } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import { steps, type WorkKind } from '../../core/work/work-kind.ts';
import type { RoomContext } from '../../room/context.ts';
import { tellDue } from './rules.ts';
import { dueTerms, isStillDue, usageDue } from './store.ts';

const batch = 50;

/** Sends events for rights that begin and end. After a stop over several times it sends all of them, in order. */
export const usageSchedule = ({ store, clock }: Pick<RoomContext, 'store' | 'clock'>): WorkKind =>
  steps({
    name: 'usage',
    says: 'Sends events for rights of media that begin and end',
    hosts: ['loop', 'edge'],
    priority: 66,
    clock,
    rest: 0,
    wokenBy: ['usage/modify', 'collection/usage/modify'],
    due: () => usageDue,
    step: () =>
      retryWhenChanged(async () => {
        const now = clock.now();
        const rows = await dueTerms(store, { now, limit: batch });
        const works = rows.map((row) => tellDue(row, now, isStillDue(row, changedMeanwhile('Usage', row.entityId))));
        if (works.length > 0) await store.commit(together(...works), systemActor);
        return rows.length === batch;
      }),
  });
