import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { prepare } from '../../support/scenario.ts';
import type { Credentials } from '../../support/service.ts';
import { ask, done, ended, jobOf, newType, openJobWorld, refused, type Seen, worker } from './support.ts';

const mallory: Credentials = ['mallory', 'password of mallory'];

let world: Awaited<ReturnType<typeof openJobWorld>>;
let held: string;
let over: string;
beforeAll(async () => {
  world = await openJobWorld();
  await prepare(world, [newUser(mallory, ['_job_write'])]);
  await newType(world, 'QUICK', [{ step: 1, script: 'job.setData("ran", "yes")' }]);
  held = (await done<Seen>(world, 'POST /job?type=QUICK&holdJob=true')).jobId;
  over = (await done<Seen>(world, 'POST /job?type=QUICK')).jobId;
  await ended(world, over);
});
afterAll(() => world.close());

describe('a caller who may change jobs but not read those of others', () => {
  it.each([
    ['raise', () => `PUT /job/${held}?priority=LOW`],
    ['let begin', () => `PUT /job/${held}?status=READY`],
    ['end', () => `DELETE /job/${held}`],
    ['end at once', () => `DELETE /job/${held}?cleanup=false`],
    ['run again', () => `POST /job/${over}/re-run`],
    ['delete from the list', () => `DELETE /job?id=${over}`],
  ])('cannot %s a job of somebody else, and is not told that it is there', async (_does, request) => {
    const before = await Promise.all([jobOf(world, held), jobOf(world, over)]);
    const events = (await world.events()).length;
    const foreign = await world.send(ask(request(), undefined, mallory));
    const missing = await world.send(ask(request().replace(/VX-\d+/, 'VX-9999'), undefined, mallory));
    expect([foreign.status, foreign.headers.get('portico-error')]).toEqual([404, 'no-such-entity']);
    const told = (text: string) => text.replaceAll(/VX-\d+|[0-9a-f-]{36}/g, '');
    expect(told(foreign.body)).toBe(told(missing.body));
    expect(await Promise.all([jobOf(world, held), jobOf(world, over)])).toEqual(before);
    expect((await world.events()).length).toBe(events);
  });

  it('deletes a list with one foreign job not at all, and the own jobs alone whole', async () => {
    const own = (await done<Seen>(world, 'POST /job?type=QUICK', undefined, mallory)).jobId;
    await ended(world, own);
    expect(await refused(world, `DELETE /job?id=${own},${over}`, undefined, mallory)).toBe('404 no-such-entity');
    expect((await jobOf(world, own)).status).toBe('FINISHED');
    await done(world, `DELETE /job?id=${own}`, undefined, mallory);
    expect(await refused(world, `GET /job/${own}`, undefined, mallory)).toBe('404 no-such-entity');
  });

  it('raises, lets begin, ends and runs again the own jobs', async () => {
    const own = (await done<Seen>(world, 'POST /job?type=QUICK&holdJob=true', undefined, mallory)).jobId;
    await done(world, `PUT /job/${own}?priority=HIGH`, undefined, mallory);
    await done(world, `DELETE /job/${own}`, undefined, mallory);
    expect((await ended(world, own)).status).toBe('ABORTED');
    const again = await done<Seen>(world, `POST /job/${own}/re-run`, undefined, mallory);
    expect((await ended(world, again.jobId)).status).toBe('FINISHED');
  });
});

it('a caller who may read all jobs changes those of others', async () => {
  const id = (await done<Seen>(world, 'POST /job?type=QUICK&holdJob=true', undefined, mallory)).jobId;
  await done(world, `PUT /job/${id}?priority=HIGH`, undefined, worker);
  expect(await jobOf(world, id)).toMatchObject({ priority: 'HIGH', user: 'mallory' });
});
