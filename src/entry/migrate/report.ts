import { AsyncLocalStorage } from 'node:async_hooks';
import { printable } from '../../core/lib/messages.ts';
import { type ApiFigures, reasonOf } from './calls.ts';

export type Outcome = 'made' | 'changed' | 'same' | 'deleted';

interface KindFigures {
  readonly kind: string;
  made: number;
  changed: number;
  same: number;
  deleted: number;
  failed: number;
}

interface Failure {
  readonly kind: string;
  readonly id: string;
  readonly why: string;
}

/** Something that is not at the target as it was. `part`: beginning of the keys of the parts that it is about. */
export interface Remark {
  readonly text: string;
  /** Id of the entity. */
  readonly id: string;
  readonly part?: string;
}

/** A remark, with some of the ids that it is about. */
interface Remarks {
  readonly text: string;
  count: number;
  readonly ids: string[];
}

export interface ReportDocument {
  readonly from: string;
  readonly version: string;
  readonly to: string;
  readonly state: 'complete' | 'stopped';
  readonly reason?: string | undefined;
  readonly began: string;
  readonly ended: string;
  readonly kind: readonly KindFigures[];
  readonly failed: number;
  readonly copiedBytes: number;
  /** The first ones. */
  readonly failure: readonly Failure[];
  readonly remark: readonly Remarks[];
  /** Users who need a password, or log in by a provider. */
  readonly withoutPassword: readonly string[];
  /** Scheduled requests, which do not come. */
  readonly schedule: readonly object[];
  readonly original: Readonly<ApiFigures>;
  readonly target: Readonly<ApiFigures>;
}

const [maxFailures, maxIds, maxRemarks] = [1_000, 20, 100_000];

/** Outcome of a run, entity by entity. */
export class Report {
  readonly #kinds = new Map<string, KindFigures>();
  readonly #failures: Failure[] = [];
  /** Remarks that are about no entity which the journal has. */
  readonly #remarks = new Map<string, Remark>();
  readonly #collected = new AsyncLocalStorage<Map<string, Remark>>();
  readonly withoutPassword = new Set<string>();
  schedule: readonly object[] = [];
  /** Bytes that were copied, and whose hashes are those of the original. */
  copiedBytes = 0;

  /** Kinds of which a list of the original has told external ids. */
  readonly tellsIds = new Set<string>();

  /** Entities, one after the other, for which a side gave no answer. */
  unanswered = 0;

  /** Told of each entity that is done. */
  told: (kind: string) => void = () => undefined;

  copied(bytes: number): void {
    this.copiedBytes += bytes;
  }

  /** Undefined: the entity is nothing. */
  count(kind: string, outcome: Outcome | undefined): void {
    if (outcome) this.#of(kind)[outcome]++;
    this.told(kind);
  }

  fail(kind: string, id: string, why: string): void {
    this.#of(kind).failed++;
    if (this.#failures.length < maxFailures) this.#failures.push({ kind, id: printable(id), why: printable(why) });
  }

  /** An entry that the original cannot answer. */
  unread(kind: string, position: number, error: unknown): void {
    this.fail(kind, `number ${position} of the list`, reasonOf(error));
  }

  /** A list of the original that says more entries than it has. */
  short(kind: string, expected: number, found: number): void {
    this.remark(`The list of the original has fewer entries than it says: ${kind}`, `${found} of ${expected}`);
  }

  /** Notes what is not at the target as it was. `id`: of the entity. */
  remark(text: string, id: string, part?: string): void {
    const remarks = this.#collected.getStore() ?? this.#remarks;
    const remark = { text: printable(text), id: printable(id), ...(part !== undefined && { part }) };
    if (remarks.size < maxRemarks) remarks.set(JSON.stringify([text, id]), remark);
  }

  /** Runs work on an entity, and gives what it remarks to the journal. */
  async collect<T>(work: () => Promise<T> | T): Promise<[T, readonly Remark[]]> {
    const remarks = new Map<string, Remark>();
    return [await this.#collected.run(remarks, work), [...remarks.values()]];
  }

  /** Entities of a kind that this run has looked at. */
  done(kind: string): number {
    const figures = this.#of(kind);
    return figures.made + figures.changed + figures.same + figures.failed;
  }

  get failed(): number {
    return [...this.#kinds.values()].reduce((sum, { failed }) => sum + failed, 0);
  }

  /** `noted`: remarks on all that came, in this run or before. */
  async figures(
    noted: AsyncIterable<Remark>,
  ): Promise<
    Pick<ReportDocument, 'kind' | 'failed' | 'copiedBytes' | 'failure' | 'remark' | 'withoutPassword' | 'schedule'>
  > {
    const remarks = new Map<string, Remarks>();
    const add = ({ text, id }: Remark) => {
      const one = remarks.get(text) ?? { text, count: 0, ids: [] };
      one.count++;
      if (one.ids.length < maxIds && !one.ids.includes(id)) one.ids.push(id);
      if (remarks.size < maxRemarks) remarks.set(text, one);
    };
    for (const remark of this.#remarks.values()) add(remark);
    for await (const remark of noted) add(remark);
    return {
      kind: [...this.#kinds.values()],
      failed: this.failed,
      copiedBytes: this.copiedBytes,
      failure: this.#failures,
      remark: [...remarks.values()].toSorted((a, b) => b.count - a.count),
      withoutPassword: [...this.withoutPassword].toSorted(),
      schedule: this.schedule,
    };
  }

  #of(kind: string): KindFigures {
    let figures = this.#kinds.get(kind);
    if (!figures) {
      figures = { kind, made: 0, changed: 0, same: 0, deleted: 0, failed: 0 };
      this.#kinds.set(kind, figures);
    }
    return figures;
  }
}
