import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWaker, systemClock } from '../../src/core/lib/clock.ts';
import { together } from '../../src/core/store/commit-plan.ts';
import { type Database, type Statement, systemActor } from '../../src/core/store/contract.ts';
import { openStore } from '../../src/core/store/store.ts';
import { WorkTally } from '../../src/core/work/tally.ts';
import { Allowance, tick } from '../../src/core/work/tick.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { jobsKind } from '../../src/production/jobs/running/work.ts';
import { beginServiceJob } from '../../src/room/jobs/contract.ts';
import type { JobOrder, JobType } from '../../src/room/jobs/job-type.ts';
import { describeJob } from '../../src/room/jobs/memo.ts';
import { startedJob } from '../../src/room/jobs/rules.ts';
import { outliving } from '../support/databases.ts';
import { migrations } from '../support/store.ts';
import { dueTimesIn } from '../support/work.ts';
import { rawCommitter } from './commit.ts';
import { median, type Row } from './row.ts';

/** Cost of the job engine around its commits: jobs of three empty steps, against the same commits alone. */

const hands = 64;
const quiet = { write: () => undefined, writes: () => false };
const run = async () => ({});
const type: JobType = {
  ...describeJob('EMPTY', { memo: {} }),
  restart: async () => ({ changes: [], events: [] }),
  steps: [1, 2, 3].map((step) => ({ step, description: 'Nothing', run })),
};

const storeOf = async (path: string, commits: (readonly Statement[])[] = []) => {
  const database = await openDatabase(`file:${path}`);
  const recording: Database = {
    ...outliving(database),
    close: () => database.close(),
    write(statements, share) {
      commits.push(statements);
      return database.write(statements, share);
    },
  };
  return openStore(recording, { clock: systemClock, site: 'B', migrations });
};

/** Jobs that are ready, and `ended` others that are not looked at. */
async function fill(path: string, jobs: number, ended: number): Promise<void> {
  const store = await storeOf(path);
  await store.migrate();
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
    INSERT INTO job (id, serial, type, status, priority, user, data, memo, created_at, finished_at, total_steps, step,
      step_status, steps_begun, attempt, failures, instance, lease_until, fence, actor, notification_data)
    SELECT 'E-' || i, i, 'EMPTY', 'FINISHED', 3, 'u', '[]', '{}', i, i, 3, 3, 'FINISHED', 3, 0, 0, '', 0, 1, '{}', '[]' FROM n`;
  if (ended > 0) await store.commit({ changes: [{ sql, args: [ended] }], events: [] }, systemActor);
  const works = [];
  for (let count = 0; count < jobs; count++) {
    const services = { startJob: (order: JobOrder) => startedJob(order, type, systemClock.now(), jobs) };
    works.push((await beginServiceJob({ store, clock: systemClock, services }, { job: type, memo: {} })).work);
  }
  await store.commit(together(...works), systemActor);
  await store.close();
}

/** Milliseconds until all jobs have ended, and the commits that it took. */
async function endAll(path: string): Promise<{ milliseconds: number; commits: readonly (readonly Statement[])[] }> {
  const commits: (readonly Statement[])[] = [];
  const store = await storeOf(path, commits);
  const kind = jobsKind({
    store,
    clock: systemClock,
    log: quiet as never,
    instanceId: 'bench',
    jobTypes: () => [type],
    settings: { concurrentJobs: hands, concurrentJobsOfUser: hands },
    runner: () => ({ run }),
    services: undefined as never,
  });
  const never = new AbortController().signal;
  const start = performance.now();
  const read = dueTimesIn(store)([kind]);
  const dueTime = async () => (await read())[0]!;
  await tick(
    kind,
    { clock: systemClock, log: quiet as never, tally: new WorkTally(systemClock.now), dueTime },
    {
      end: Number.POSITIVE_INFINITY,
      stopping: never,
      stopped: never,
      allowance: new Allowance(() => Number.POSITIVE_INFINITY),
      waker: createWaker(systemClock),
    },
  );
  const milliseconds = performance.now() - start;
  await store.close();
  return { milliseconds, commits };
}

async function commitAll(path: string, commits: readonly (readonly Statement[])[]): Promise<number> {
  const raw = rawCommitter(path, 256, (id) => [...commits[Number(id)]!]);
  let next = 0;
  const start = performance.now();
  const call = async () => {
    while (next < commits.length) await raw.commit(String(next++));
  };
  await Promise.all(Array.from({ length: hands }, call));
  raw.close();
  return performance.now() - start;
}

export async function benchJobs(jobs = 1_000, ended = 1_000_000, rounds = 3): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-jobs-'));
  const at = (name: string) => join(directory, `${name}.db`);
  await fill(at('few'), jobs, 0);
  await fill(at('many'), jobs, ended);
  const ratios: number[] = [];
  const behind: number[] = [];
  let perSecond = 0;
  for (let round = 0; round < rounds; round++) {
    for (const name of ['few', 'many', 'raw'])
      await copyFile(at(name === 'raw' ? 'few' : name), at(`${name}-${round}`));
    const few = await endAll(at(`few-${round}`));
    const raw = await commitAll(at(`raw-${round}`), few.commits);
    const many = await endAll(at(`many-${round}`));
    ratios.push(raw / few.milliseconds);
    behind.push(few.milliseconds / many.milliseconds);
    perSecond = Math.max(perSecond, (jobs * 1_000) / few.milliseconds);
  }
  await rm(directory, { recursive: true, force: true });
  return [
    { name: 'jobs of three empty steps, against the same commits alone', ratio: median(ratios), floor: 0.4, perSecond },
    { name: 'the same with a million jobs that have ended', ratio: median(behind), floor: 0.9 },
  ];
}
