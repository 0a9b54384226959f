import { ServiceError } from '../../core/lib/errors.ts';
import { collected } from '../../core/lib/streams.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import { type Piece, steps, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import type { RoomContext } from '../../room/context.ts';
import { storedCaller } from '../../room/kept-caller-sql.ts';
import { lostResult, type RequestRow, type Result, requestState } from './rules.ts';
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

type Parts = Pick<RoomContext<SchedulingSettings>, 'carryOut' | 'services' | 'settings'>;

/** Sends a kept request through the pipeline. Whether the caller may still come in is asked there. */
export async function carryOutRequest({ carryOut, services, settings }: Parts, row: RequestRow): Promise<Result> {
  const headers = new Headers(JSON.parse(row.headers) as [string, string][]);
  headers.set('x-request-id', `scheduled-${row.id}`);
  for (const [name, value] of Object.entries(services.depthHeaders(row.depth))) headers.set(name, value);
  if (row.body) headers.set('content-length', String(row.body.byteLength));
  const body = row.body && { body: row.body };
  const request = new Request(row.uri, { method: row.method, headers, ...body });
  const response = await carryOut(request, {
    // Whole: filters and addresses in answers take the host from it.
    rawTarget: row.uri,
    address: row.address ?? undefined,
    secure: row.secure === 1,
    as: storedCaller(row.caller),
  });
  // Answers with a credential forbid storing.
  const max = response.headers.get('cache-control') === 'no-store' ? 0 : settings.maxScheduledBytes;
  const bytes = response.body && (await collected(response.body, max));
  const { status, headers: answerHeaders } = response;
  // Null: the body is empty, or longer than what is kept.
  const result = bytes?.byteLength ? bytes : null;
  return { state: requestState(status), status, contentType: answerHeaders.get('content-type'), response: result };
}

/** Lease time in milliseconds. */
const leaseTime = 20_000;
const longest = 900_000;
const concurrency = 4;

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
    priority: 42,
    concurrency,
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
    async claim(max, now) {
      const [first] = await nextDueRequest(store, {});
      const { due = null, ends = null } = first ?? {};
      if (ends !== null && ends < now) await lose(now);
      if (due === null || due > now) return [];
      const taken = takeRequests({ now, until: now + leaseTime, max });
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
      const bounded = forgetBeyond({ userId: row.userId, max: settings.maxScheduled });
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
