import type { Trace } from '../../http/call.ts';
import type { Answered } from '../../http/handler.ts';
import type { Clock } from '../../lib/clock.ts';
import { describeError, type Log } from '../../lib/log.ts';
import type { Maybe } from '../../lib/maybe.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { Recent } from '../../lib/recent.ts';
import { systemActor } from '../../store/contract.ts';
import type { Store } from '../../store/store.ts';
import { type AuditEntry, insertEntry, sweepEntries } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Days until an entry goes. 0: never. */
  readonly days: number;
  /** False on an edge, where nothing goes on after an answer: each entry is written before it. */
  readonly sharesWork: boolean;
}

const pause = 1_000;
const mostWaiting = 2_000;
const day = 24 * 60 * 60_000;
const sweepPause = 10 * 60_000;
/** A caller is written down when they come, and again after that time; not with every request. */
const loginPause = 60 * 60_000;
const mostLogins = 50_000;

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);
const refusals = new Set([401, 403, 429]);

export type AuditRecorder = ReturnType<typeof createAuditRecorder>;

/**
 * Who did what, as whom, from where, and what came of it. A change is written down in its own commit. What changes
 * nothing is gathered for a second: refusals, failed changes, and the first request of a caller.
 */
export function createAuditRecorder({ store, clock, log, metrics, days, sharesWork }: Parts) {
  const waiting = new Map<string, AuditEntry>();
  const callers = new Recent<string, true>(mostLogins);
  const dropped = metrics.counter('portico_audit_dropped_total', 'Audit entries that were too many to write');
  let overflow = 0;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let flushing: Promise<void> | undefined;
  const closed = new AbortController();

  function answered(request: Answered): Maybe<void> {
    const { method, status, trace, address } = request;
    if (trace.audited) return;
    const refused = refusals.has(status);
    if (!refused && reading.has(method) && !isNew(trace, address)) return;
    // Nobody was let in and nothing was changed: an open path, or one that does not exist.
    if (!refused && trace.user === undefined) return;
    return add(entryOf(request));
  }

  function isNew({ user, runAs, proof }: Trace, address: string | undefined): boolean {
    if (user === undefined) return false;
    const key = `${address ?? ''} ${proof ?? ''} ${user}${runAs === undefined ? '' : ` ${runAs}`}`;
    const now = clock.now();
    if (callers.get(key, now)) return false;
    callers.set(key, true, now + loginPause);
    return true;
  }

  function entryOf({ method, status, trace, address }: Answered): AuditEntry {
    return {
      at: clock.now(),
      user: trace.user ?? null,
      runAs: trace.runAs ?? null,
      method: method.slice(0, 16),
      path: (trace.path ?? '').slice(0, 1000),
      query: null,
      contentType: null,
      contentLength: null,
      status,
      reason: trace.reason ?? trace.proof ?? null,
      address: address ?? null,
      requestId: trace.id,
      count: 1,
    };
  }

  function add(entry: AuditEntry): Maybe<void> {
    const { user, runAs, method, path, status, reason, address } = entry;
    const key = JSON.stringify([user, runAs, method, path, status, reason, address]);
    const alike = waiting.get(key);
    if (!alike && waiting.size >= mostWaiting) {
      overflow++;
      dropped().add();
      return;
    }
    waiting.set(key, alike ? { ...alike, count: alike.count + 1 } : entry);
    if (!sharesWork) return write();
    flushing ??= clock
      .sleep(pause, closed.signal)
      .catch(() => undefined)
      .then(write)
      .finally(() => {
        flushing = undefined;
      });
  }

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    const taken = [...waiting];
    const entries = taken.map(([, entry]) => entry);
    waiting.clear();
    if (overflow > 0) entries.push(overflowed(overflow));
    overflow = 0;
    const now = clock.now();
    const sweeps = days > 0 && now - sweptAt >= sweepPause;
    if (sweeps) sweptAt = now;
    const changes = [...entries.map(insertEntry), ...(sweeps ? [sweepEntries({ before: now - days * day })] : [])];
    try {
      await store.commit({ changes, events: [] }, systemActor);
    } catch (error) {
      // With the next ones, when the database is back.
      for (const [key, entry] of taken) if (waiting.size < mostWaiting) waiting.set(key, entry);
      log.write('error', 'audit-not-written', { entries: entries.length, ...describeError(error) });
    }
  }

  function overflowed(count: number): AuditEntry {
    const trace = { id: '', headers: {}, path: '/', reason: 'too-many' };
    return { ...entryOf({ method: '*', status: 0, trace, address: undefined }), requestId: null, count };
  }

  return {
    answered,
    /** Writes what waits: before it is read here, and at the end. */
    flush: write,
    async close(): Promise<void> {
      closed.abort();
      await flushing;
      await write();
    },
  };
}
