import { ServiceError } from '../../../core/lib/errors.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import type { JobRoomParts } from '../parts.ts';
import { customTask, type TaskDefinition } from './documents.ts';
import { jobTypeNamed, type TaskEntity } from './find.ts';
import { checkFree, isOfRelease, noSuchType, stepTaken, taskFrom } from './rules.ts';
import {
  customTasks,
  customTypeThere,
  findCustomStep,
  removeTask,
  type TaskDefinitionRow,
  writeTaskDefinition,
} from './store.ts';

interface ChangedTask {
  readonly task: TaskDefinition;
  readonly work: CommitPlan;
}

/** Limit of tasks in one job type, since each job carries a copy of them. */
const max = 100;

const newId = async ({ store }: JobRoomParts): Promise<number> => serialOf(await store.nextId('task-definition'));

const write = (row: TaskDefinitionRow) => writeTaskDefinition(row, stepTaken(row.jobType, row.step, 'another task'));

/** `pathType`: the type that the path names, which may be about to exist. */
export async function createTasks(
  parts: JobRoomParts,
  tasks: readonly TaskDefinition[],
  pathType?: string,
): Promise<{ rows: readonly TaskDefinitionRow[]; work: CommitPlan }> {
  const rows: TaskDefinitionRow[] = [];
  const changes: CommitPlan['changes'][number][] = [];
  for (const task of tasks) {
    const row = taskFrom(task, { id: await newId(parts), type: pathType });
    checkFree(parts.jobTypes(), row);
    const taken = await findCustomStep(parts.store, { jobType: row.jobType, step: row.step });
    if (taken) throw stepTaken(row.jobType, row.step, taken.description);
    if (pathType === undefined) changes.push(...(await typeThere(parts, row.jobType)));
    rows.push(row);
    changes.push(write(row));
  }
  await checkCount(parts, rows);
  return { rows, work: changing(...changes) };
}

async function typeThere(parts: JobRoomParts, name: string): Promise<CommitPlan['changes']> {
  const { type, isSystem } = await jobTypeNamed(parts, name);
  return isSystem ? [] : [customTypeThere(type, noSuchType(type))];
}

async function checkCount({ store }: JobRoomParts, rows: readonly TaskDefinitionRow[]): Promise<void> {
  for (const type of new Set(rows.map(({ jobType }) => jobType))) {
    const tasks = await customTasks(store, { type, limit: max + 1 });
    const more = rows.filter(({ jobType }) => jobType === type).length;
    if (tasks.length + more <= max) continue;
    const explanation = `Expected at most ${max} tasks in ${type}`;
    throw new ServiceError('bad-value', { context: '/TaskDefinitionListDocument/task', explanation });
  }
}

export function changeTask(
  parts: JobRoomParts,
  { id, row }: TaskEntity,
  change: (row: TaskDefinitionRow) => TaskDefinition,
): ChangedTask {
  if (!row) throw isOfRelease(id);
  const to = taskFrom(change(row), { id: row.id });
  checkFree(parts.jobTypes(), to);
  if (to.jobType !== row.jobType) throw isOfRelease(`${id}: its type ${row.jobType}`);
  return { task: customTask(to), work: changing(write(to)) };
}

/** The step of a path: a new one, or one that was added before. */
export async function setStep(
  parts: JobRoomParts,
  type: string,
  text: string,
  document: TaskDefinition,
): Promise<ChangedTask> {
  const step = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  const task = await findCustomStep(parts.store, { jobType: type, step });
  const row = taskFrom(document, { id: task?.id ?? (await newId(parts)), type, step });
  checkFree(parts.jobTypes(), row);
  if (!task) await checkCount(parts, [row]);
  return { task: customTask(row), work: changing(write(row)) };
}

export function removeTaskOf({ id, row }: TaskEntity): CommitPlan {
  if (!row) throw isOfRelease(id);
  return changing(removeTask({ id: row.id }), ...forgetEntity('task-definition', id));
}
