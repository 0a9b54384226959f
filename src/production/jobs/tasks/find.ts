import type { PathEntity } from '../../../http/path-entity.ts';
import type { RoomContext } from '../../../room/context.ts';
import type { Entity, EntityKind } from '../../../room/entity.ts';
import { customTask, isSystemId, systemTask, type TaskDefinition } from './documents.ts';
import { noSuchTask, noSuchType, typeName } from './rules.ts';
import {
  customTasks,
  customTypes,
  customTypeThere,
  findCustomStep,
  findCustomTask,
  findCustomType,
  type TaskDefinitionRow,
  taskThere,
} from './store.ts';

type TaskParts = Pick<RoomContext, 'store' | 'jobTypes'>;

/** A task of the release has no row. */
export interface TaskEntity extends Entity {
  readonly task: TaskDefinition;
  readonly row: TaskDefinitionRow | undefined;
}

const max = 10_000;

const taskEntity = (row: TaskDefinitionRow): TaskEntity => ({ id: String(row.id), task: customTask(row), row });

function systemTasks({ jobTypes }: TaskParts): readonly TaskDefinition[] {
  return jobTypes().flatMap(({ type, steps }) => steps.map((step) => systemTask(type, step)));
}

const ofSystem = (task: TaskDefinition | undefined): TaskEntity | undefined =>
  task && { id: String(task.id), task, row: undefined };

async function taskWithId(parts: TaskParts, text: string): Promise<TaskEntity | undefined> {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : -1;
  if (isSystemId(id)) return ofSystem(systemTasks(parts).find((task) => task.id === id));
  const row = await findCustomTask(parts.store, { id });
  return row && taskEntity(row);
}

export async function taskOfStep(parts: TaskParts, type: string, text: string): Promise<TaskEntity> {
  const jobType = type.toUpperCase();
  const step = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  const system = ofSystem(systemTasks(parts).find((task) => task.jobType === jobType && task.step === step));
  if (system) return system;
  const row = await findCustomStep(parts.store, { jobType, step });
  if (row) return taskEntity(row);
  throw noSuchTask(`${type}/${text}`);
}

/** All tasks, or those of a type, by type and step. */
export async function tasksOf(parts: TaskParts, type: string | undefined): Promise<readonly TaskDefinition[]> {
  const custom = (await customTasks(parts.store, { type: type ?? '', limit: max })).map(customTask);
  const system = systemTasks(parts).filter((task) => type === undefined || task.jobType === type);
  const all = [...system, ...custom];
  return all.sort((one, other) => byText(one.jobType!, other.jobType!) || one.step! - other.step!);
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Canonical name of an existing job type. */
export async function jobTypeNamed({ store, jobTypes }: TaskParts, text: string) {
  const type = typeName(text);
  if (jobTypes().some((each) => each.type === type)) return { type, isSystem: true };
  if (await findCustomType(store, { type })) return { type, isSystem: false };
  throw noSuchType(type);
}

/** Job types in paths, in any case. */
export const jobTypeIn = (parts: TaskParts): PathEntity<Awaited<ReturnType<typeof jobTypeNamed>>> => ({
  kind: 'job-type',
  find: (text) => jobTypeNamed(parts, text),
  stays: ({ type, isSystem }) => (isSystem ? undefined : customTypeThere(type, noSuchType(type))),
});

export async function typeNames({ store, jobTypes }: TaskParts): Promise<readonly string[]> {
  const custom = await customTypes(store, {});
  return [...new Set([...jobTypes().map(({ type }) => type), ...custom.map(({ type }) => type)])].sort();
}

export const taskKind = (parts: TaskParts): EntityKind<TaskEntity> => ({
  type: 'task-definition',
  noun: 'TaskDefinition',
  find: (id) => taskWithId(parts, id),
  mustExist: (id, refusal) => taskThere(Number(id), isSystemId(Number(id)), refusal),
});
