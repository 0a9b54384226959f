import { describe, expect, it } from 'vitest';
import { placesOf } from '../../../src/production/jobs/pools/rules.ts';
import type { JobPriority } from '../../../src/room/jobs/job-type.ts';
import { admin, done, newType, openJobWorld, refused, type Seen } from './support.ts';

const [IMMEDIATE, HIGHEST, HIGH, MEDIUM, LOW, LOWEST] = [0, 1, 2, 3, 4, 5];
const plain = (priority: number) => ({ priority, user: null, takesLong: false });
const query = (priority: number) => ({ priority, user: null, takesLong: true });
const ofUser = (user: string, priority: number) => ({ priority, user, takesLong: false });
const pool = (threshold: JobPriority, size: number) => ({ threshold, size });

/** Limits without pools. */
const defaultValue = (jobs: number, ofUser = 0) => ({ jobs, ofUser });

describe('the places of jobs', () => {
  it.each([
    ['no pools', { pool: [] }, [], [MEDIUM, LOW, HIGH], [true, true, true]],
    ['no pools, and all are taken', { pool: [] }, [MEDIUM, MEDIUM, MEDIUM], [HIGHEST, IMMEDIATE], [false, true]],
    ['a number of their own', { concurrentJobs: 1, pool: [] }, [], [LOW, LOW], [true, false]],
    [
      'a pool for each band',
      { pool: [pool('HIGH', 1), pool('LOWEST', 1)] },
      [],
      [HIGHEST, HIGH, MEDIUM, LOWEST, IMMEDIATE],
      [true, false, true, false, true],
    ],
    [
      'a place beside the pools',
      { concurrentJobs: 2, pool: [pool('HIGH', 1)] },
      [HIGH],
      [HIGH, LOW, LOW],
      [false, true, false],
    ],
    ['IMMEDIATE takes no place', { concurrentJobs: 1, pool: [] }, [IMMEDIATE, IMMEDIATE], [MEDIUM], [true]],
  ] as const)('with %s', (_title, pools, running, asked, taken) => {
    const places = placesOf(pools, defaultValue(3), running.map(plain));
    expect(asked.map((priority) => places.take(plain(priority)))).toEqual(taken);
  });

  it.each([
    ['no pools', { pool: [] }, [], [query(LOW), query(LOW), query(LOW), plain(LOW)], [true, true, false, true]],
    ['no pools, and two run', { pool: [] }, [query(LOW), query(LOW)], [query(HIGH), plain(LOW)], [false, true]],
    ['one place', { concurrentJobs: 1, pool: [] }, [], [query(LOW), plain(LOW)], [true, false]],
    ['IMMEDIATE', { pool: [] }, [query(LOW), query(LOW)], [query(IMMEDIATE), plain(LOW)], [true, true]],
    [
      'a pool for each band',
      { pool: [pool('HIGH', 1), pool('LOWEST', 2)] },
      [],
      [query(HIGH), query(LOW), query(LOW), plain(LOW)],
      [true, true, false, true],
    ],
  ] as const)('jobs that run queries leave one to others, with %s', (_title, pools, running, asked, taken) => {
    const places = placesOf(pools, defaultValue(3), running);
    expect(asked.map((job) => places.take(job))).toEqual(taken);
  });

  it.each([
    ['no pools', defaultValue(3), { pool: [] }, [HIGH, MEDIUM, LOW], [true, true, false]],
    ['one place', defaultValue(1), { pool: [] }, [HIGH, MEDIUM], [true, false]],
    ['a bound of its own', defaultValue(5, 2), { pool: [] }, [HIGH, MEDIUM, LOW], [true, true, false]],
    ['a bound above all places', defaultValue(2, 9), { pool: [] }, [HIGH, MEDIUM, LOW], [true, true, false]],
    ['IMMEDIATE', defaultValue(2), { pool: [] }, [LOW, IMMEDIATE, LOW], [true, true, false]],
    [
      'a pool for each band',
      defaultValue(3),
      { pool: [pool('HIGH', 1), pool('LOWEST', 3)] },
      [HIGH, LOW, MEDIUM, LOWEST],
      [true, true, true, false],
    ],
  ] as const)('jobs of one user leave one to others, with %s', (_title, limits, pools, asked, taken) => {
    const places = placesOf(pools, limits, []);
    expect(asked.map((priority) => places.take(ofUser('mallory', priority)))).toEqual(taken);
    const last = asked.at(-1)!;
    const isBounded = limits.ofUser <= limits.jobs;
    expect(places.fullFor(last)).toEqual(isBounded ? ['mallory'] : []);
    expect(places.take(ofUser('ann', last))).toBe(isBounded && limits.jobs > 1);
  });

  it('says which priorities have one', () => {
    expect(placesOf({ pool: [pool('HIGH', 1), pool('LOWEST', 1)] }, defaultValue(3), [plain(HIGH)]).open()).toEqual([
      IMMEDIATE,
      MEDIUM,
      LOW,
      LOWEST,
    ]);
  });
});

