import type { Clock } from '../../core/lib/clock.ts';
import { systemActor } from '../../core/store/contract.ts';
import type { Store } from '../../core/store/store.ts';
import type { WorkKind } from '../../core/work/work-kind.ts';
import { steps } from '../../core/work/work-kind.ts';
import type { Services } from '../../room/context.ts';
import { removeReads, sizeOfReads } from './reads-sql.ts';
import { auditSize, removeAuditEntries, sweepDue } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: AuditLimits;
  readonly services: Pick<Services, 'retention' | 'retentionDays'>;
}

interface AuditLimits {
  /** Days until an entry is removed. 0: never. */
  readonly auditDays: number;
  /** Most entries. 0: as many as come. */
  readonly auditRows: number;
  /** Most requests without a change. 0: none. */
  readonly auditReads: number;
  readonly auditReadDays: number;
}

const day = 24 * 60 * 60_000;
const pause = 60_000;
/** Rows of each kind in one commit. */
const batch = 500;
/** Rows of reads in one commit. They are more frequent and narrower. */
const readBatch = 2_000;

/** Deletes old or excess entries in bounded batches, in the background. */
export function auditSweepKind({ store, clock, settings, services }: Parts): WorkKind {
  const max = settings.auditRows || Number.MAX_SAFE_INTEGER;
  // Half of the rows, so that a flood of unauthenticated requests cannot displace entries of users.
  const maxAnonymous = Math.floor(max / 2);

  async function step(): Promise<boolean> {
    // Retention set through the API takes precedence over the setting.
    const { auditDays = settings.auditDays } = await services.retention();
    const before = auditDays > 0 ? clock.now() - auditDays * day : 0;
    const readsBefore = Math.max(before, clock.now() - settings.auditReadDays * day);
    const { oldest, rows, anonymous } = await auditSize(store);
    const reads = await sizeOfReads(store);
    const isMuch = oldest < before || rows > max || anonymous > maxAnonymous;
    const areReadsMany = reads.oldest < readsBefore || reads.rows > settings.auditReads;
    if (!isMuch && !areReadsMany) return false;
    const changes = [
      ...(areReadsMany ? removeReads({ before: readsBefore, max: settings.auditReads, batch: readBatch }) : []),
      ...(isMuch ? removeAuditEntries({ before, max, maxAnonymous, batch }) : []),
    ];
    const removed = await store.commit({ changes, events: [] }, systemActor);
    return removed.some((some) => some.length > 0);
  }

  return steps({
    name: 'audit-sweep',
    says: 'Removes entries of the audit log that are too old or too many',
    // A read may have been refused, which makes an entry.
    afterReads: true,
    priority: 90,
    clock,
    rest: pause,
    due: () => sweepDue(services.retentionDays.auditDays, { ...settings, max, maxAnonymous }),
    step,
  });
}
