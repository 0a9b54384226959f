import type { JobState, Pairs } from '../../core/events/payloads.ts';
import type { JobStep, JobType } from './job-type.ts';
import type { JobRow } from './tables.ts';

export const dataOf = ({ data }: Pick<JobRow, 'data'>): Pairs => JSON.parse(data) as Pairs;

/** The steps that a job takes when all goes well. */
export const mainSteps = ({ steps }: JobType): readonly JobStep[] => steps.filter(({ cleanup }) => cleanup !== true);

/** A job as its events tell it. */
export function stateOf(row: JobRow): JobState {
  const data = dataOf(row);
  const itemId = data.find(([key]) => key === 'itemId')?.[1];
  const { user, step, stepStatus, notification } = row;
  const notificationData = JSON.parse(row.notificationData) as Pairs;
  return {
    jobId: row.id,
    type: row.type,
    status: row.status,
    ...(user !== null && { user }),
    started: row.createdAt,
    totalSteps: row.totalSteps,
    ...(step !== null && { step, currentStepNumber: row.stepsBegun }),
    ...(stepStatus !== null && { currentStepStatus: stepStatus }),
    ...(itemId !== undefined && { itemId }),
    ...(data.length > 0 && {
      data: itemId === undefined ? data : data.filter(([key]) => key !== 'itemId' && key !== 'item'),
    }),
    ...(notification !== null && { notification }),
    ...(notificationData.length > 0 && { notificationData: notificationData }),
  };
}
