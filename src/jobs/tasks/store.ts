import { asc, eq, sql } from 'drizzle-orm';
import type { ServiceError } from '../../lib/errors.ts';
import type { Statement } from '../../store/contract.ts';
import { guard } from '../../store/guard.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { customJobType, taskDefinition } from '../tables.ts';

const value = sql.placeholder;

export type TaskDefinitionRow = typeof taskDefinition.$inferSelect;

export const customTypes = query((db) => db.select().from(customJobType).orderBy(asc(customJobType.type)));

export const findCustomType = query((db) =>
  db
    .select()
    .from(customJobType)
    .where(eq(customJobType.type, value('type'))),
).first;

export const insertCustomType = statement<{ type: string; id: number }>(
  sql`INSERT INTO ${writes('custom_job_type')} (type, id) VALUES (${value('type')}, ${value('id')})`,
);
export const removeCustomType = statement<{ type: string }>(
  sql`DELETE FROM ${writes('custom_job_type')} WHERE type = ${value('type')}`,
);

const typeThere = guard<{ type: string }>(sql`EXISTS (SELECT 1 FROM custom_job_type WHERE type = ${value('type')})`);
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

export const findCustomTask = query((db) =>
  db
    .select()
    .from(taskDefinition)
    .where(eq(taskDefinition.id, value('id'))),
).first;

export const findCustomStep = query((db) =>
  db
    .select()
    .from(taskDefinition)
    .where(sql`${taskDefinition.jobType} = ${value('type')} AND ${taskDefinition.step} = ${value('step')}`),
).first;

const write = statement(
  sql`INSERT INTO ${writes('task_definition')} (id, job_type, step, description, script, handler, critical, cleanup, document)
    VALUES (${value('id')}, ${value('jobType')}, ${value('step')}, ${value('description')}, ${value('script')},
      ${value('handler')}, ${value('critical')}, ${value('cleanup')}, ${value('document')})
    ON CONFLICT (id) DO UPDATE SET job_type = excluded.job_type, step = excluded.step,
      description = excluded.description, script = excluded.script, handler = excluded.handler,
      critical = excluded.critical, cleanup = excluded.cleanup, document = excluded.document`,
);
/** `taken`: for a step that another task has. */
export const writeTaskDefinition = (row: TaskDefinitionRow, taken: ServiceError): Statement => write({ ...row }, taken);

export const removeTask = statement<{ id: number }>(
  sql`DELETE FROM ${writes('task_definition')} WHERE id = ${value('id')}`,
);
export const removeTasksOf = statement<{ type: string }>(
  sql`DELETE FROM ${writes('task_definition')} WHERE job_type = ${value('type')}`,
);

/** The tasks of the release are always there. */
const there = guard<{ id: number; isSystem: number }>(
  sql`${value('isSystem')} = 1 OR EXISTS (SELECT 1 FROM task_definition WHERE id = ${value('id')})`,
);
export const taskThere = (id: number, isSystem: boolean, refusal: ServiceError): Statement =>
  there({ id, isSystem: isSystem ? 1 : 0 }, refusal);
