import { printable } from '../../core/lib/messages.ts';
import { type ApiFigures, reasonOf } from './calls.ts';

type Outcome = 'made' | 'changed' | 'same' | 'deleted';

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

/** Something that is not at the target as it was, with some of the ids that it is about. */
interface Remark {
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
  readonly remark: readonly Remark[];
  /** Users who need a password, or log in by a provider. */
  readonly withoutPassword: readonly string[];
  /** Scheduled requests, which do not come. */
  readonly schedule: readonly object[];
  readonly original: Readonly<ApiFigures>;
  readonly target: Readonly<ApiFigures>;
}

const [maxFailures, maxIds, maxRemarks] = [1_000, 20, 500];

/** Outcome of a run, entity by entity. */
export class Report {
  readonly #kinds = new Map<string, KindFigures>();
  readonly #failures: Failure[] = [];
  readonly #remarks = new Map<string, Remark>();
  readonly withoutPassword = new Set<string>();
  schedule: readonly object[] = [];
  /** Bytes that were copied, and whose hashes are those of the original. */
  copiedBytes = 0;

  /** Whether a page of the original has told external ids. */
  pagesTellIds = false;

  /** Entities, one after the other, for which a side gave no answer. */
  unanswered = 0;

  /** Told of each entity that is done. */
  told: (kind: string) => void = () => undefined;

  copied(bytes: number): void {
    this.copiedBytes += bytes;
  }

  count(kind: string, outcome: Outcome): void {
    this.#of(kind)[outcome]++;
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

  /** Notes what is not at the target as it was. `id`: of the entity. */
  remark(text: string, id: string): void {
    const remark = this.#remarks.get(text) ?? { text, count: 0, ids: [] };
    remark.count++;
    if (remark.ids.length < maxIds && !remark.ids.includes(id)) remark.ids.push(id);
    if (this.#remarks.size < maxRemarks) this.#remarks.set(text, remark);
  }

  /** Entities of a kind that this run has looked at. */
  done(kind: string): number {
    const figures = this.#of(kind);
    return figures.made + figures.changed + figures.same + figures.failed;
  }

  get failed(): number {
    return [...this.#kinds.values()].reduce((sum, { failed }) => sum + failed, 0);
  }

  figures(): Pick<
    ReportDocument,
    'kind' | 'failed' | 'copiedBytes' | 'failure' | 'remark' | 'withoutPassword' | 'schedule'
  > {
    return {
      kind: [...this.#kinds.values()],
      failed: this.failed,
      copiedBytes: this.copiedBytes,
      failure: this.#failures,
      remark: [...this.#remarks.values()].toSorted((a, b) => b.count - a.count),
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
