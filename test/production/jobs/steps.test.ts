import { describe, expect, it } from 'vitest';
import { changing } from '../../../src/core/store/commit-plan.ts';
import { systemActor } from '../../../src/core/store/contract.ts';
import { runJob } from '../../../src/production/jobs/running/run.ts';
import { findJob } from '../../../src/production/jobs/running/store.ts';
import { beginServiceJob } from '../../../src/room/jobs/contract.ts';
import {
  JobFails,
  type JobOrder,
  type JobStep,
  type JobType,
  JobWaits,
  type LeasedJob,
  type StepResult,
} from '../../../src/room/jobs/job-type.ts';
import { describeJob, flag, type JobMemo, listOf, text } from '../../../src/room/jobs/memo.ts';
import { startedJob } from '../../../src/room/jobs/rules.ts';
import { held } from '../../support/work.ts';
import { jobOf, openJobWorld } from './support.ts';

type World = Awaited<ReturnType<typeof openJobWorld>>;

let worldOf: World;

const testJob = describeJob('TESTED', { memo: { isDone: flag, found: listOf(text) }, tells: ['far', 'key', 'found'] });
type Memo = JobMemo<typeof testJob>;

type Result = StepResult<Memo> | undefined;
type Run = (job: LeasedJob<Memo>) => Result | Promise<Result>;
type Step = Partial<JobStep<Memo>> & { readonly does?: Run };

const step = (number: number, { does = () => ({}), ...more }: Step = {}): JobStep<Memo> => ({
  step: number,
  description: `step ${number}`,
  run: async (job) => (await does(job)) ?? {},
  ...more,
});

const throwing = (error: JobFails | JobWaits) => (): never => {
  throw error;
};

/** Each commit has a time of its own. */
function timeCommits({ service, clock }: World): void {
  const { commit } = service.store;
  service.store.commit = async (...given) => {
    await clock.advance(1);
    return commit(...given);
  };
}

/** A job of a type of these steps, in the hands of this instance until it ends or waits. */
async function run(steps: readonly JobStep<Memo>[], change: (world: World) => unknown = () => {}) {
  const world = await openJobWorld();
  const { store, log } = world.service;
  const ends: string[] = [];
  const type: JobType<typeof testJob.memo> = {
    ...testJob,
    steps,
    restart: async () => ({ changes: [], events: [] }),
    ended: async (_job, how) => {
      ends.push(how);
      return { changes: [], events: [] };
    },
  };
  const services = { startJob: (order: JobOrder) => startedJob(order, type, world.clock.now(), 1) };
  const { jobId, work } = await beginServiceJob({ store, clock: world.clock, services }, { job: testJob, memo: {} });
  await store.commit(work, systemActor);
  await change(world);
  const row = (await findJob(store, { id: jobId }))!;
  const failures: string[] = [];
  const counting = { ...held, failed: (says: string) => void failures.push(says) };
  const parts = { store, clock: world.clock, log, ask: async () => undefined, typeOf: () => type };
  await runJob(parts, { ...row, leaseUntil: world.clock.now() + 60_000 }, counting);
  const job = await jobOf(world, jobId);
  const told = await store.read(
    `SELECT at, payload ->> 'status', payload ->> 'step', payload ->> 'currentStepNumber', payload ->> 'currentStepStatus'
      FROM event WHERE name = 'job/update' ORDER BY sequence`,
  );
  await world.close();
  return { job: job as typeof job & { log: { task: readonly Record<string, unknown>[] } }, ends, failures, told };
}

