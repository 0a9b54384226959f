import type { Job } from '../../../room/jobs/documents.ts';
import { type JobType, jobPriorities, type WaitReason } from '../../../room/jobs/job-type.ts';
import { dataOf } from '../../../room/jobs/rules.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';
import type { Parts } from '../running/step-log.ts';
import type { TaskRow } from '../running/store.ts';
import type { FrozenTask } from '../tasks/custom-steps.ts';

/** Requested parts of a job document. */
interface JobView {
  readonly data: boolean;
  /** Only data with these keys. Undefined: all data. */
  readonly keys: ReadonlySet<string> | undefined;
  /** Names of items of jobs by id, as far as the caller may read them. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** Attempts of its steps, in order. Undefined: not requested. */
  readonly tasks: readonly TaskRow[] | undefined;
}

export function jobDocumentOf(row: JobRow, type: JobType | undefined, { data, keys, names, tasks }: JobView): Job {
  const { step, stepStatus, waiting } = row;
  return {
    jobId: row.id,
    ...(row.user !== null && { user: row.user }),
    started: row.createdAt,
    ...(row.finishedAt !== null && { finished: row.finishedAt }),
    status: row.status,
    type: row.type,
    priority: jobPriorities[row.priority]!,
    ...(waiting !== null && { waiting: JSON.parse(waiting) as WaitReason }),
    ...(step !== null && {
      currentStep: {
        description: descriptionOf(row, type),
        number: row.stepsBegun,
        status: stepStatus ?? 'NONE',
      },
    }),
    ...((data || keys !== undefined) && { data: shownData(row, keys, names) }),
    totalSteps: row.totalSteps,
    ...(tasks && { log: { task: tasks.map(taskDocumentOf) } }),
  };
}

const descriptionOf = ({ step, tasks }: JobRow, type: JobType | undefined): string => {
  const custom = tasks === '[]' ? [] : (JSON.parse(tasks) as readonly FrozenTask[]);
  return [...(type?.steps ?? []), ...custom].find((each) => each.step === step)?.description ?? '';
};

/** Key of data with the name of the item of a job. Requests ask for it by name. */
export const itemNameKey = 'itemName';

export const itemOf = (row: JobRow): string | undefined => dataOf(row).find(([key]) => key === 'itemId')?.[1];

function shownData(row: JobRow, keys: JobView['keys'], names: JobView['names']) {
  const shown = dataOf(row).filter(([key]) => key !== itemNameKey || names === undefined);
  const data = keys === undefined || keys.has('*') ? shown : shown.filter(([key]) => keys.has(key));
  const name = names?.get(itemOf(row) ?? '');
  return [...data, ...(name === undefined ? [] : [[itemNameKey, name] as const])].map(([key, value]) => ({
    key,
    value,
  }));
}

/** Short form for lists: clients need at least these elements. */
export const shortDocumentOf = ({ id, status, type, priority }: JobRow): Job => ({
  jobId: id,
  status,
  type,
  priority: jobPriorities[priority]!,
});

function taskDocumentOf(task: TaskRow, index: number): NonNullable<NonNullable<Job['log']>['task']>[number] {
  const said = JSON.parse(task.said) as readonly (readonly [number, string])[];
  return {
    step: task.step,
    attempts: task.attempt,
    status: task.status,
    timestamp: task.timestamp,
    description: task.description,
    ...(task.progress !== null && {
      progress: { value: task.progress, total: task.progressTotal ?? task.progress, unit: task.unit ?? 'bytes' },
    }),
    subStep: said.map(([timestamp, description]) => ({ timestamp, description })),
    ...(task.error !== null && { errorMessage: task.error }),
    ...(task.parts !== null && partsOf(task, JSON.parse(task.parts) as Parts)),
    id: index + 1,
  };
}

const partsOf = ({ step, attempt }: TaskRow, { total, tasks }: Parts) => ({
  totalSubTasks: total,
  subTask: tasks.map(([id, { description, status, timestamp, progress, error }]) => ({
    step,
    attempts: attempt,
    status,
    timestamp,
    description,
    ...(progress && { progress: { value: progress.done, total: progress.total, unit: progress.unit } }),
    ...(error !== undefined && { errorMessage: error }),
    id,
  })),
});