describe('the configuration of pools', () => {
  const path = '/configuration/job-pool';

  it('is stored, counts for the next job, and goes away', async () => {
    const world = await openJobWorld();
    await newType(world, 'WAITS', [{ step: 1, script: 'job.wait("TheMoon")' }]);
    expect(await done(world, `GET ${path}`, undefined, admin)).toEqual({ concurrentJobs: 3, pool: [] });
    const body = {
      pool: [
        { priorityThreshold: 'HIGH', size: 2 },
        { priorityThreshold: 'LOWEST', size: 4 },
      ],
    };
    await done(world, `PUT ${path}`, body, admin);
    expect(await done(world, `GET ${path}`, undefined, admin)).toEqual({ concurrentJobs: 6, ...body });
    await done(world, `DELETE ${path}/high`, undefined, admin);
    expect(await done(world, `GET ${path}`, undefined, admin)).toMatchObject({ concurrentJobs: 4 });
    expect(await refused(world, `DELETE ${path}/HIGH`, undefined, admin)).toBe('404 no-such-entity');
    await done(world, `DELETE ${path}`, undefined, admin);
    expect(await done(world, `GET ${path}`, undefined, admin)).toEqual({ concurrentJobs: 3, pool: [] });
    await world.close();
  });

  it('is the property concurrentJobs where there are no pools, at once and for the next job', async () => {
    const world = await openJobWorld();
    const set = (value: string) =>
      done(world, 'PUT /configuration/properties', { key: 'concurrentJobs', value }, admin);
    await set('1');
    expect(await done(world, `GET ${path}`, undefined, admin)).toEqual({ concurrentJobs: 1, pool: [] });
    for (const value of ['0', '1001', 'many']) {
      const body = { key: 'concurrentJobs', value };
      expect(await refused(world, 'PUT /configuration/properties', body, admin)).toBe('400 bad-value');
    }
    const script = 'job.log("a step")';
    await newType(
      world,
      'STEPS',
      [1, 2, 3].map((step) => ({ step, script })),
    );
    for (let count = 0; count < 3; count++) await done(world, 'POST /job?type=STEPS');
    await world.service.tick();
    const changed = (await world.events()).filter(({ name }) => name === 'job/update').map(({ entity }) => entity);
    const others = changed.filter((entity, at) => at > 0 && entity !== changed[at - 1]);
    expect([new Set(changed).size, others.length]).toEqual([3, 2]);
    await done(world, 'DELETE /configuration/properties/concurrentJobs', undefined, admin);
    expect(await done(world, `GET ${path}`, undefined, admin)).toEqual({ concurrentJobs: 3, pool: [] });
    await world.close();
  });

  it.each([
    [{ pool: [{ priorityThreshold: 'HIGH', size: 2 }] }],
    [{ concurrentJobs: 2, pool: [{ priorityThreshold: 'HIGH', size: 2 }] }],
    [{ concurrentJobs: 0 }],
    [{ pool: [{ priorityThreshold: 'LOWEST', size: 0 }] }],
    [
      {
        pool: [
          { priorityThreshold: 'LOWEST', size: 1 },
          { priorityThreshold: 'LOWEST', size: 2 },
        ],
      },
    ],
  ])('%j would keep jobs waiting for ever, and is refused', async (body) => {
    const world = await openJobWorld();
    expect(await refused(world, `PUT ${path}`, body, admin)).toBe('400 bad-value');
    await world.close();
  });

  it('jobs begin by priority, then by age', async () => {
    const world = await openJobWorld();
    await newType(world, 'QUICK', [{ step: 1, script: '1' }]);
    await done(world, `PUT ${path}`, { concurrentJobs: 1 }, admin);
    const ids: string[] = [];
    for (const priority of ['LOW', 'MEDIUM', 'HIGH', 'MEDIUM', 'IMMEDIATE']) {
      ids.push((await done<Seen>(world, `POST /job?type=QUICK&priority=${priority}`)).jobId);
    }
    await world.service.tick();
    const ends = (await world.events())
      .filter(({ name }) => name === 'job/stop')
      .map(({ entity }) => ids.indexOf(entity));
    // IMMEDIATE waits for nobody: it ends beside another one.
    expect(ends.filter((at) => at !== 4)).toEqual([2, 1, 3, 0]);
    expect(ends).toContain(4);
    await world.close();
  });

  it('any number of IMMEDIATE ones begin in one turn of the work, behind others that find no place', async () => {
    const world = await openJobWorld();
    await newType(world, 'QUICK', [{ step: 1, script: '1' }]);
    await done(world, `PUT ${path}`, { concurrentJobs: 1 }, admin);
    for (let count = 0; count < 30; count++) await done(world, 'POST /job?type=QUICK&priority=IMMEDIATE');
    for (let count = 0; count < 12; count++) await done(world, 'POST /job?type=QUICK&priority=HIGH');
    await world.service.tick();
    expect((await world.events()).filter(({ name }) => name === 'job/stop')).toHaveLength(42);
    await world.close();
  });
});
