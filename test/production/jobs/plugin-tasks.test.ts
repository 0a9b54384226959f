import { expect, it } from 'vitest';
import type { ActionAnswer, ActionCall, Plugin } from '../../../src/spi/index.ts';
import { admin, attempts, done, ended, jobOf, openJobWorld, type Seen } from './support.ts';

let answers: (ActionAnswer | Error)[] = [];
let calls: ActionCall[] = [];

const plugin: Plugin = {
  name: 'tagger',
  version: '1',
  contract: 1,
  actions: {
    'ai.Tagger': {
      says: 'Tags what jobs are about.',
      create: () => ({
        methods: ['tag'],
        perform(call) {
          calls.push(call);
          const answer = answers.shift() ?? { answer: 'delivered' };
          if (answer instanceof Error) throw answer;
          return answer;
        },
      }),
    },
  },
};

async function run(method: string, given: readonly (ActionAnswer | Error)[]) {
  [answers, calls] = [[...given], []];
  const world = await openJobWorld({ plugins: [plugin] });
  await done(world, 'POST /task-definition/jobtype/TAGGED?id=20001', {
    task: [{ step: 5, bean: 'ai.Tagger', method, plugin: true }],
  });
  const { jobId } = await done<Seen>(world, 'POST /job?type=TAGGED&jobmetadata=a%3Db', undefined, admin);
  return { world, jobId };
}

it('a plugin carries out a step, and is told of the job and its data', async () => {
  const { world, jobId } = await run('tag', [{ answer: 'delivered', text: 'three tags' }]);
  const job = await ended(world, jobId);
  expect(job.status).toBe('FINISHED');
  expect(job.log!.task[0]!.subStep).toMatchObject([{ description: 'three tags' }]);
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    kind: 'ejb',
    texts: { bean: 'ai.Tagger', method: 'tag' },
    data: [['a', 'b']],
    id: `${jobId}-5`,
  });
  await world.close();
});

it('a plugin that cannot do it now is asked again under the same id, also when it throws', async () => {
  const { world, jobId } = await run('tag', [{ answer: 'again', reason: 'busy' }, new Error('lost')]);
  const job = await ended(world, jobId);
  expect(attempts(job)).toEqual(['5/0 FAILED_RETRY', '5/1 FAILED_RETRY', '5/2 FINISHED']);
  expect(job.log!.task.map(({ errorMessage }) => errorMessage)).toEqual(['busy', 'lost', undefined]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
  await world.close();
});

it('a plugin that refuses fails the job with its reason', async () => {
  const { world, jobId } = await run('tag', [{ answer: 'refused', reason: 'no licence' }]);
  const job = await ended(world, jobId);
  expect([job.status, job.log!.task[0]!.errorMessage, calls.length]).toEqual(['FAILED_TOTAL', 'no licence', 1]);
  await world.close();
});

it('a method that no plugin has makes the job wait, and the problem names it', async () => {
  const { world, jobId } = await run('untag', []);
  await world.service.tick();
  expect((await jobOf(world, jobId)).status).toBe('WAITING');
  expect(await done(world, 'GET /job/problem')).toMatchObject({
    problem: [{ type: 'NoPlugin', data: [{ key: 'task', value: 'ai.Tagger#untag' }] }],
  });
  expect(calls).toEqual([]);
  await world.close();
});
