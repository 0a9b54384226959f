import { keptParameters } from '../../http/actor-request.ts';
import type { Answered } from '../../http/handler.ts';
import type { Statement } from '../../store/contract.ts';
import type { Batches } from '../writer.ts';
import { insertReads, type ReadRow } from './store.ts';

/** Requests that wait to be written together. */
interface ReadBatch {
  readonly requests: readonly Answered[];
  /** Number of dropped reads, and the time of the first one. */
  readonly missed: number;
  readonly missedAt: number;
}

/** Limit of waiting reads. With the pause of the writer it allows some thousand a second. More are only counted. */
const mostWaiting = 5_000;
const longestPath = 1_000;
const longestName = 255;

/**
 * Requests without a change, beside their answers. Only a reference is kept with a request: text is made of many of them
 * at once.
 */
export class AuditedReads implements Batches<ReadBatch> {
  #waiting: Answered[] = [];
  #missed = 0;
  #missedAt = 0;

  get size(): number {
    return this.#waiting.length + this.#missed;
  }

  add(request: Answered): void {
    if (this.#waiting.length < mostWaiting) this.#waiting.push(request);
    else this.#miss(1, request.trace.came);
  }

  take(): ReadBatch | undefined {
    if (this.size === 0) return undefined;
    const batch = { requests: this.#waiting, missed: this.#missed, missedAt: this.#missedAt };
    this.#waiting = [];
    this.#missed = 0;
    return batch;
  }

  written(): void {}

  /** Waits again, before what came meanwhile. */
  failed({ requests, missed, missedAt }: ReadBatch): void {
    const all = [...requests, ...this.#waiting];
    this.#waiting = all.slice(0, mostWaiting);
    const beyond = all.length - this.#waiting.length;
    if (beyond > 0) this.#miss(beyond, all[mostWaiting]!.trace.came);
    if (missed > 0) this.#miss(missed, missedAt);
  }

  changesOf({ requests, missed, missedAt }: ReadBatch): Statement[] {
    const rows = requests.map(rowOf);
    if (missed > 0) rows.push([missedAt, null, null, '*', '/*', null, null, 0, null, missed]);
    return [insertReads(rows)];
  }

  #miss(count: number, at: number): void {
    this.#missedAt = this.#missed === 0 ? at : Math.min(this.#missedAt, at);
    this.#missed += count;
  }
}

function rowOf({ method, status, address, trace }: Answered): ReadRow {
  const { user = null, runAs, path = '', parameters } = trace;
  const { query, matrix } = parameters?.pairs.length ? keptParameters(parameters) : none;
  return [
    trace.came,
    user,
    runAs?.slice(0, longestName) ?? null,
    method,
    path.slice(0, longestPath),
    query,
    matrix,
    status,
    address ?? null,
    1,
  ];
}

const none = { query: null, matrix: null };
