import { expect, it } from 'vitest';
import { CallsUsedUp } from '../../../src/core/lib/errors.ts';
import { createLog } from '../../../src/core/lib/log.ts';
import { nothing } from '../../../src/core/store/commit-plan.ts';
import type { Database, Statement } from '../../../src/core/store/contract.ts';
import { runJob } from '../../../src/production/jobs/running/run.ts';
import { findJob, moveLease } from '../../../src/production/jobs/running/store.ts';
import { JobFails, JobWaits } from '../../../src/room/jobs/job-type.ts';
import { describeJob } from '../../../src/room/jobs/memo.ts';
import { failedCall } from '../../simulation/failures.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { seedOfRun, testRandom } from '../../support/random.ts';
import { admin, openService } from '../../support/service.ts';
import { held } from '../../support/work.ts';

const set = (text: string) => [{ sql: `UPDATE job SET ${text}`, args: [] }];
const ends = `status = 'FINISHED', step_status = 'FINISHED', finished_at = 7, lease_until = 0, due = NULL, instance = ''`;
const states = (database: Database) => database.read('SELECT status, finished_at, lease_until, fence FROM job');

/** A job that another instance holds, whose lease is over. */
async function heldByOther(script = 'job.setData("one", "1")') {
  const clock = testClock();
  const database = await migratedDatabase();
  const shared = { clock, settings: { logLevel: 'error' as const } };
  const first = await openService({ ...shared, database: outliving(database) });
  const send = (request: string, body?: object) =>
    first.service.fetch(requestOf('http://portico.test', { as: admin, request, ...(body && { body }) }));
  const task = [{ step: 1, script }];
  expect((await send('POST /API/task-definition/jobtype/PLOT?id=20001', { task })).status).toBe(200);
  expect((await send('POST /API/job?type=PLOT')).status).toBe(200);
  await database.write(
    set(
      `status = 'STARTED', step = 1, step_status = 'STARTED', instance = 'other', lease_until = 1, fence = 1, due = NULL`,
    ),
  );
  await first.service.close();
  return { database, shared };
}

const isUpdate = ({ sql }: Statement): boolean => /^update "?job"? set "?status/i.test(sql);
const stops = (database: Database) => database.read(`SELECT 1 FROM event WHERE name = 'job/stop'`);

/** The job's own server was slow, and ends it between the look at the job and the commit that changes it. */
function endsBefore(database: Database) {
  let isOver = false;
  const late: Database = {
    ...outliving(database),
    async write(...given) {
      if (!isOver && given[0].some(isUpdate)) {
        isOver = true;
        await database.write(set(ends));
      }
      return database.write(...given);
    },
  };
  return { late, came: () => isOver };
}

it('a job that ends while another instance is about to take it stays as it is, and ends once', async () => {
  const { database, shared } = await heldByOther();
  const { late, came } = endsBefore(database);
  const second = await openService({ ...shared, random: testRandom(seedOfRun + 1), database: late });
  await second.service.tick();
  expect(came(), 'nobody wanted to take the job').toBe(true);
  expect(await states(database)).toEqual([['FINISHED', 7, 0, 1]]);
  expect(await stops(database)).toEqual([]);
  await second.service.close();
  await database.close();
});

it('a job that has ended gets no lease again from a renewal that was on its way', async () => {
  const { database } = await heldByOther();
  const [row] = await database.read('SELECT id FROM job');
  const renewal = moveLease({ id: String(row![0]), until: 99 });
  await database.write([renewal]);
  expect((await states(database))[0]![2]).toBe(99);
  await database.write(set(ends));
  await database.write([renewal]);
  expect(await states(database)).toEqual([['FINISHED', 7, 0, 1]]);
  await database.close();
});

it('a job whose end is committed and not answered has ended: no clean-up is tried again', async () => {
  const { database, shared } = await heldByOther('job.fatalFail("broken")');
  let isLost = false;
  const silent: Database = {
    ...outliving(database),
    async write(...given) {
      const answer = await database.write(...given);
      const isEnd = !isLost && (await states(database))[0]![1] !== null;
      if (!isEnd) return answer;
      isLost = true;
      return failedCall('write', 'lost', () => answer);
    },
  };
  const second = await openService({ ...shared, random: testRandom(seedOfRun + 1), database: silent });
  for (let round = 0; round < 3; round++) {
    await second.service.tick();
    await shared.clock.advance(61_000);
  }
  expect(isLost).toBe(true);
  expect((await states(database))[0]![0]).toBe('FAILED_TOTAL');
  expect(await stops(database)).toHaveLength(1);
  await second.service.close();
  await database.close();
});

it('a job that ends while a caller aborts it stays as it is, and the caller is told', async () => {
  const { database, shared } = await heldByOther();
  const { late, came } = endsBefore(database);
  const second = await openService({ ...shared, random: testRandom(seedOfRun + 1), database: late });
  const [row] = await database.read('SELECT id FROM job');
  const request = `DELETE /API/job/${row![0]}`;
  const { status, headers } = await second.service.fetch(requestOf('http://portico.test', { as: admin, request }));
  expect([came(), status, headers.get('portico-error')]).toEqual([true, 409, 'job-ended']);
  expect(await states(database)).toEqual([['FINISHED', 7, 0, 1]]);
  await second.service.close();
  await database.close();
});

it.each([
  [
    'waits',
    () => Promise.reject(new JobWaits({ resourceType: 'RUNNER', resourceId: 'x', requirement: 'RunnerWorks' })),
  ],
  ['fails', () => Promise.reject(new JobFails('Expected media'))],
  ['is over', async () => ({})],
] as const)('a job whose step %s as the calls of an edge end keeps no lease', async (_, run) => {
  const { database, shared } = await heldByOther();
  const { service } = await openService({ ...shared, database });
  const [[id = ''] = []] = await database.read('SELECT id FROM job');
  const row = await findJob(service.store, { id: String(id) });
  const stop = new AbortController();
  let mayAsk = true;
  const store = {
    ...service.store,
    commit(...given: Parameters<typeof service.store.commit>) {
      if (mayAsk) return service.store.commit(...given);
      stop.abort(new CallsUsedUp());
      return Promise.reject(stop.signal.reason);
    },
  };
  const step = {
    ...{ step: 1, description: 'Plotting' },
    run() {
      mayAsk = false;
      return run();
    },
  };
  const type = {
    ...describeJob('PLOT', { memo: {} }),
    steps: [step, { ...step, step: 2 }],
    restart: async () => nothing,
  };
  const log = createLog(() => undefined, shared.clock, 'error');
  const parts = { store, clock: shared.clock, log, ask: async () => undefined, typeOf: () => type };
  const ending = <T>(work: () => Promise<T>): Promise<T> => {
    mayAsk = true;
    return work();
  };
  await runJob(parts, row!, { ...held, signal: stop.signal, ending });
  expect(await database.read('SELECT lease_until, instance FROM job')).toEqual([[0, '']]);
  await service.close();
});
