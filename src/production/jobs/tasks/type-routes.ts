import { type SimpleMetadata, simpleMetadataDocument } from '../../../core/documents/index.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import { uris } from '../../../http/answers.ts';
import { text, whole } from '../../../http/parameters/index.ts';
import { optional } from '../../../http/reads.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { forgetEntity } from '../../../room/entities/changes.ts';
import { beginJob, commitJob } from '../../../room/jobs/contract.ts';
import { jobDocument } from '../../../room/jobs/documents.ts';
import { describeJob } from '../../../room/jobs/memo.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import type { JobRoomParts } from '../parts.ts';
import { createTasks } from './change.ts';
import { customTask, taskDefinitionListDocument } from './documents.ts';
import { jobTypeIn, jobTypeNamed, tasksOf, typeNames } from './find.ts';
import { readTasks, write } from './routes.ts';
import { firstTypeId, lastTypeId, noSuchType, typeName } from './rules.ts';
import { customTypes, customTypeThere, insertCustomType, removeCustomType, removeTasksOf } from './store.ts';

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
      access: readTasks,
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

const maxValueLength = 4_096;

/** Jobs of custom types. All others start with what they are about. */
export function startingRoutes(parts: JobRoomParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/job',
      says: 'Starts a job of a custom type. Data of the document takes precedence over jobmetadata.',
      query: { type: text('The type', { required: true, expected: 'Expected a type of jobs' }), ...jobParameters },
      reads: optional(simpleMetadataDocument),
      answers: jobDocument,
      access: role('_job_write'),
      acting: 'allowed',
      async handle(call) {
        const { type: jobType, isSystem } = await jobTypeNamed(parts, call.query.type);
        if (isSystem) {
          const explanation = `Expected a type that an administrator made: ${jobType} starts with what it is about`;
          throw new ServiceError('bad-parameter', { context: 'parameter type', explanation });
        }
        const said = pairsFrom(call.body);
        const keys = new Set(said.map(([key]) => key));
        const own = call.query.jobmetadata.filter((pair) => !keys.has(pair.split('=', 1)[0]!));
        const jobmetadata = [...own, ...said.map(([key, value]) => `${key}=${value}`)];
        const withData = { ...call, query: { ...call.query, jobmetadata } };
        const typeGuard = changing(customTypeThere(jobType, noSuchType(jobType)));
        const custom = { job: describeJob(jobType, { memo: {} }), memo: {}, isCustom: true };
        return commitJob(call, () => beginJob(parts, withData, custom, typeGuard));
      },
    }),
  ];
}

function pairsFrom(document: SimpleMetadata | undefined): readonly (readonly [string, string])[] {
  const pairs = (document?.field ?? []).map(({ key, value }) => [key, value?.value ?? ''] as const);
  const wrong = pairs.find(([key, value]) => key === '' || key.includes('=') || value.length > maxValueLength);
  if (!wrong) return pairs;
  const explanation = `Expected keys without "=", and values of at most ${maxValueLength} characters`;
  throw new ServiceError('bad-value', {
    context: '/SimpleMetadataDocument/field',
    explanation,
    value: wrong[0].slice(0, 80),
  });
}
