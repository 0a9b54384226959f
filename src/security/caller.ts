import { ServiceError } from '../core/lib/errors.ts';
import type { Actor, CommitPlan } from '../core/store/contract.ts';
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
}

/** The authenticated subject. 401 if there is none. */
export function subjectOf({ subject }: Pick<Caller, 'subject'>): Subject {
  if (subject) return subject;
  throw new ServiceError('not-authenticated');
}

/** Account whose credentials the request has: the user, or the caller who acts for the user. */
export const accountOf = ({ subject }: Pick<Caller, 'subject'>): string => subject?.actor?.name ?? subject?.name ?? '';
