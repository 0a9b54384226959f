import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import { type Piece, type WorkKind, workKind } from '../../core/work/kind.ts';
import { steps } from '../../core/work/steps.ts';
import type { RoomContext } from '../../room/context.ts';
import { carryOutRequest } from './carry-out.ts';
import { lostResult } from './rules.ts';
import type { SchedulingSettings } from './settings.ts';
import {
  extendRequest,
  findRequest,
  forgetBeyond,
  leaseHolds,
  loseRequests,
  measureRequests,
  nextDueRequest,
  oldRequestsDue,
  type RequestHold,
  recordResult,
  removeOldRequests,
  requestsDue,
  takeRequests,
} from './store.ts';

/** Lease time in milliseconds. */
const leaseTime = 20_000;
const longest = 900_000;
const hands = 4;

/** Thrown if another instance declared the request lost, or it was deleted. */
const lost = new ServiceError('changed-meanwhile', { explanation: 'Expected the scheduled request as it was' });

interface ClaimedRequest extends Piece {
  readonly hold: RequestHold;
}

/** Runs each request at its time. An interrupted request is never repeated. */
export function scheduledKind(parts: RoomContext<SchedulingSettings>): WorkKind {
  const { store, clock, settings } = parts;
  const lose = (before: number) =>
    store.commit(changing(loseRequests({ ...lostResult, now: clock.now(), before })), systemActor);

  return workKind<ClaimedRequest>({
    name: 'scheduled-requests',
    says: 'Carries out scheduled requests at their time',
    hosts: ['loop', 'edge'],
    priority: 42,
    concurrency: hands,
    longest,
    wokenBy: ['scheduled-request.due'],
    lease: {
      milliseconds: leaseTime,
      renew: ({ hold }, until) =>
        store.commit(
          changing(leaseHolds({ ...hold }, lost), extendRequest({ id: hold.id, leaseUntil: until })),
          systemActor,
        ),
      lost,
    },
    due: () => requestsDue,
    async claim(most, now) {
      const [first] = await nextDueRequest(store, {});
      const { due = null, ends = null } = first ?? {};
      if (ends !== null && ends < now) await lose(now);
      if (due === null || due > now) return [];
      const taken = takeRequests({ now, until: now + leaseTime, most });
      const [rows = []] = await store.commit(changing(taken), systemActor);
      return rows.map(([id, fence]) => ({ key: String(id), hold: { id: Number(id), fence: Number(fence) } }));
    },
    async do({ hold }, held) {
      const row = await findRequest(store, { id: hold.id });
      if (!row) return;
      const guard = leaseHolds({ ...hold }, lost);
      if (!held.mayGoOn()) {
        await store.commit(changing(guard, extendRequest({ id: hold.id, leaseUntil: 0 })), systemActor);
        return;
      }
      const result = await carryOutRequest(parts, row);
      const recorded = recordResult({ ...result, id: row.id, now: clock.now() });
      const bounded = forgetBeyond({ userId: row.userId, most: settings.maxScheduled });
      try {
        await store.commit(changing(guard, recorded, bounded), systemActor);
      } catch (error) {
        if (error !== lost) throw error;
      }
      if (result.state === 'SUCCESS') held.done();
      else held.failed(result.state === 'BAD_REQUEST' ? undefined : `${row.id}: ${result.status}`);
    },
    async measure() {
      const [measured] = await measureRequests(store, { now: clock.now() });
      const { waiting = 0, oldest = null, running = 0 } = measured ?? {};
      return { waiting: waiting - running, oldest: oldest ?? undefined, running };
    },
    async takeBack() {
      const [ended = []] = await lose(Number.MAX_SAFE_INTEGER);
      return ended.length;
    },
  });
}

const day = 86_400_000;
const rest = 600_000;
const batch = 500;

/** Forgets requests that were carried out long ago. */
export function scheduledRetentionKind({ store, clock, settings }: RoomContext<SchedulingSettings>): WorkKind {
  return steps({
    name: 'scheduled-retention',
    says: 'Deletes scheduled requests that were carried out long ago',
    hosts: ['loop', 'edge'],
    priority: 90,
    clock,
    rest,
    due: () => oldRequestsDue(settings.scheduledDays * day),
    async step() {
      const before = clock.now() - settings.scheduledDays * day;
      const [removed = []] = await store.commit(changing(removeOldRequests({ before, limit: batch })), systemActor);
      return removed.length === batch;
    },
  });
}
