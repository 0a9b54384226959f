import { ServiceError } from '../../../core/lib/errors.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import type { Store } from '../../../core/store/store.ts';
import { beginReplay, windowSince } from './store.ts';

export interface ReplayRequest {
  readonly id: string;
  readonly since: number;
  /** Only parked events. */
  readonly onlyParked: boolean;
  /** Counted, and not sent. */
  readonly dryRun: boolean;
  readonly user: string;
  readonly now: number;
}

/** Clocks of instances differ by less: an event may be a little older than the one before it. */
const skew = 60_000;

/** Takes the place of the last replay of this notification; one that runs is in the way. */
export async function beginning(store: Store, { onlyParked, dryRun, ...request }: ReplayRequest): Promise<CommitPlan> {
  const { first, end } = await windowSince(store, request.since - skew);
  const flags = { onlyParked: onlyParked ? 1 : 0, dryRun: dryRun ? 1 : 0 };
  return {
    changes: beginReplay({ ...request, ...flags, next: first, until: end }, alreadyRuns(request.id)),
    events: [],
    touches: [{ kind: 'notification', id: request.id, aspect: 'replay' }],
  };
}

function alreadyRuns(id: string): ServiceError {
  const explanation = 'Expected no replay of this notification that still runs: wait for it, or delete it';
  return new ServiceError('already-exists', { type: 'Replay', id, explanation });
}
