import { asc, eq, sql } from 'drizzle-orm';
import type { ServiceError } from '../../lib/errors.ts';
import type { Statement } from '../../store/contract.ts';
import { prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement } from '../../store/statement.ts';
import { customJobType, taskDefinition } from '../tables.ts';

const value = sql.placeholder;

export type TaskDefinitionRow = typeof taskDefinition.$inferSelect;

export const customTypes = prepareQuery((db) => db.select().from(customJobType).orderBy(asc(customJobType.type)));

export const findCustomType = prepareLookup((db) =>
  db
    .select()
    .from(customJobType)
    .where(eq(customJobType.type, value('type'))),
);

export const insertCustomType = prepareStatement<{ type: string; id: number }>(
  sql`INSERT INTO custom_job_type (type, id) VALUES (${value('type')}, ${value('id')})`,
);
export const removeCustomType = prepareStatement<{ type: string }>(
  sql`DELETE FROM custom_job_type WHERE type = ${value('type')}`,
);

const typeThere = prepareGuard<{ type: string }>(
  sql`EXISTS (SELECT 1 FROM custom_job_type WHERE type = ${value('type')})`,
);
export const customTypeThere = (type: string, refusal: ServiceError): Statement => typeThere({ type }, refusal);

/** All custom tasks, or those of one type. */
export const customTasks = prepareQuery((db) =>
  db
    .select()
    .from(taskDefinition)
    .where(sql`${value('type')} = '' OR ${taskDefinition.jobType} = ${value('type')}`)
    .orderBy(asc(taskDefinition.jobType), asc(taskDefinition.step))
    .limit(value('limit')),
);

export const findCustomTask = prepareLookup((db) =>
  db
    .select()
    .from(taskDefinition)
    .where(eq(taskDefinition.id, value('id'))),
);

export const findCustomStep = prepareLookup((db) =>
  db
    .select()
    .from(taskDefinition)
    .where(sql`${taskDefinition.jobType} = ${value('type')} AND ${taskDefinition.step} = ${value('step')}`),
);

const write = prepareStatement(
  sql`INSERT INTO task_definition (id, job_type, step, description, script, handler, critical, cleanup, document)
    VALUES (${value('id')}, ${value('jobType')}, ${value('step')}, ${value('description')}, ${value('script')},
      ${value('handler')}, ${value('critical')}, ${value('cleanup')}, ${value('document')})
    ON CONFLICT (id) DO UPDATE SET job_type = excluded.job_type, step = excluded.step,
      description = excluded.description, script = excluded.script, handler = excluded.handler,
      critical = excluded.critical, cleanup = excluded.cleanup, document = excluded.document`,
);
/** `taken`: for a step that another task has. */
export const writeTaskDefinition = (row: TaskDefinitionRow, taken: ServiceError): Statement => ({
  ...write({ ...row }),
  refusal: taken,
});

export const removeTask = prepareStatement<{ id: number }>(sql`DELETE FROM task_definition WHERE id = ${value('id')}`);
export const removeTasksOf = prepareStatement<{ type: string }>(
  sql`DELETE FROM task_definition WHERE job_type = ${value('type')}`,
);

/** The tasks of the release are always there. */
const there = prepareGuard<{ id: number; isSystem: number }>(
  sql`${value('isSystem')} = 1 OR EXISTS (SELECT 1 FROM task_definition WHERE id = ${value('id')})`,
);
export const taskThere = (id: number, isSystem: boolean, refusal: ServiceError): Statement =>
  there({ id, isSystem: isSystem ? 1 : 0 }, refusal);
