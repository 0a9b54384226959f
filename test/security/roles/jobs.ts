import type { Sent, World } from '../../support/matrix.ts';
import type { Rule } from './rule.ts';

const numbers = new Map<string, number>();
let last = 850_000;

const jobOf = (who: string): string => `VX-${numbers.get(who)}`;

/** A job of the caller that waits. */
async function jobRowOf({ service: { store } }: World, who: string, caller = who): Promise<void> {
  const number = ++last;
  numbers.set(who, number);
  const sql = `INSERT INTO job (id, serial, type, status, priority, user, data, memo, created_at, total_steps, steps_begun,
      attempt, failures, instance, lease_until, fence, actor, notification_data)
    VALUES ('VX-' || ?1, ?1, 'COPY_FILE', 'WAITING', 3, ?2, '[]', '{}', 0, 6, 0, 0, 0, '', 0, 0, '{"user":"system"}', '[]')`;
  await store.commit({ changes: [{ sql, args: [number, caller] }], events: [] }, { user: 'test' });
}

/** The same with an external id. */
async function namedJobOf(world: World, who: string, caller = who): Promise<void> {
  await jobRowOf(world, who, caller);
  const sql = `INSERT INTO external_id (entity_type, external_id, entity_id) VALUES ('job', 'OF-' || ?1, 'VX-' || ?1)`;
  const changes = [{ sql, args: [numbers.get(who)!] }];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

const rowOf = (route: string, needs: Rule['needs']): Rule => ({
  route,
  needs,
  rows: jobRowOf,
  request: (who) => ({ request: `${route.slice(0, route.indexOf(' '))} /API/job/${jobOf(who)}` }),
});

/** A job of the caller that has ended, as it was ordered. */
async function endedJobOf(world: World, who: string, caller = who): Promise<void> {
  await jobRowOf(world, who, caller);
  const sql = `UPDATE job SET status = 'FINISHED', finished_at = 1, type = 'TYPE_ENDED', is_custom = 1,
      ordered = '{"data":[],"memo":{}}' WHERE id = ?1`;
  const type = `INSERT INTO custom_job_type (type, id) VALUES ('TYPE_ENDED', 29999) ON CONFLICT DO NOTHING`;
  const changes = [
    { sql, args: [jobOf(who)] },
    { sql: type, args: [] },
  ];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

/** A custom type with a task of the same number, and a pool. */
async function taskRowsOf(world: World, who: string): Promise<void> {
  const number = ++last;
  numbers.set(who, number);
  const task = `INSERT INTO task_definition (id, job_type, step, description, script, critical, cleanup, document)
    VALUES (?1, 'TYPE_' || ?1, 100, 'd', '1', 1, 0, json_object('script', '1', 'step', 100, 'jobType', 'TYPE_' || ?1))`;
  const pools = `INSERT INTO job_configuration (name, document)
    VALUES ('job-pool', '{"pool":[{"threshold":"HIGH","size":1},{"threshold":"LOWEST","size":1}]}')
    ON CONFLICT (name) DO UPDATE SET document = excluded.document`;
  const key = `INSERT INTO key_value (entity_type, entity_id, key, position, value)
    VALUES ('task-definition', ?1, 'k', 0, 'v')`;
  const changes = [
    { sql: `INSERT INTO custom_job_type (type, id) VALUES ('TYPE_' || ?1, ?1)`, args: [number] },
    { sql: task, args: [number] },
    { sql: key, args: [String(number)] },
    { sql: pools, args: [] },
  ];
  await world.service.store.commit({ changes, events: [] }, { user: 'test' });
}

const [readTasks, writeTasks] = ['_taskdefinition_read', '_taskdefinition_write'] as const;
type Asked = (number: string) => Pick<Sent, 'request' | 'body'>;

const taskRow = (route: string, needs: Rule['needs'], request: Asked): Rule => ({
  route,
  needs,
  rows: taskRowsOf,
  request: (who) => request(String(numbers.get(who))),
});

const byId = '/task-definition/:task';
const byType = '/task-definition/jobtype/:type';
const byStep = `${byType}/step/:step`;
const script = { script: '1', step: 100 };
const pair = { field: [{ key: 'k', value: 'v' }] };

/** The same routes below the number of a task, and below its step. */
const ofTasks = [byId, byStep].flatMap((path) => {
  const at = (number: string) =>
    `/API${path.replace(':task', number).replace(':type', `TYPE_${number}`).replace(':step', '100')}`;
  const asked = (method: string, rest: string, needs: Rule['needs'], body?: Sent['body']) =>
    taskRow(`${method} ${path}${rest}`, needs, (number) => ({
      request: `${method} ${at(number)}${rest.replace(':key{.+}', 'k')}`,
      ...(body !== undefined && { body }),
    }));
  return [
    asked('GET', '', readTasks),
    asked('PUT', '', writeTasks, script),
    asked('DELETE', '', writeTasks),
    asked('GET', '/script', readTasks),
    asked('PUT', '/script', writeTasks, '2'),
    asked('GET', '/validate', readTasks),
    asked('GET', '/metadata', readTasks),
    asked('PUT', '/metadata', writeTasks, pair),
    asked('DELETE', '/metadata', writeTasks),
    asked('GET', '/metadata/:key{.+}', readTasks),
    asked('PUT', '/metadata/:key{.+}', writeTasks, 'v'),
    asked('DELETE', '/metadata/:key{.+}', writeTasks),
  ];
});

export const jobRules: readonly Rule[] = [
  rowOf('GET /job/:job', 'any caller'),
  rowOf('PUT /job/:job', '_job_write'),
  rowOf('DELETE /job/:job', '_job_write'),
  {
    route: 'GET /job/:job/problem',
    needs: 'any caller',
    rows: jobRowOf,
    request: (who) => ({ request: `GET /API/job/${jobOf(who)}/problem` }),
  },
  ...(
    [
      ['GET /job/:job/external-id', 'any caller', ''],
      ['DELETE /job/:job/external-id', '_job_write', ''],
      ['PUT /job/:job/external-id/:externalId', '_job_write', '/KP-'],
      ['DELETE /job/:job/external-id/:externalId', '_job_write', '/OF-'],
    ] as const
  ).map(
    ([route, needs, id]): Rule => ({
      route,
      needs,
      rows: namedJobOf,
      request: (who) => ({
        request: `${route.split(' ')[0]} /API/job/${jobOf(who)}/external-id${id && id + numbers.get(who)}`,
      }),
    }),
  ),
  {
    route: 'DELETE /job',
    needs: '_job_write',
    rows: endedJobOf,
    request: (who) => ({ request: `DELETE /API/job?id=${jobOf(who)}` }),
  },
  {
    route: 'POST /job/:job/re-run',
    needs: '_job_write',
    rows: endedJobOf,
    request: (who) => ({ request: `POST /API/job/${jobOf(who)}/re-run` }),
  },
  taskRow('POST /job', '_job_write', (number) => ({ request: `POST /API/job?type=TYPE_${number}` })),
  taskRow('DELETE /configuration/job-pool/:priority', '_administrator', () => ({
    request: 'DELETE /API/configuration/job-pool/HIGH',
  })),
  taskRow(`GET ${byType}`, readTasks, (number) => ({ request: `GET /API/task-definition/jobtype/TYPE_${number}` })),
  taskRow(`DELETE ${byType}`, writeTasks, (number) => ({
    request: `DELETE /API/task-definition/jobtype/TYPE_${number}`,
  })),
  ...['graph', 'graph/dot'].map((path) =>
    taskRow(`GET ${byType}/${path}`, readTasks, (number) => ({
      request: `GET /API/task-definition/jobtype/TYPE_${number}/${path}`,
    })),
  ),
  {
    route: `POST ${byType}`,
    needs: writeTasks,
    rows: async (_world, who) => numbers.set(who, ++last),
    request: (who) => ({
      request: `POST /API/task-definition/jobtype/NEW_${numbers.get(who)}?id=${numbers.get(who)! - 829_000}`,
    }),
  },
  ...ofTasks,
];
