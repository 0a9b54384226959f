import type { Pairs } from '../../../core/events/payloads.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing, nothing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { type JobNotification, type StartedJob, started } from '../../../room/jobs/contract.ts';
import {
  type JobOrder,
  type JobPriority,
  type JobType,
  jobPriorities,
  type RestartedJob,
} from '../../../room/jobs/job-type.ts';
import { MemoMismatch, readMemo, type StoredMemo } from '../../../room/jobs/memo.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import type { JobRoomParts } from '../parts.ts';
import { noSuchType } from '../tasks/rules.ts';
import { customTypeThere } from '../tasks/store.ts';
import { wrongState } from './rules.ts';

/** A job like another one, with the data and the memo of its start. */
export async function restartOf(
  parts: JobRoomParts,
  call: Caller,
  row: JobRow,
  priority: JobPriority | undefined,
): Promise<StartedJob> {
  const { data, memo } = JSON.parse(row.ordered) as { data?: Pairs; memo?: StoredMemo };
  const type = parts.jobTypes().find((each) => each.type === row.type);
  const isCustom = row.isCustom === 1;
  if (data === undefined || memo === undefined || (!type && !isCustom)) {
    throw wrongState(row.id, `Expected a job of a type that can run again: ${row.type}`);
  }
  const { says, guards } = await notificationOf(parts, row);
  const jobId = await parts.store.nextId('job');
  const restarted = type ? await restartBy(type, { jobId, memo, caller: call }, row.id) : nothing;
  const order: JobOrder = {
    jobId,
    type: row.type,
    user: subjectOf(call).name,
    priority: priority ?? jobPriorities[row.priority]!,
    data,
    memo,
    actor: call.actor(),
    says,
    isCustom,
    isRequested: true,
  };
  const typeGuards = isCustom ? [customTypeThere(row.type, noSuchType(row.type))] : [];
  const work = together(changing(...guards, ...typeGuards), restarted, parts.services.startJob(order));
  return started(order, work, parts.clock);
}

async function restartBy(
  type: JobType,
  { memo, ...job }: RestartedJob<StoredMemo>,
  first: string,
): Promise<CommitPlan> {
  try {
    return await type.restart({ ...job, memo: readMemo(type.memo, memo) });
  } catch (error) {
    throw error instanceof MemoMismatch ? wrongState(first, error.message) : error;
  }
}

/** Keeps the placeholder notification for the new job, if it still exists. */
async function notificationOf({ services }: JobRoomParts, row: JobRow): Promise<JobNotification> {
  const notificationTexts = (JSON.parse(row.notificationData) as Pairs).map(([key, value]) => `${key}=${value}`);
  const query = {
    notification: row.notification === null ? [] : [row.notification],
    notificationData: notificationTexts,
  };
  try {
    return await services.jobNotification(query);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'no-such-entity') return { says: {}, guards: [] };
    throw error;
  }
}
