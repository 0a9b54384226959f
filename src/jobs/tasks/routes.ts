import { uriListDocument } from '../../documents/index.ts';
import { keyValueRoutes } from '../../entities/key-values/routes.ts';
import { entityAt } from '../../entities/place.ts';
import { baseOf } from '../../http/address.ts';
import { type Call, requireDocument, sentText } from '../../http/call.ts';
import { documentTypes, type MediaType, textOnly } from '../../http/negotiation.ts';
import { flag, text } from '../../http/parameters/index.ts';
import { plain, type Reply, typed } from '../../http/reply.ts';
import { type Params, type Route, role, route, segment } from '../../http/route.ts';
import { ScriptFails } from '../../scripts/run-script.ts';
import type { JobRoomParts } from '../parts.ts';
import { changeTask, createTasks, removeTaskOf, setStep } from './change.ts';
import { customTask, type TaskDefinition, taskDefinitionDocument, taskDefinitionListDocument } from './documents.ts';
import { jobTypeNamed, type TaskEntity, taskAt, taskKind, tasksOf } from './find.ts';
import { noSuchTask, withScript } from './rules.ts';
import { checkScript } from './run-task.ts';

export const read = role('_taskdefinition_read');
export const write = role('_taskdefinition_write');
const path = '/task-definition';
const script = 'application/javascript';
const longestScript = 64 * 1024;

/** The steps of jobs: those of the release, and those that administrators add. */
export function taskRoutes(parts: JobRoomParts): readonly Route[] {
  const { store, render, limits } = parts;
  const kind = taskKind(parts);
  const byId = entityAt(store, kind, { path: `${path}/:task`, read, write, acting: 'refused' });
  const byStep = {
    ...byId,
    path: `${path}/jobtype/:type/step/:step`,
    find: (params: Params) => taskAt(parts, segment(params, 'type'), segment(params, 'step')),
  };

  const answer = (type: MediaType, task: TaskDefinition): Reply => render(type, taskDefinitionDocument, task);
  const sent = (call: Call) => requireDocument(call, taskDefinitionDocument, limits);

  const common = (place: typeof byId): readonly Route[] => [
    route({
      method: 'GET',
      path: place.path,
      says: 'One step of a job type.',
      answers: taskDefinitionDocument,
      access: read,
      produces: documentTypes,
      handle: async (call, type, params) => answer(type, (await place.find(params, call)).task),
    }),
    route({
      method: 'DELETE',
      path: place.path,
      says: 'Deletes an added step. Jobs that have started keep it.',
      access: write,
      acting: 'refused',
      async handle(call, params) {
        await call.commit(removeTaskOf(await place.find(params, call)));
      },
    }),
    route({
      method: 'GET',
      path: `${place.path}/script`,
      says: 'The script of an added step.',
      answers: 'text',
      access: read,
      produces: [script, ...textOnly],
      async handle(call, type, params) {
        return typed(type, scriptOf(await place.find(params, call)));
      },
    }),
    route({
      method: 'PUT',
      path: `${place.path}/script`,
      says: 'Sets the script of an added step.',
      reads: 'text',
      answers: [taskDefinitionDocument, 'text'],
      access: write,
      acting: 'refused',
      // Clients that send a script ask for one, too.
      produces: [...documentTypes, script, ...textOnly],
      async handle(call, type, params) {
        const source = await sentText(call, longestScript);
        const found = await place.find(params, call);
        const changed = changeTask(parts, found, (row) => withScript(row, source));
        await call.commit(changed.work);
        return documentTypes.includes(type) ? answer(type, changed.task) : typed(type, source);
      },
    }),
    route({
      method: 'GET',
      path: `${place.path}/validate`,
      says: 'Checks the syntax of the script of a step: OK, or the error.',
      answers: 'text',
      access: read,
      produces: textOnly,
      async handle(call, _type, params) {
        try {
          await checkScript(scriptOf(await place.find(params, call)));
          return plain('OK');
        } catch (error) {
          if (error instanceof ScriptFails) return plain(error.message);
          throw error;
        }
      },
    }),
    ...keyValueRoutes(parts, place),
  ];

  return [
    route({
      method: 'GET',
      path,
      says: 'The steps of all job types.',
      query: { type: text('Only steps of this type') },
      answers: taskDefinitionListDocument,
      access: read,
      async handle(call) {
        return { task: await tasksOf(parts, call.query.type?.toUpperCase()) };
      },
    }),
    route({
      method: 'POST',
      path,
      says: 'Adds steps to job types. They apply to jobs that start later.',
      query: { url: flag('The addresses of the steps instead of their ids', false) },
      reads: taskDefinitionListDocument,
      answers: [uriListDocument, taskDefinitionListDocument],
      access: write,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type) {
        const { task = [] } = await requireDocument(call, taskDefinitionListDocument, limits);
        const { rows, work } = await createTasks(parts, task);
        await call.commit(work);
        const base = call.query.url ? `${baseOf(call)}${path}/` : '';
        const uri = rows.map(({ id }) => `${base}${id}`);
        // JSON has no root element, so one answer serves the clients of both documents.
        if (type === 'application/json')
          return render(type, taskDefinitionListDocument, { task: rows.map(customTask), uri });
        return render(type, uriListDocument, { uri });
      },
    }),
    route({
      method: 'PUT',
      path: byId.path,
      says: 'Replaces an added step.',
      reads: taskDefinitionDocument,
      answers: taskDefinitionDocument,
      access: write,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const document = await sent(call);
        const found = await byId.find(params, call);
        const changed = changeTask(parts, found, (row) => ({ jobType: row.jobType, step: row.step, ...document }));
        await call.commit(changed.work);
        return answer(type, changed.task);
      },
    }),
    route({
      method: 'PUT',
      path: byStep.path,
      says: 'Adds a step to a job type, or replaces an added step.',
      reads: taskDefinitionDocument,
      answers: taskDefinitionDocument,
      access: write,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const document = await sent(call);
        const { type: jobType } = await jobTypeNamed(parts, segment(params, 'type'));
        const changed = await setStep(parts, jobType, segment(params, 'step'), document);
        await call.commit(changed.work);
        return answer(type, changed.task);
      },
    }),
    ...common(byId),
    ...common(byStep),
  ];
}

function scriptOf({ id, row }: TaskEntity): string {
  if (row?.script != null) return row.script;
  throw noSuchTask(`${id}/script`);
}
