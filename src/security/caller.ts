import { ServiceError } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import { retryWhenChanged } from '../core/lib/retry-when-changed.ts';
import type { Actor, CommitPlan } from '../core/store/contract.ts';
import type { LimitedReader } from '../core/store/statement.ts';
import type { Guest } from './arrival.ts';
import type { Subject } from './subject.ts';

/** Caller of a request, as far as rules, stores and jobs see it. */
export interface Caller {
  /** Undefined only on public routes. */
  readonly subject: Subject | undefined;
  /** Milliseconds since the epoch at which the request arrived, or the step of the job began. */
  readonly came: number;
  /** In whose name changes are stored, also those of jobs that the caller starts. */
  actor(): Actor;
  /** Stores the work in the name of the caller. */
  commit(work: CommitPlan): Promise<void>;
  /** Decides on the current state, commits the plan and answers it; decides again when another request was faster. */
  readonly change: typeof changeAsCaller;
  /** Reads in the share of the account. */
  readonly reader: LimitedReader;
  /** Guest of a share for whom the service asks as its maker, who is the subject. */
  readonly guest?: Guest | undefined;
}

/**
 * `change` of every caller. `isRetry`: earlier reads are stale. A plan without changes, or none, commits nothing. Other properties of
 * the plan reach the code that asked.
 */
export function changeAsCaller<Plan extends CommitPlan | undefined>(
  this: { commit(work: CommitPlan): Promise<unknown> },
  decide: (isRetry: boolean) => Maybe<Plan>,
  stale?: (error: ServiceError) => boolean,
): Promise<Plan> {
  return retryWhenChanged(async (isRetry) => {
    const plan = await decide(isRetry);
    if (plan !== undefined && plan.changes.length > 0) await this.commit(plan);
    return plan;
  }, stale);
}

/** The authenticated subject. 401 if there is none. */
export function subjectOf({ subject }: Pick<Caller, 'subject'>): Subject {
  if (subject) return subject;
  throw new ServiceError('not-authenticated');
}

/** Account whose credentials the request has: the user, or the caller who acts for the user. */
export const accountOf = ({ subject }: Pick<Caller, 'subject'>): string => subject?.actor?.name ?? subject?.name ?? '';
