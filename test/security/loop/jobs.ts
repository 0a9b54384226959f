import type { Statement } from '../../../src/core/store/contract.ts';
import { get, type Load } from './load.ts';

const all = 'user=false';

/** By route, what is costlier than long parameters. Some of them are refused, because they would cost too much. */
export const jobLoads: Readonly<Record<string, readonly Load[]>> = {
  'GET /job': [
    `${all}&number=1000`,
    `${all}&first=49000&number=1000&sort=user%20desc,type,state,priority`,
    `${all}&number=1000&step=true`,
    `${all}&number=1000&metadata=true`,
    `${all}&number=100&metadata=true&step=true`,
    `${all}&state=ABORTED&type=NOTHING`,
    `${all}&jobmetadata=common%3Dvalue&jobmetadata=key-1%3Dvalue&number=1000`,
    `${all}${'&jobmetadata=common%3Dvalue'.repeat(200)}`,
    `${all}&jobmetadata=common%3Dvalue${Array.from({ length: 9 }, (_, index) => `&jobmetadata=key-${index}%3Dvalue`).join('')}`,
  ].map((query) => ({ title: query.slice(0, 60), request: () => ({ request: `GET /API/job?${query}` }) })),
  'GET /job/:job': [get('/job/J-1'), get('/job/J-1?field=key-7')],
  'GET /job/problem': [get('/job/problem')],
  'DELETE /job': [
    {
      title: 'as many jobs as one request deletes',
      status: 200,
      request: (run) => ({ request: `DELETE /API/job?id=${ids(20_000 + run * 600, 600)}` }),
    },
  ],
};

const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => `J-${from + index}`).join();

const upTo = (count: number, sql: string): Statement => ({
  sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) ${sql}`,
  args: [count],
});

/** Fifty thousand jobs with data and steps; `J-1` has as many of both as a job can get. A thousand others wait. */
export const jobState: readonly Statement[] = [
  upTo(
    1_000,
    `INSERT INTO job (id, serial, type, status, priority, user, data, memo, created_at, total_steps, steps_begun,
        attempt, failures, waiting, instance, lease_until, fence, actor, notification_data)
      SELECT 'W-' || i, 990000 + i, 'COPY_FILE', 'WAITING', 3, 'rich', '[]', '{}', i, 6, 1, 0, 0,
        json_object('resourceType', 'STORAGE', 'resourceId', 'VX-' || i, 'requirement', 'StorageFull'),
        '', 0, 1, '{"user":"rich"}', '[]' FROM n`,
  ),
  upTo(
    50_000,
    `INSERT INTO job (id, serial, type, status, priority, user, data, memo, created_at, finished_at, total_steps, step,
        step_status, steps_begun, attempt, failures, instance, lease_until, fence, actor, notification_data)
      SELECT 'J-' || i, 900000 + i, 'COPY_FILE', 'FINISHED', i % 6, 'rich',
        CASE WHEN i % 100 = 1 THEN json_array(json_array('common', 'value'), json_array('key-' || i, printf('%.6000c', '<')))
          ELSE json_array(json_array('common', 'value')) END,
        '{}', i, i + 1, 6, 200, 'FINISHED', 6, 0, 0, '', 0, 1, '{"user":"rich"}', '[]' FROM n`,
  ),
  upTo(50_000, `INSERT INTO job_datum (job_id, key, value) SELECT 'J-' || i, 'common', 'value' FROM n`),
  upTo(
    50_000,
    `INSERT INTO job_task (job_id, step, attempt, status, timestamp, description, said)
      SELECT 'J-' || (1 + i / 6), i % 6, 0, 'FINISHED', i, 'Copying', json_array(json_array(0, 'a sentence')) FROM n`,
  ),
  upTo(
    500,
    `INSERT INTO job_task (job_id, step, attempt, status, timestamp, description, error, said)
      SELECT 'J-1', 1000, i, 'FAILED_RETRY', i, 'Copying', printf('%.1000c', '<'), '[]' FROM n`,
  ),
];
