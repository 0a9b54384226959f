import { nothing } from '../../../core/store/commit-plan.ts';
import type { JobStep, JobType } from '../../../room/jobs/job-type.ts';
import { describeJob } from '../../../room/jobs/memo.ts';
import type { JobRow } from '../../../room/jobs/tables.ts';

/** A custom task as a job keeps it from its start on: later changes of the task concern later jobs. */
export interface FrozenTask {
  readonly id: number;
  readonly step: number;
  readonly description: string;
  readonly script: string | null;
  /** Name of the task in its plugin. */
  readonly handler: string | null;
  readonly critical: number;
  readonly cleanup: number;
}

/** Runs custom tasks of jobs. */
export type TaskRunner = (task: FrozenTask) => Pick<JobStep, 'waits' | 'run'>;

/** The type of a job with its custom tasks between the steps of the room. A custom type has no others. */
export function wholeType(base: JobType | undefined, row: Pick<JobRow, 'type' | 'tasks'>, runner: TaskRunner): JobType {
  const tasks = row.tasks === '[]' ? [] : (JSON.parse(row.tasks) as readonly FrozenTask[]);
  const type = base ?? { ...describeJob(row.type, { memo: {} }), steps: [], restart: async () => nothing };
  if (tasks.length === 0) return type;
  const custom = tasks.map(
    (task): JobStep => ({
      step: task.step,
      description: task.description,
      critical: task.critical === 1,
      cleanup: task.cleanup === 1,
      isCustom: true,
      ...runner(task),
    }),
  );
  const taken = new Set(type.steps.map(({ step }) => step));
  const free = custom.filter(({ step }) => !taken.has(step));
  return { ...type, steps: [...type.steps, ...free].sort((one, other) => one.step - other.step) };
}