describe('a step', () => {
  it('is named while it runs, with an attempt and its progress, without an event of its own', async () => {
    let world: World;
    let seen: unknown;
    const { told } = await run(
      [
        step(10),
        step(20, {
          async does(held) {
            held.progress(22, 100, 'percent');
            await Promise.resolve();
            const { currentStep, log } = await jobOf(world, held.id);
            seen = [currentStep, log!.task.map(({ step: number, status }) => [number, status]), log!.task[1]];
          },
        }),
      ],
      (opened) => {
        world = opened;
      },
    );
    expect(seen).toMatchObject([
      { number: 2, status: 'STARTED', description: '' },
      [
        [10, 'FINISHED'],
        [20, 'STARTED'],
      ],
      { progress: { value: 22, total: 100, unit: 'percent' } },
    ]);
    expect(told.map(([, , number, , status]) => [number, status])).toEqual([
      [10, 'FINISHED'],
      [20, 'FINISHED'],
    ]);
  });

  it('tells how far it is, of which unit, and of its parts', async () => {
    const { job } = await run([
      step(10, {
        does(held) {
          held.progress(40, 100, 'percent');
          held.progress(100, 100, 'percent');
          held.subStep('opened the file');
          held.subTask(2, 2, { description: 'web', status: 'STARTED', progress: { done: 1, total: 4, unit: 'bytes' } });
          held.subTask(1, 2, { description: 'lowres', status: 'FINISHED' });
          held.subTask(2, 2, { description: 'web', status: 'FAILED_FATAL', error: 'no codec' });
          return { says: ['done'], warns: true };
        },
      }),
    ]);
    expect(job.status).toBe('FINISHED_WARNING');
    expect(job.log.task[0]).toMatchObject({
      progress: { value: 100, total: 100, unit: 'percent' },
      totalSubTasks: 2,
      subStep: [{ description: 'opened the file' }, { description: 'done' }],
      subTask: [
        { id: 1, description: 'lowres', status: 'FINISHED' },
        { id: 2, description: 'web', status: 'FAILED_FATAL', errorMessage: 'no codec' },
      ],
    });
  });

  it('tells data of the job as long as it runs, and leaves what its result has', async () => {
    const seen: unknown[] = [];
    const { job } = await run(
      [
        step(10, {
          async does(held) {
            held.tells([['far', '40']]);
            held.progress(40, 100, 'percent');
            const stored = async () => (await worldOf.service.store.read('SELECT data FROM job'))[0];
            await expect.poll(stored).toEqual(['[["far","40"]]']);
            seen.push(await stored());
            return { data: [['far', '100']] };
          },
        }),
        step(20, { does: (held) => void held.progress(1, 2) }),
      ],
      async (world) => {
        worldOf = world;
        // As a server leaves it that is gone.
        await world.service.store.commit(
          { changes: [{ sql: `UPDATE job SET data = '[["far","20"]]'`, args: [] }], events: [] },
          systemActor,
        );
      },
    );
    expect(seen).toHaveLength(1);
    expect(job.data).toEqual([{ key: 'far', value: '100' }]);
  });

  it('is written at most once a second while it tells how far it is, and that is no event', async () => {
    const telling = async (seconds: number) => {
      let commits = 0;
      const { job, told } = await run(
        [
          step(10, {
            async does(held) {
              for (let at = 0; at < 100 * seconds; at++) {
                if (at % 100 === 0) await clockOf(1000);
                held.progress(at, 100 * seconds, 'percent');
              }
              return {};
            },
          }),
        ],
        ({ service, clock }) => {
          clockOf = (milliseconds) => clock.advance(milliseconds);
          const { commit } = service.store;
          service.store.commit = (...given) => {
            commits++;
            return commit(...given);
          };
        },
      );
      expect(job.log.task[0]).toMatchObject({ progress: { total: 100 * seconds, unit: 'percent' } });
      return { commits, told: told.length };
    };
    let clockOf = async (_milliseconds: number): Promise<unknown> => undefined;
    const [short, long] = [await telling(2), await telling(5)];
    expect(long.commits - short.commits).toBe(3);
    expect(long.told).toBe(short.told);
  });

  it('keeps what it said when it began', async () => {
    const { job } = await run([
      step(10, { begin: async () => ({ says: ['begins'] }), does: () => ({ says: ['ends'] }) }),
    ]);
    expect(job.log.task[0]!['subStep']).toMatchObject([{ description: 'begins' }, { description: 'ends' }]);
  });

  it('cannot fill the log of a job', async () => {
    const { job } = await run([
      step(10, {
        does(held) {
          for (let number = 1; number <= 10_000; number++) {
            held.subStep('x'.repeat(5_000));
            held.subTask(number, 10_000, { description: 'part', status: 'READY' });
          }
          return {};
        },
      }),
    ]);
    const task = job.log.task[0]!;
    expect([(task['subStep'] as []).length, (task['subTask'] as []).length, task['totalSubTasks']]).toEqual([
      200, 200, 10_000,
    ]);
    expect(JSON.stringify(task).length).toBeLessThan(400_000);
  });

  it('that is not critical and fails last ends the job well, with a warning', async () => {
    const { job, ends } = await run([step(1), step(2, { critical: false, does: throwing(new JobFails('no')) })]);
    expect([job.status, ends]).toEqual(['FINISHED_WARNING', ['FINISHED']]);
  });

  it('runs to clean up before the end of a failed job, and is skipped if it cannot clean up', async () => {
    const order: string[] = [];
    const note = (word: string) => () => void order.push(word) as undefined;
    const { job, ends } = await run([
      step(1, { cleanup: true, does: note('clean 1') }),
      step(2, {
        does() {
          order.push('main');
          throw new JobFails('broken');
        },
      }),
      step(3, {
        cleanup: true,
        does() {
          order.push('clean 3');
          throw new JobFails('cannot clean');
        },
      }),
      step(4, { does: note('never') }),
      step(5, { cleanup: true, does: note('clean 5') }),
    ]);
    expect(order).toEqual(['main', 'clean 1', 'clean 3', 'clean 5']);
    expect([job.status, job.totalSteps, ends]).toEqual(['FAILED_TOTAL', 2, ['FAILED_TOTAL']]);
    expect(job.currentStep!.number).toBe(4);
    expect(job.log.task.map(({ step: number, status }) => `${number} ${status}`)).toEqual([
      '1 FINISHED',
      '2 FAILED_FATAL',
      '3 FAILED_FATAL',
      '5 FINISHED',
    ]);
  });

  it('for which nothing is left ends in the commit of the step before it, and is told like any other', async () => {
    const ran: number[] = [];
    const note = (number: number) => (): undefined => void ran.push(number) as undefined;
    const known: unknown[] = [];
    const { job, ends, told } = await run(
      [
        step(10, {
          does() {
            ran.push(10);
            return { memo: { isDone: true }, data: [['key', 'value']] };
          },
        }),
        step(20, {
          settled({ memo, data }) {
            known.push(memo.isDone, data);
            return { says: ['nothing to do'] };
          },
          does: note(20),
        }),
        step(30, { settled: ({ memo }) => (memo.isDone === true ? undefined : {}), does: note(30) }),
        step(40, { settled: () => ({}), does: note(40) }),
      ],
      timeCommits,
    );
    expect([ran, ends, known]).toEqual([[10, 30], ['FINISHED'], [true, [['key', 'value']]]]);
    expect(told.map((row) => row.slice(1))).toEqual([
      ['STARTED', 10, 1, 'FINISHED'],
      ['STARTED', 20, 2, 'FINISHED'],
      ['STARTED', 30, 3, 'FINISHED'],
      ['FINISHED', 40, 4, 'FINISHED'],
    ]);
    const times = told.map(([at]) => at);
    expect([times[0] === times[1], times[1] === times[2], times[2] === times[3]]).toEqual([true, false, true]);
    expect(job.log.task.map(({ step: number, status }) => `${number} ${status}`)).toEqual([
      '10 FINISHED',
      '20 FINISHED',
      '30 FINISHED',
      '40 FINISHED',
    ]);
    expect(job.log.task[1]!['subStep']).toMatchObject([{ description: 'nothing to do' }]);
  });

  it('for which nothing is left runs where the step before it cleans up, or has failed', async () => {
    const ran: number[] = [];
    const { job } = await run([
      step(1, { critical: false, does: throwing(new JobFails('no')) }),
      step(2, { settled: () => ({}), does: () => void ran.push(2) as undefined }),
    ]);
    expect([job.status, ran]).toEqual(['FINISHED_WARNING', [2]]);
  });

  it('that is over once it has begun ends in the same commit, and is told twice like any other', async () => {
    const ran: number[] = [];
    const { job, told } = await run(
      [
        step(10, {
          begin: async () => ({ isOver: true, memo: { isDone: true }, data: [['key', 'value']], says: ['found it'] }),
          does: () => void ran.push(10) as undefined,
        }),
        step(20, { does: ({ memo, data }) => ({ says: [JSON.stringify([memo.isDone, data])] }) }),
      ],
      timeCommits,
    );
    expect(ran).toEqual([]);
    expect(told.map((row) => row.slice(1))).toEqual([
      ['STARTED', 10, 1, 'STARTED'],
      ['STARTED', 10, 1, 'FINISHED'],
      ['FINISHED', 20, 2, 'FINISHED'],
    ]);
    expect([told[0]![0] === told[1]![0], told[1]![0] === told[2]![0]]).toEqual([true, false]);
    expect(job.data).toEqual([{ key: 'key', value: 'value' }]);
    expect(job.log.task.map((task) => task['subStep'])).toMatchObject([
      [{ description: 'found it' }],
      [{ description: '[true,[["key","value"]]]' }],
    ]);
  });

  it('that waits gives the job back', async () => {
    const waiting = { resourceType: 'FILE', resourceId: 'VX-1', requirement: 'FileMissing' };
    const { job } = await run([step(1, { does: throwing(new JobWaits(waiting)) })]);
    expect(job).toMatchObject({ status: 'WAITING', waiting });
  });
});

