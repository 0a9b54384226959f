import { ServiceError } from '../../../core/lib/errors.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { uris } from '../../../http/answers.ts';
import { whole } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { forgetEntity } from '../../../room/entities/forget.ts';
import type { JobRoomParts } from '../parts.ts';
import { createTasks } from './change.ts';
import { customTask, taskDefinitionListDocument } from './documents.ts';
import { jobTypeIn, tasksOf, typeNames } from './find.ts';
import { read, write } from './routes.ts';
import { firstTypeId, lastTypeId, typeName } from './rules.ts';
import { customTypes, insertCustomType, removeCustomType, removeTasksOf } from './store.ts';

const path = '/task-definition/jobtype/:type';

const taken = (id: string, explanation: string): ServiceError =>
  new ServiceError('already-exists', { type: 'JobType', id, explanation });

/** Types of jobs: those of the release, and those that administrators make of their own steps. */
export function typeRoutes(parts: JobRoomParts): readonly Route[] {
  const { store } = parts;
  const entities = { type: jobTypeIn(parts) };

  return [
    route({
      method: 'GET',
      path: '/jobtype',
      says: 'The names of all job types, with custom ones.',
      answers: uris,
      access: role('_job_read'),
      handle: () => typeNames(parts),
    }),
    route({
      method: 'GET',
      path,
      says: 'The steps of a job type.',
      entities,
      answers: taskDefinitionListDocument,
      access: read,
      handle: async (_call, { type: { type } }) => ({ task: await tasksOf(parts, type) }),
    }),
    route({
      method: 'POST',
      path,
      says: 'Creates a job type with the steps of the document.',
      query: { id: whole(`The number of the type, from ${firstTypeId} to ${lastTypeId}`) },
      reads: optional(taskDefinitionListDocument),
      answers: taskDefinitionListDocument,
      access: write,
      acting: 'refused',
      async handle(call, { type }) {
        const name = typeName(type);
        const { id } = call.query;
        if (id === undefined || id < firstTypeId || id > lastTypeId) {
          const explanation = `Expected a number from ${firstTypeId} to ${lastTypeId}: "${id ?? ''}"`;
          throw new ServiceError('bad-value', { context: 'parameter id', explanation });
        }
        if ((await typeNames(parts)).includes(name)) throw taken(name, 'Expected a name that no type has');
        const other = (await customTypes(store, {})).find((each) => each.id === id);
        if (other) throw taken(String(id), `Expected a free number: ${id} is that of ${other.type}`);
        const refusal = taken(name, 'Expected a name and a number that no type has');
        const insertType = { ...insertCustomType({ type: name, id }), refusal };
        const { rows, work } = await createTasks(parts, call.body?.task ?? [], name);
        await call.commit(together(changing(insertType), work));
        return { task: rows.map(customTask) };
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Deletes a custom job type with its steps. Running jobs continue.',
      entities,
      access: write,
      acting: 'refused',
      async handle(call, { type: { type, isSystem } }) {
        if (isSystem) {
          const explanation = `Expected a type that was made: ${type} belongs to the service`;
          throw new ServiceError('bad-value', { context: 'path', explanation });
        }
        const tasks = (await tasksOf(parts, type)).flatMap(({ id }) => forgetEntity('task-definition', String(id)));
        await call.commit(changing(removeCustomType({ type }), removeTasksOf({ jobType: type }), ...tasks));
      },
    }),
  ];
}
