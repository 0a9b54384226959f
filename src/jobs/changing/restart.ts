import type { Pairs } from '../../events/payloads.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import { together } from '../../store/commit-plan.ts';
import type { CommitPlan } from '../../store/contract.ts';
import type { JobNotification } from '../contract.ts';
import { type JobOrder, type JobPriority, jobPriorities, type Memo } from '../job-type.ts';
import type { JobRoomParts } from '../parts.ts';
import type { JobRow } from '../running/store.ts';
import { startJob } from '../starting/rules.ts';
import { noSuchType } from '../tasks/rules.ts';
import { customTypeThere } from '../tasks/store.ts';
import { wrongState } from './rules.ts';

/** A job like another one, as it was ordered. */
export async function restartOf(
  parts: JobRoomParts,
  call: Caller,
  row: JobRow,
  priority: JobPriority | undefined,
): Promise<{ order: JobOrder; work: CommitPlan }> {
  const { data, memo } = JSON.parse(row.ordered) as { data?: Pairs; memo?: Memo };
  const type = parts.jobTypes().find((each) => each.type === row.type);
  const isCustom = row.isCustom === 1;
  if (data === undefined || memo === undefined || (!type && !isCustom)) {
    throw wrongState(row.id, `Expected a job of a type that can run again: ${row.type}`);
  }
  const { says, guards } = await notificationOf(parts, row);
  const order: JobOrder = {
    jobId: await parts.store.nextId('job'),
    type: row.type,
    user: subjectOf(call).name,
    priority: priority ?? jobPriorities[row.priority]!,
    data,
    memo,
    actor: call.actor(),
    says,
    isAsked: true,
  };
  const beside = (await type?.restart?.(order)) ?? { changes: [], events: [] };
  const there = isCustom ? [customTypeThere(row.type, noSuchType(row.type))] : [];
  const begins = startJob(order, isCustom ? undefined : type, parts.clock.now(), parts.settings.maxWaitingJobs);
  return { order, work: together({ changes: [...guards, ...there], events: [] }, beside, begins) };
}

/** Keeps the placeholder notification for the new job, if it still exists. */
async function notificationOf({ services }: JobRoomParts, row: JobRow): Promise<JobNotification> {
  const told = (JSON.parse(row.notificationData) as Pairs).map(([key, value]) => `${key}=${value}`);
  const query = { notification: row.notification === null ? [] : [row.notification], notificationData: told };
  try {
    return await services.jobNotification(query);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'no-such-entity') return { says: {}, guards: [] };
    throw error;
  }
}
