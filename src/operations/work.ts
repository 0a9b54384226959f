import type { WorkStatus } from '../work/status.ts';
import type { WorkList } from './documents/work-list.ts';

/** Document of the background work. */
export const workListOf = (instance: string, statuses: readonly WorkStatus[]): WorkList => ({
  instance,
  work: statuses.map(({ lastFailure, pieces, ...status }) => ({
    ...status,
    piece: pieces,
    lastFailure: lastFailure?.at,
    lastFailureReason: lastFailure?.says,
  })),
});
