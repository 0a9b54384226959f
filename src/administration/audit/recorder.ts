import { Recent } from '../../core/lib/cache.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import { storable } from '../../core/lib/storable.ts';
import { createBatchWriter } from '../../core/store/batch-writer.ts';
import type { Store } from '../../core/store/store.ts';
import { keptParameters } from '../../http/actor-request.ts';
import type { Trace } from '../../http/call.ts';
import type { Answered } from '../../http/handler.ts';
import { readingMethods } from '../../http/route.ts';
import { AuditedReads, Gathered } from './gathered.ts';
import type { AuditEntry } from './store.ts';

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: { readonly auditPaths: number; readonly auditReads: number };
  /** False on an edge, where nothing goes on after an answer: each entry is written before it. */
  readonly sharesWork: boolean;
  fingerprint(text: string): string;
}

/** A caller is written down when they come, and again after that time; not with every request. */
const loginPause = 60 * 60_000;
const maxLogins = 50_000;

/** A refused caller writes any text into the header RunAs. */
const maxNameLength = 255;

/** Milliseconds until gathered entries are written. Reads wait longer, because there are many. */
const pause = 1_000;
const pauseOfReads = 5_000;

const refusals = new Set([401, 403, 429]);

const noParameters = { query: null, matrix: null };

const anyRequest = { method: '*', path: '/*', ...noParameters };

/** Whether the request is a search: a `PUT` with an answer and without a change. */
const isSearch = ({ method, status }: Answered): boolean => method === 'PUT' && status === 200;

export type AuditRecorder = ReturnType<typeof createAuditRecorder>;

/**
 * Records who did what, as whom, from where, and what came of it. A change is written in its own commit. Refusals, failed
 * changes and the first request of a caller are gathered for a second, equal ones as one. Other requests of users change
 * nothing, and are written in batches.
 */
export function createAuditRecorder({ store, clock, log, metrics, settings, sharesWork, fingerprint }: Parts) {
  const gathered = new Gathered({ paths: settings.auditPaths, fingerprint });
  const failure = 'audit-not-written';
  const writer = createBatchWriter({ store, clock, log, gathered, sharesWork, failure, pause });
  const reads = new AuditedReads();
  const ofReads = { gathered: reads, pause: pauseOfReads };
  const readWriter = createBatchWriter({ store, clock, log, sharesWork, failure, ...ofReads });
  // Not on the edge, where each read would need a commit before its answer.
  const keepsReads = sharesWork && settings.auditReads > 0;
  const callers = new Recent<string, true>(maxLogins);
  const dropped = metrics.counter('portico_audit_dropped_total', 'Audit entries that were too many to write');

  function answered(request: Answered): Maybe<void> {
    const { method, status, trace, address } = request;
    if (trace.audited) return;
    if (refusals.has(status)) return add(entryOf(request));
    // Public path or unknown path, without a change.
    if (trace.user === undefined) return;
    const isRead = readingMethods.has(method);
    if (!isRead && !(keepsReads && isSearch(request))) return add(entryOf(request));
    if (isNew(trace, address)) return add(settings.auditReads > 0 ? entryOf(request) : loginOf(request));
    if (keepsReads) read(request);
  }

  function read(request: Answered): void {
    reads.add(request);
    readWriter.schedule();
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
      runAs: trace.runAs === undefined ? null : storable(trace.runAs, maxNameLength),
      method: method.slice(0, 16),
      path: storable(trace.path ?? '', 1000),
      ...(trace.user !== undefined && trace.parameters ? keptParameters(trace.parameters) : noParameters),
      contentType: null,
      contentLength: null,
      status,
      reason: trace.reason ?? trace.proof ?? null,
      address: address ?? null,
      requestId: trace.id,
      count: 1,
      lastAt: null,
    };
  }

  /** The first request of a caller where the log has no reads: it says who came, and not what they read. */
  const loginOf = (request: Answered): AuditEntry => ({ ...entryOf(request), ...anyRequest });

  function add(entry: AuditEntry): Maybe<void> {
    if (!gathered.add(entry)) dropped().add();
    if (!sharesWork) return writer.write();
    writer.schedule();
  }

  return {
    answered,
    /** Writes waiting entries, so that a reader sees them. */
    async flush(): Promise<void> {
      await Promise.all([writer.flush(), readWriter.flush()]);
    },
    async close(): Promise<void> {
      await Promise.all([writer.close(), readWriter.close()]);
    },
  };
}
