import { expect, it } from 'vitest';
import type { Database } from '../../../src/core/store/contract.ts';
import { moveLease } from '../../../src/production/jobs/running/store.ts';
import { testClock } from '../../support/clock.ts';
import { outliving } from '../../support/databases.ts';
import { requestOf } from '../../support/matrix.ts';
import { migratedDatabase } from '../../support/migrated.ts';
import { seedOfRun, testRandom } from '../../support/random.ts';
import { admin, openService } from '../../support/service.ts';

const set = (text: string) => [{ sql: `UPDATE job SET ${text}`, args: [] }];
const ends = `status = 'FINISHED', step_status = 'FINISHED', finished_at = 7, lease_until = 0, due = NULL, instance = ''`;
const states = (database: Database) => database.read('SELECT status, finished_at, lease_until, fence FROM job');

/** A job that another instance holds, whose lease is over. */
async function heldByOther() {
  const clock = testClock();
  const database = await migratedDatabase();
  const shared = { clock, settings: { logLevel: 'error' as const } };
  const first = await openService({ ...shared, database: outliving(database) });
  const send = (request: string, body?: object) =>
    first.service.fetch(requestOf('http://portico.test', { as: admin, request, ...(body && { body }) }));
  const task = [{ step: 1, script: 'job.setData("one", "1")' }];
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

it('a job that ends while another instance is about to take it stays as it is, and ends once', async () => {
  const { database, shared } = await heldByOther();
  let isFirst = true;
  const late: Database = {
    ...outliving(database),
    async write(...given) {
      // The job's own server was slow, and ends it between the look for lost jobs and the commit that takes one.
      if (isFirst && given[0].some(({ sql }) => /^update "?job"? set "?status/i.test(sql))) {
        isFirst = false;
        await database.write(set(ends));
      }
      return database.write(...given);
    },
  };
  const second = await openService({ ...shared, random: testRandom(seedOfRun + 1), database: late });
  await second.service.tick();
  expect(isFirst, 'nobody wanted to take the job').toBe(false);
  expect(await states(database)).toEqual([['FINISHED', 7, 0, 1]]);
  expect(await database.read(`SELECT 1 FROM event WHERE name = 'job/stop'`)).toEqual([]);
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
