import type { Clock } from '../../lib/clock.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { systemActor } from '../../store/contract.ts';
import type { Store } from '../../store/store.ts';
import { removeEntries, sizeOf } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: AuditLimits;
}

export interface AuditLimits {
  /** Days until an entry is removed. 0: never. */
  readonly auditDays: number;
  /** Most entries. 0: as many as come. */
  readonly auditRows: number;
}

const day = 24 * 60 * 60_000;
const pause = 60_000;
/** Of each kind, in one commit. */
const batch = 500;

/** Removes what is too old or too much, in bounded pieces beside requests. */
export function createAuditSweeper({ store, clock, log, settings }: Parts) {
  const most = settings.auditRows || Number.MAX_SAFE_INTEGER;
  // A flood of callers who were not let in must not push out what users did.
  const mostAnonymous = Math.floor(most / 2);
  const closed = new AbortController();
  let due = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  /** One piece, if it is time. Gives the milliseconds until the next one is due. */
  async function work(): Promise<number> {
    const now = clock.now();
    if (now < due) return due - now;
    // Before the first wait: a second caller finds it done, and a database that fails is not asked at once again.
    due = now + pause;
    const before = settings.auditDays > 0 ? now - settings.auditDays * day : 0;
    const { oldest, rows, anonymous } = await sizeOf(store);
    if (oldest >= before && rows <= most && anonymous <= mostAnonymous) return pause;
    const changes = removeEntries({ before, most, mostAnonymous, batch });
    const removed = await store.commit({ changes, events: [] }, systemActor);
    if (removed.every((some) => some.length === 0)) return pause;
    due = now;
    return 0;
  }

  async function piece(): Promise<number> {
    try {
      return await work();
    } catch (error) {
      log.write('warn', 'housekeeping-halted', describeError(error));
      return pause;
    }
  }

  async function run(): Promise<void> {
    while (!closed.signal.aborted && (await piece()) === 0);
  }

  return {
    work,
    /** The same, and says in the log what went wrong: for callers that have no log of their own. */
    piece,

    /** Sweeps in the background, for an instance that has no other housekeeping. */
    wake(): void {
      if (clock.now() < due) return;
      running ??= run().finally(() => {
        running = undefined;
      });
    },

    async close(): Promise<void> {
      closed.abort();
      await running;
    },
  };
}
