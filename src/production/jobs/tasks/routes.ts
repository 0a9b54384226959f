import { uriListDocument } from '../../../core/documents/index.ts';
import { ScriptFails } from '../../../core/scripts/run-script.ts';
import { baseOf } from '../../../http/address.ts';
import { raw } from '../../../http/forms.ts';
import { documentTypes, textOnly } from '../../../http/negotiation.ts';
import { flag, text } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { textOf } from '../../../http/reads.ts';
import { typed } from '../../../http/reply.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { pathEntity } from '../../../room/entities/find.ts';
import { keyValueRoutes } from '../../../room/entities/key-values/routes.ts';
import { entityAt } from '../../../room/entities/place.ts';
import type { JobRoomParts } from '../parts.ts';
import { changeTask, createTasks, removeTaskOf, setStep } from './change.ts';
import { checkScript } from './custom-steps.ts';
import { customTask, taskDefinitionDocument, taskDefinitionListDocument } from './documents.ts';
import { jobTypeIn, type TaskEntity, taskKind, taskOfStep, tasksOf } from './find.ts';
import { noSuchTask, withScript } from './rules.ts';

export const readTasks = role('_taskdefinition_read');
export const write = role('_taskdefinition_write');
const path = '/task-definition';
const maxScriptLength = 64 * 1024;

/** The steps of jobs: those of the release, and those that administrators add. */
export function taskRoutes(parts: JobRoomParts): readonly Route[] {
  const { store } = parts;
  const kind = taskKind(parts);
  const task = pathEntity(store, kind);
  const type = jobTypeIn(parts);
  const onTask = `${path}/:task` as const;
  const onStep = `${path}/jobtype/:type/step/:step` as const;
  const byId = entityAt(store, kind, { path: onTask, read: readTasks, write, acting: 'refused' });
  const step: PathEntity<TaskEntity, { readonly type: string }> = {
    ...task,
    find: (text, _call, segments) => taskOfStep(parts, segments.type, text),
  };
  const byStep = { ...byId, path: onStep, entities: () => ({ step: step as PathEntity }) };

  /** Routes of one step, which a segment of the path names. */
  const oneStep = (at: string, name: string, task: PathEntity<TaskEntity>): readonly Route[] => {
    const entities: Readonly<Record<string, PathEntity<TaskEntity>>> = { [name]: task };
    const taskIn = (segments: Readonly<Record<string, TaskEntity>>): TaskEntity => segments[name]!;
    return [
      route({
        method: 'GET',
        path: at,
        says: 'One step of a job type.',
        entities,
        answers: taskDefinitionDocument,
        access: readTasks,
        handle: (_call, segments) => taskIn(segments).task,
      }),
      route({
        method: 'DELETE',
        path: at,
        says: 'Deletes an added step. Jobs that have started keep it.',
        entities,
        access: write,
        acting: 'refused',
        handle: (call, segments) => call.commit(removeTaskOf(taskIn(segments))),
      }),
      route({
        method: 'GET',
        path: `${at}/script`,
        says: 'The script of an added step.',
        entities,
        answers: 'text',
        access: readTasks,
        handle: (_call, segments) => scriptOf(taskIn(segments)),
      }),
      route({
        method: 'PUT',
        path: `${at}/script`,
        says: 'Sets the script of an added step.',
        entities,
        reads: textOf(maxScriptLength),
        // Clients that send a script ask for one, too.
        answers: raw([taskDefinitionDocument, 'text'], [...documentTypes, ...textOnly]),
        access: write,
        acting: 'refused',
        async handle(call, segments) {
          const { body, type } = call;
          const changed = changeTask(parts, taskIn(segments), (row) => withScript(row, body));
          await call.commit(changed.work);
          if (!documentTypes.includes(type)) return typed(type, body);
          return call.render(type, taskDefinitionDocument, changed.task);
        },
      }),
      route({
        method: 'GET',
        path: `${at}/validate`,
        says: 'Checks the syntax of the script of a step: OK, or the error.',
        entities,
        answers: 'text',
        access: readTasks,
        async handle(_call, segments) {
          try {
            await checkScript(scriptOf(taskIn(segments)));
            return 'OK';
          } catch (error) {
            if (error instanceof ScriptFails) return error.message;
            throw error;
          }
        },
      }),
    ];
  };

  return [
    route({
      method: 'GET',
      path,
      says: 'The steps of all job types.',
      query: { type: text('Only steps of this type') },
      answers: taskDefinitionListDocument,
      access: readTasks,
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
      answers: raw([uriListDocument, taskDefinitionListDocument]),
      access: write,
      acting: 'refused',
      async handle(call) {
        const { type, render } = call;
        const { rows, work } = await createTasks(parts, call.body.task ?? []);
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
      path: onTask,
      says: 'Replaces an added step.',
      entities: { task },
      reads: taskDefinitionDocument,
      answers: taskDefinitionDocument,
      access: write,
      acting: 'refused',
      async handle(call, { task }) {
        const { body } = call;
        const changed = changeTask(parts, task, ({ jobType, step }) => ({ jobType, step, ...body }));
        await call.commit(changed.work);
        return changed.task;
      },
    }),
    route({
      method: 'PUT',
      path: onStep,
      says: 'Adds a step to a job type, or replaces an added step.',
      entities: { type },
      reads: taskDefinitionDocument,
      answers: taskDefinitionDocument,
      access: write,
      acting: 'refused',
      async handle(call, { type, step }) {
        const changed = await setStep(parts, type.type, step, call.body);
        await call.commit(changed.work);
        return changed.task;
      },
    }),
    ...oneStep(onTask, 'task', task),
    ...keyValueRoutes(parts, byId),
    ...oneStep(onStep, 'step', step),
    ...keyValueRoutes(parts, byStep),
  ];
}

function scriptOf({ id, row }: TaskEntity): string {
  if (row?.script != null) return row.script;
  throw noSuchTask(`${id}/script`);
}
