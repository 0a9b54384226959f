import type { Clock } from '../lib/clock.ts';
import { describeError, type Log } from '../lib/log.ts';
import { type Statement, systemActor } from './contract.ts';
import type { Store } from './store.ts';

/** Entries that wait to be written, one batch at a time. */
export interface Batches<B> {
  readonly size: number;
  /** Takes everything that waits. `written` or `failed` ends the batch. */
  take(): B | undefined;
  written(batch: B): void;
  /** The batch waits again, together with what came meanwhile. */
  failed(batch: B): void;
  changesOf(batch: B): Statement[];
}

interface Parts<B> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly gathered: Batches<B>;
  /** False on an edge, where nothing goes on after an answer. */
  readonly sharesWork: boolean;
  /** Event of the log for a batch that could not be written. */
  readonly failure: string;
  /** Milliseconds until entries that wait are written. Doubles with each failure in a row. */
  readonly pause: number;
}

const mostPause = 30_000;

/** Writes gathered entries, and tries again until the database takes them. */
export function createBatchWriter<B>({ store, clock, log, gathered, sharesWork, failure, pause }: Parts<B>) {
  const underway = new Set<Promise<void>>();
  const closed = new AbortController();
  let scheduled: Promise<void> | undefined;
  let failures = 0;

  /** Schedules a write while entries wait. */
  function schedule(): void {
    if (closed.signal.aborted) return;
    scheduled ??= clock
      .sleep(Math.min(pause * 2 ** failures, mostPause), closed.signal)
      .then(write, () => undefined)
      .finally(() => {
        scheduled = undefined;
        if (gathered.size > 0) schedule();
      });
  }

  function write(): Promise<void> {
    const batch = gathered.take();
    if (!batch) return Promise.resolve();
    const work = commit(batch).finally(() => underway.delete(work));
    underway.add(work);
    return work;
  }

  async function commit(batch: B): Promise<void> {
    const changes = gathered.changesOf(batch);
    try {
      await store.commit({ changes, events: [] }, systemActor);
    } catch (error) {
      gathered.failed(batch);
      failures++;
      log.write('error', failure, { entries: changes.length, ...describeError(error) });
      if (sharesWork) schedule();
      return;
    }
    gathered.written(batch);
    failures = 0;
  }

  /** Writes what waits, and ends when earlier writes have ended, too. On an edge no request waits for another one. */
  async function flush(): Promise<void> {
    const earlier = sharesWork ? [...underway] : [];
    await Promise.all([...earlier, write()]);
  }

  return {
    schedule,
    write,
    flush,
    async close(): Promise<void> {
      closed.abort();
      await scheduled;
      await Promise.all(underway);
      await write();
    },
  };
}
