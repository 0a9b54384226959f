import type { Statement } from '../../../core/store/contract.ts';
import { keptParameters } from '../../../http/actor-request.ts';
import type { Answered } from '../../../http/handler.ts';
import type { Parameters } from '../../../security/parameters.ts';
import type { Batches } from '../writer.ts';
import { insertReads, type ReadRow } from './store.ts';

/** A request without a change, as far as its row needs it. */
interface AnsweredRead extends Pick<Answered, 'method' | 'status' | 'address'> {
  readonly came: number;
  readonly user: string | undefined;
  readonly runAs: string | undefined;
  readonly path: string | undefined;
  readonly parameters: Parameters | undefined;
}

/** Requests that wait to be written together. */
interface ReadBatch {
  readonly requests: readonly AnsweredRead[];
  /** Number of dropped reads, and the time of the first one. */
  readonly missed: number;
  readonly missedAt: number;
}

/** Limit of waiting reads. With the pause of the writer it allows some thousand a second. More are only counted. */
const mostWaiting = 5_000;
const longestPath = 1_000;
const longestName = 255;

/**
 * Requests without a change, beside their answers. Rows are made when a batch is written. No trace is kept: objects of
 * a request that outlive it make garbage collections longer.
 */
export class AuditedReads implements Batches<ReadBatch> {
  #waiting: AnsweredRead[] = [];
  #missed = 0;
  #missedAt = 0;

  get size(): number {
    return this.#waiting.length + this.#missed;
  }

  add({ method, status, address, trace: { came, user, runAs, path, parameters } }: Answered): void {
    if (this.#waiting.length >= mostWaiting) this.#miss(1, came);
    else this.#waiting.push({ method, status, address, came, user, runAs, path, parameters });
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
    if (beyond > 0) this.#miss(beyond, all[mostWaiting]!.came);
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

function rowOf({ method, status, address, came, user, runAs, path = '', parameters }: AnsweredRead): ReadRow {
  const { query, matrix } = parameters?.pairs.length ? keptParameters(parameters) : none;
  return [
    came,
    user ?? null,
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