describe('the memo of a job', () => {
  it('is read by its description: flags are false and lists are empty until a step writes them', async () => {
    const seen: unknown[] = [];
    await run([
      step(10, {
        does(job) {
          seen.push(job.memo);
          return { memo: { isDone: true, found: ['a', 'b'] } };
        },
      }),
      step(20, { does: ({ memo }) => void seen.push(memo) as undefined }),
    ]);
    expect(seen).toEqual([
      { isDone: false, found: [] },
      { isDone: true, found: ['a', 'b'] },
    ]);
  });

  it('tells clients the values that its type names', async () => {
    const { job } = await run([step(10, { does: () => ({ memo: { found: ['a', 'b'] } }) })]);
    expect(job.data).toEqual([
      { key: 'found', value: 'a' },
      { key: 'found', value: 'b' },
    ]);
  });

  it('fails the job when it does not fit its description, and nothing cleans up by it', async () => {
    const ran: number[] = [];
    const { job, ends, failures } = await run([step(10, { does: () => void ran.push(10) as undefined })], (world) =>
      world.service.store.commit(changing({ sql: `UPDATE job SET memo = '{"isDone":"yes"}'`, args: [] }), systemActor),
    );
    const says = 'Expected true or false at isDone in the memo of the job: found string';
    expect([job.status, ran, ends, failures.length]).toEqual(['FAILED_TOTAL', [], [], 1]);
    expect(job.log.task).toMatchObject([{ step: 10, status: 'FAILED_FATAL', errorMessage: says }]);
    expect(job.data).toEqual([{ key: 'errorMessage-10-1-0', value: says }]);
  });

  it('has no keys of the engine', () => {
    expect(() => describeJob('TESTED', { memo: { warned: flag } })).toThrow(/another key in the memo of TESTED/);
  });
});
