import { afterEach, describe, expect, it } from 'vitest';
import type { Plugin } from '../../../src/spi/index.ts';
import { newUser } from '../../support/cast.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials, ServiceOptions } from '../../support/service.ts';
import { admin, done, newType, openJobWorld, order, type Seen } from './support.ts';

const user = (name: string): Credentials => [name, `password of ${name}`];
const [ann, mallory, zoe] = [user('ann'), user('mallory'), user('zoe')];

/** Begins of steps that end when the test says so, by the user of their job. */
let begun: string[] = [];
let release: (() => void)[] = [];
const holding: Plugin = {
  name: 'holding',
  version: '1',
  contract: 1,
  actions: {
    'test.Holds': {
      says: 'Holds the place of a job.',
      create: () => ({
        methods: ['hold'],
        perform: ({ data }) =>
          new Promise((resolve) => {
            begun.push(data.find(([key]) => key === 'of')?.[1] ?? '');
            release.push(() => resolve({ answer: 'delivered' }));
          }),
      }),
    },
  },
};

let world: Awaited<ReturnType<typeof openJobWorld>>;
afterEach(() => world.close());

async function open(settings: ServiceOptions['settings'] = { concurrentJobs: 1 }): Promise<void> {
  [begun, release] = [[], []];
  world = await openJobWorld({ settings, plugins: [holding] });
  await prepare(
    world,
    [ann, mallory, zoe].map((each) => newUser(each, ['_job_write'])),
  );
  await newType(world, 'QUICK', [{ step: 1, script: 'job.setData("ran", "yes")' }]);
  await done(world, 'POST /task-definition/jobtype/HOLDS?id=30000', {
    task: [{ step: 1, bean: 'test.Holds', method: 'hold', plugin: true }],
  });
}

const start = async (as: Credentials, priority: string, type = 'QUICK') =>
  (await done<Seen>(world, `POST /job?type=${type}&priority=${priority}&jobmetadata=of%3D${as[0]}`, undefined, as))
    .jobId;

async function startMany(count: number, ...order: Parameters<typeof start>): Promise<void> {
  for (let at = 0; at < count; at++) await start(...order);
}

describe('every fourth place goes to the oldest job of lower bands', () => {
  it('so that urgent jobs of one user do not starve the job of another', async () => {
    await open();
    await startMany(24, mallory, 'HIGHEST');
    await start(ann, 'MEDIUM');
    expect((await order(world)).indexOf('a')).toBe(3);
  });

  it('whichever of the lower bands it is in', async () => {
    await open();
    await startMany(12, mallory, 'HIGHEST');
    await start(ann, 'LOWEST');
    await start(zoe, 'HIGH');
    expect(await order(world)).toBe(`mmmammmz${'m'.repeat(6)}`);
  });

  it('and urgent jobs come first as long as fewer than three of them passed a lower one', async () => {
    await open();
    await start(ann, 'LOW');
    await startMany(2, zoe, 'HIGH');
    await start(mallory, 'HIGHEST');
    expect(await order(world)).toBe('mzza');
  });

  it('of users in turns, so that one user who fills all bands holds up nobody', async () => {
    await open();
    for (const priority of ['HIGHEST', 'HIGH', 'MEDIUM', 'LOW']) await startMany(8, mallory, priority);
    await start(ann, 'MEDIUM');
    expect((await order(world)).indexOf('a')).toBeLessThan(24);
  });

  it('and jobs of the priority IMMEDIATE neither take that place nor count', async () => {
    await open();
    await startMany(6, mallory, 'IMMEDIATE');
    await startMany(6, zoe, 'HIGHEST');
    await start(ann, 'LOW');
    expect((await order(world)).replaceAll('m', '')).toBe('zzzazzz');
  });
});

describe('jobs of one user leave a place to others', () => {
  /** Runs the work until nothing else can begin, while jobs hold their places. */
  async function whileHeld(act: () => Promise<void>): Promise<void> {
    const work = world.service.tick();
    for (let round = 0; round < 6; round++) await world.clock.advance(1_000);
    await act();
    for (let open = true; open; ) {
      for (const end of release.splice(0)) end();
      await world.clock.advance(1_000);
      open = await Promise.race([work.then(() => false), new Promise<true>((go) => setImmediate(() => go(true)))]);
    }
  }

  it('in all bands of priorities together, so that the job of another begins beside them', async () => {
    await open({ concurrentJobs: 3 });
    for (const priority of ['HIGHEST', 'HIGH', 'MEDIUM']) await startMany(2, mallory, priority, 'HOLDS');
    await start(ann, 'LOWEST', 'HOLDS');
    await whileHeld(async () => expect(begun).toEqual(['mallory', 'mallory', 'ann']));
    expect(begun.toSorted()).toEqual(['ann', ...Array(6).fill('mallory')]);
  });

  it('only while others wait: a user beside whom nobody does gets all places', async () => {
    await open({ concurrentJobs: 3 });
    for (const priority of ['HIGHEST', 'LOW']) await startMany(2, mallory, priority, 'HOLDS');
    await whileHeld(async () => {
      expect(begun).toEqual(['mallory', 'mallory', 'mallory']);
      await startMany(2, ann, 'MEDIUM', 'HOLDS');
      release.shift()!();
      for (let round = 0; round < 6; round++) await world.clock.advance(1_000);
      expect(begun).toEqual(['mallory', 'mallory', 'mallory', 'ann']);
    });
    expect(begun).toHaveLength(6);
  });

  it.each([
    ['and an administrator none, though another waits for something else', admin, 3],
    ['and others do, though nobody can take it now', mallory, 2],
  ] as const)('%s', async (_title, as, places) => {
    await open({ concurrentJobs: 3 });
    await done(world, 'POST /task-definition/jobtype/SHUT?id=29998', {
      task: [{ step: 1, bean: 'test.Holds', method: 'hold', plugin: true }],
    });
    await done(world, 'PUT /task-group/one', { job: [{ type: ['SHUT'] }], maxConcurrency: 1 }, admin);
    await start(zoe, 'IMMEDIATE', 'SHUT');
    await start(ann, 'LOW', 'SHUT');
    await startMany(3, as, 'HIGH', 'HOLDS');
    await whileHeld(async () => expect(begun.toSorted()).toEqual([...Array(places).fill(as[0]), 'zoe'].toSorted()));
  });

  it('and the setting allows them more, or less', async () => {
    await open({ concurrentJobs: 3, concurrentJobsOfUser: 1 });
    await startMany(3, mallory, 'HIGHEST', 'HOLDS');
    await start(admin, 'LOW', 'HOLDS');
    await whileHeld(async () => expect(begun).toEqual(['mallory', 'admin']));
    await world.close();
    await open({ concurrentJobs: 3, concurrentJobsOfUser: 3 });
    await startMany(3, mallory, 'HIGHEST', 'HOLDS');
    await whileHeld(async () => expect(begun).toEqual(['mallory', 'mallory', 'mallory']));
  });
});
