import { afterEach, describe, expect, it } from 'vitest';
import { readyBands, readyJobs } from '../../../src/production/jobs/running/store.ts';
import { newUser } from '../../support/cast.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials, ServiceOptions } from '../../support/service.ts';
import { admin, ask, done, ended, jobOf, newType, openJobWorld, order, refused, type Seen, worker } from './support.ts';

const user = (name: string): Credentials => [name, `password of ${name}`];
const [ann, mallory, zoe] = [user('ann'), user('mallory'), user('zoe')];

let world: Awaited<ReturnType<typeof openJobWorld>>;
afterEach(() => world.close());

async function open(settings: ServiceOptions['settings'] = { concurrentJobs: 1 }): Promise<void> {
  world = await openJobWorld({ settings });
  await prepare(
    world,
    [ann, mallory, zoe].map((each) => newUser(each, ['_job_write'])),
  );
  await newType(world, 'QUICK', [{ step: 1, script: 'job.setData("ran", "yes")' }]);
}

const start = async (as: Credentials, query = '') =>
  (await done<Seen>(world, `POST /job?type=QUICK${query}`, undefined, as)).jobId;

describe('users take turns', () => {
  it('so that many jobs of one user hold up nobody else', async () => {
    await open();
    for (let at = 0; at < 6; at++) await start(mallory);
    await start(ann);
    await start(zoe);
    await start(zoe);
    const names = await order(world);
    expect(names).toHaveLength(9);
    expect(names.lastIndexOf('a')).toBeLessThan(3);
    expect(names.lastIndexOf('z')).toBeLessThan(6);
    expect(names.slice(-3)).toBe('mmm');
  });

  it('inside a band of priorities: a higher one comes first, and of one user the oldest', async () => {
    await open();
    const first = await start(mallory, '&priority=LOW');
    const second = await start(mallory, '&priority=LOW');
    await start(ann, '&priority=LOWEST');
    await start(zoe, '&priority=HIGH');
    expect(await order(world)).toBe('zmma');
    const ids = (await world.events()).filter(({ name }) => name === 'job/finished').map(({ entity }) => entity);
    expect(ids.indexOf(first)).toBeLessThan(ids.indexOf(second));
  });

  it('also when several jobs begin at a time', async () => {
    await open({ concurrentJobs: 4 });
    for (let at = 0; at < 20; at++) await start(mallory);
    for (let at = 0; at < 4; at++) await start(ann);
    expect((await order(world)).lastIndexOf('a')).toBeLessThan(9);
  });

  it('and the one whose job began last is the last to begin another', async () => {
    await open();
    for (let at = 0; at < 3; at++) await start(mallory);
    await order(world);
    for (let at = 0; at < 3; at++) await start(mallory);
    await start(ann);
    await start(zoe);
    expect((await order(world)).slice(3, 6)).toBe('zam');
  });

  it('and jobs that looked in vain what they wait for do not keep new ones from beginning', async () => {
    await open();
    await newType(world, 'WAITS', [{ step: 1, script: 'job.wait("TheMoon")' }]);
    for (let at = 0; at < 30; at++) await done(world, 'POST /job?type=WAITS', undefined, mallory);
    await world.service.tick();
    await world.clock.advance(2_000);
    const id = await start(ann);
    expect((await ended(world, id)).status).toBe('FINISHED');
  });

  it('at a cost that does not grow with the jobs that wait', async () => {
    await open();
    const { store } = world.service;
    const asked: [string, readonly (string | number | null)[]][] = [];
    const reader = {
      read: (sql: string, args: readonly (string | number | null)[] = []) => {
        asked.push([sql, args]);
        return [];
      },
    };
    await readyBands(reader as never, { open: [] });
    await readyJobs(reader as never, { priority: 3, after: '', types: '[]', full: '[]', limit: 9, reach: 9 });
    const plans: string[] = [];
    for (const [sql, args] of asked) {
      const rows = await store.read(`EXPLAIN QUERY PLAN ${sql}`, args as never);
      plans.push(...rows.map((row) => String(row.at(-1))));
    }
    const ofJobs = plans.filter((plan) => /\b(SCAN|SEARCH) (job|own)\b/.test(plan));
    expect(ofJobs.length).toBeGreaterThan(3);
    for (const plan of ofJobs) expect(plan).toMatch(/SEARCH .* USING (COVERING )?INDEX job_due|USING PRIMARY KEY/);
    // Users, bands and the rows of a page are sorted: no jobs that wait.
    expect(plans.filter((plan) => plan.includes('TEMP B-TREE'))).toHaveLength(4);
  });
});

describe('jobs of one user that have not ended', () => {
  it('are bounded: one more is refused and changes nothing, and others start theirs', async () => {
    await open({ maxWaitingJobs: 3 });
    for (let at = 0; at < 2; at++) await start(mallory, '&holdJob=true');
    const last = await start(mallory);
    const before = (await world.events()).length;
    const answer = await world.send(ask('POST /job?type=QUICK', undefined, mallory));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([429, 'too-many-jobs']);
    expect(answer.body).toContain('at most 3 jobs');
    expect((await world.events()).length).toBe(before);
    await start(ann);
    await ended(world, last);
    await start(mallory);
    expect(await refused(world, `POST /job/${last}/re-run`, undefined, mallory)).toBe('429 too-many-jobs');
  });
});

describe('the priorities IMMEDIATE and HIGHEST', () => {
  it.each(['IMMEDIATE', 'highest'])(
    '%s is refused to who may not change jobs, by the name of the role',
    async (word) => {
      await open();
      const reader = user('exporter');
      await prepare(world, [newUser(reader, ['_export'])]);
      const request = `POST /item/list?destinationUri=memory:///out/list&outputFormat=csv&field=title&priority=${word}`;
      const answer = await world.send(ask(request, undefined, reader));
      expect([answer.status, answer.headers.get('portico-error')]).toEqual([403, 'role-missing']);
      expect(answer.body).toContain('_job_write');
      const job = await done<Seen>(world, request.replace(word, 'HIGH'), undefined, reader);
      expect(job.priority).toBe('HIGH');
      expect((await done<Seen>(world, request, undefined, admin)).priority).toBe(word.toUpperCase());
    },
  );

  it('are for who may change jobs, and for administrators', async () => {
    await open();
    expect((await jobOf(world, await start(mallory, '&priority=HIGHEST'))).priority).toBe('HIGHEST');
    expect((await jobOf(world, await start(worker, '&priority=IMMEDIATE'))).priority).toBe('IMMEDIATE');
  });
});
