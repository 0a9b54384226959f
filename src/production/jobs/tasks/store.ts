import { asc, sql } from 'drizzle-orm';
import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { guard, rowExists } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, putInto, rowBy } from '../../../core/store/rows.ts';
import { query, value } from '../../../core/store/statement.ts';
import { customJobType, taskDefinition } from '../../../room/jobs/tables.ts';

export type TaskDefinitionRow = typeof taskDefinition.$inferSelect;

export const customTypes = query((db) => db.select().from(customJobType).orderBy(asc(customJobType.type)));

export const findCustomType = rowBy(customJobType, 'type');

export const insertCustomType = insertInto(customJobType);
export const removeCustomType = deleteBy(customJobType, 'type');

const typeThere = rowExists(customJobType, 'type');
export const customTypeThere = (type: string, refusal: ServiceError): Statement => typeThere({ type }, refusal);

/** All custom tasks, or those of one type. */
export const customTasks = query((db) =>
  db
    .select()
    .from(taskDefinition)
    .where(sql`${value('type')} = '' OR ${taskDefinition.jobType} = ${value('type')}`)
    .orderBy(asc(taskDefinition.jobType), asc(taskDefinition.step))
    .limit(value('limit')),
);

export const findCustomTask = rowBy(taskDefinition, 'id');

export const findCustomStep = rowBy(taskDefinition, ['jobType', 'step']);

const write = putInto(taskDefinition, 'id');
/** `taken`: for a step that another task has. */
export const writeTaskDefinition = (row: TaskDefinitionRow, taken: ServiceError): Statement => write({ ...row }, taken);

export const removeTask = deleteBy(taskDefinition, 'id');
export const removeTasksOf = deleteBy(taskDefinition, 'jobType');

/** The tasks of the release are always there. */
const taskExists = guard<{ id: number; isSystem: number }>(
  sql`${value('isSystem')} = 1 OR EXISTS (SELECT 1 FROM task_definition WHERE id = ${value('id')})`,
);
export const taskThere = (id: number, isSystem: boolean, refusal: ServiceError): Statement =>
  taskExists({ id, isSystem: isSystem ? 1 : 0 }, refusal);
