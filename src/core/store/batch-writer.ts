import type { Clock } from '../lib/clock.ts';
import { ServiceError } from '../lib/errors.ts';
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
  /** Two batches with the entries of one. Undefined: it has one entry. */
  halves(batch: B): readonly [B, B] | undefined;
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

const maxPause = 30_000;

/** The halves of a list. Undefined: it has one entry at most. */
export function halvesOf<T>(list: readonly T[]): readonly [T[], T[]] | undefined {
  const middle = list.length >> 1;
  return middle === 0 ? undefined : [list.slice(0, middle), list.slice(middle)];
}

/** Refusals of what is written: the same entries are refused each time. Others tell of the database. */
const isOfEntry = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'bad-value' || error.code === 'internal');

/**
 * Writes gathered entries, and tries again until the database takes them. Entries that it never takes are found by halves
 * and dropped: they must not keep all others from being written.
 */
export function createBatchWriter<B>({ store, clock, log, gathered, sharesWork, failure, pause }: Parts<B>) {
  const underway = new Set<Promise<void>>();
  const closed = new AbortController();
  let scheduled: Promise<void> | undefined;
  let failures = 0;

  /** Schedules a write while entries wait. */
  function schedule(): void {
    if (closed.signal.aborted) return;
    scheduled ??= clock
      .sleep(Math.min(pause * 2 ** failures, maxPause), closed.signal)
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
    const dropped: unknown[] = [];
    try {
      await commitParts([batch], dropped);
      failures = 0;
    } catch (error) {
      failures++;
      log.write('error', failure, describeError(error));
      if (sharesWork) schedule();
    }
    if (dropped.length > 0) log.write('error', failure, { dropped: dropped.length, ...describeError(dropped[0]) });
  }

  async function commitParts(parts: B[], dropped: unknown[]): Promise<void> {
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      try {
        await store.commit({ changes: gathered.changesOf(part), events: [] }, systemActor);
        gathered.written(part);
      } catch (error) {
        const halves = isOfEntry(error) ? gathered.halves(part) : undefined;
        if (halves) parts.push(halves[1], halves[0]);
        else if (isOfEntry(error)) {
          gathered.written(part);
          dropped.push(error);
        } else {
          // The earliest entries come last, and wait before the others.
          for (const each of [...parts, part]) gathered.failed(each);
          throw error;
        }
      }
    }
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
