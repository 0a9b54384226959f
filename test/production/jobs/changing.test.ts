import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, ask, done, ended, jobOf, newType, openJobWorld, refused, type Seen } from './support.ts';

let world: Awaited<ReturnType<typeof openJobWorld>>;
beforeAll(async () => {
  world = await openJobWorld();
  await newType(world, 'QUICK', [{ step: 1, script: 'job.setData("ran", "yes")' }]);
  await newType(world, 'CLEANING', [
    { step: 1, script: 'job.wait("TheMoon")' },
    { step: 2, script: 'job.setData("cleaned", "yes")', cleanup: true },
  ]);
});
afterAll(() => world.close());

const start = async (query: string) => (await done<Seen>(world, `POST /job?type=${query}`)).jobId;
const eventsOf = async (id: string) =>
  (await world.events())
    .filter(({ entity }) => entity === id)
    .map(({ name, payload }) => `${name} ${payload['status']}`);

describe('a job on HOLD', () => {
  it('begins when somebody lets it', async () => {
    const answer = await done<Seen>(world, 'POST /job?type=QUICK&holdJob=true');
    expect(answer.status).toBe('HOLD');
    await world.service.tick();
    expect((await jobOf(world, answer.jobId)).status).toBe('HOLD');
    await done(world, `PUT /job/${answer.jobId}?status=READY`);
    expect((await ended(world, answer.jobId)).status).toBe('FINISHED');
    expect(await eventsOf(answer.jobId)).toEqual([
      'job/create HOLD',
      'job/update READY',
      'job/update FINISHED',
      'job/stop FINISHED',
      'job/finished FINISHED',
    ]);
    expect(await refused(world, `PUT /job/${answer.jobId}?status=READY`)).toBe('409 job-state');
  });

  it('is aborted at once without clean-up', async () => {
    const id = await start('CLEANING&holdJob=true');
    const job = await done<Seen>(world, `DELETE /job/${id}?cleanup=false&reason=no%20need`);
    expect(job).toMatchObject({ status: 'ABORTED', data: [{ key: 'abortReason', value: 'no need' }] });
    expect(await eventsOf(id)).toEqual([
      'job/create HOLD',
      'job/update ABORTED',
      'job/stop ABORTED',
      'job/fail ABORTED',
    ]);
    expect(await refused(world, `DELETE /job/${id}`)).toBe('409 job-ended');
  });
});

describe('an abort', () => {
  it.each([
    ['', ['cleaned', 'abortReason']],
    ['&cleanup=false', ['abortReason']],
  ])('of a job that has begun%s runs the steps that clean up, or does not', async (query, keys) => {
    const id = await start('CLEANING');
    await world.service.tick();
    await done(world, `DELETE /job/${id}?reason=x${query}`);
    const job = await ended(world, id);
    expect(job.status).toBe('ABORTED');
    expect(job.data!.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    expect((await eventsOf(id)).slice(-2)).toEqual(['job/stop ABORTED', 'job/fail ABORTED']);
  });
});

describe('a priority', () => {
  it('changes as long as the job goes on', async () => {
    const id = await start('QUICK&priority=LOW');
    await done(world, `PUT /job/${id}?priority=HIGHEST`);
    expect((await jobOf(world, id)).priority).toBe('HIGHEST');
    expect((await ended(world, id)).priority).toBe('HIGHEST');
    expect(await refused(world, `PUT /job/${id}?priority=LOW`)).toBe('409 job-ended');
    expect(await refused(world, 'PUT /job/VX-9999?priority=LOW')).toBe('404 no-such-entity');
    expect(await refused(world, `PUT /job/${id}?priority=SOON`)).toBe('400 bad-parameter');
  });

  it('is that of the type where the caller names none', async () => {
    await done(world, 'PUT /configuration/job-priority', { job: [{ type: 'quick', value: 'HIGH' }] }, admin);
    const jobs = [await start('QUICK'), await start('QUICK&priority=low'), await start('CLEANING')];
    const priorities = await Promise.all(jobs.map(async (id) => (await jobOf(world, id)).priority));
    expect(priorities).toEqual(['HIGH', 'LOW', 'MEDIUM']);
    expect(await done(world, 'GET /configuration/job-priority', undefined, admin)).toEqual({
      job: [{ type: 'QUICK', value: 'HIGH' }],
    });
    await done(world, 'DELETE /configuration/job-priority', undefined, admin);
    expect((await jobOf(world, await start('QUICK'))).priority).toBe('MEDIUM');
    for (const id of jobs) await done(world, `DELETE /job/${id}`);
    for (const id of jobs) await ended(world, id);
  });
});

describe('a list of jobs to delete', () => {
  it('goes whole, and passes over ids that no job has', async () => {
    const ids = [await start('QUICK'), await start('QUICK')];
    for (const id of ids) await ended(world, id);
    await done(world, `DELETE /job?id=${ids.join()}&id=VX-9999`);
    for (const id of ids) expect(await refused(world, `GET /job/${id}`)).toBe('404 no-such-entity');
    const rows = await world.service.store.read(`SELECT job_id FROM job_task WHERE job_id IN ('${ids.join("','")}')`);
    expect(rows).toEqual([]);
    await done(world, `DELETE /job?id=${ids[0]}`);
  });

  it('stays whole where one of them goes on', async () => {
    const [over, going] = [await start('QUICK'), await start('QUICK&holdJob=true')];
    await ended(world, over);
    expect(await refused(world, `DELETE /job?id=${over},${going}`)).toBe('409 job-state');
    expect((await jobOf(world, over)).status).toBe('FINISHED');
    expect(await refused(world, 'DELETE /job')).toBe('400 bad-parameter');
  });
});

describe('a job that runs again', () => {
  it('is a new one of the caller with the data of the first start', async () => {
    const first = await start('QUICK&jobmetadata=desk%3Dnorth&priority=LOW');
    await ended(world, first);
    const again = await done<Seen>(world, `POST /job/${first}/re-run`, undefined, admin);
    expect(again).toMatchObject({ status: 'READY', type: 'QUICK', priority: 'LOW', user: 'admin' });
    const job = await ended(world, again.jobId);
    expect(job.data).toEqual([
      { key: 'desk', value: 'north' },
      { key: 'ran', value: 'yes' },
    ]);
    expect((await done<Seen>(world, `POST /job/${first}/re-run?priority=HIGH`)).priority).toBe('HIGH');
  });

  it('may be one that has not ended', async () => {
    const id = await start('QUICK&holdJob=true');
    expect((await done<Seen>(world, `POST /job/${id}/re-run`)).status).toBe('READY');
  });

  it('tells the same placeholder as the first one', async () => {
    const { uri } = await done<{ uri: string[] }>(
      world,
      'POST /job/notification',
      { action: { http: { url: 'https://hooks.example.net/' } }, trigger: { job: { placeholder: true, stop: {} } } },
      admin,
    );
    const id = await start(`QUICK&notification=${uri[0]}&notificationData=ticket%3D7`);
    const { jobId } = await done<Seen>(world, `POST /job/${id}/re-run`);
    const told = (await world.events()).find(({ entity }) => entity === jobId)!;
    expect(told.payload).toMatchObject({ notification: uri[0], notificationData: [['ticket', '7']] });
  });
});

describe('problems', () => {
  it('have the jobs that wait for the same thing, and are gone with them', async () => {
    expect(await done(world, 'GET /job/problem')).toEqual({});
    const ids = [await start('CLEANING'), await start('CLEANING')];
    await world.service.tick();
    const { problem } = await done<{ problem: object[] }>(world, 'GET /job/problem');
    expect(problem).toEqual([
      { id: Number(ids[0]!.slice(3)), type: 'TheMoon', data: [{ key: 'script', value: '1' }], job: ids },
    ]);
    for (const id of ids) await done(world, `DELETE /job/${id}`);
    for (const id of ids) await ended(world, id);
    expect(await done(world, 'GET /job/problem')).toEqual({});
  });
});

describe('a search by a document', () => {
  it.each([
    [
      [
        { name: 'type', value: [{ value: 'quick' }] },
        { name: 'desk', value: [{ value: 'south' }] },
      ],
      1,
    ],
    [
      [
        { name: 'desk', value: [{ value: 'south' }] },
        { name: 'user', value: [{ value: 'worker' }] },
      ],
      1,
    ],
    [
      [
        { name: 'desk', value: [{ value: 'south' }] },
        { name: 'user', value: [{ value: 'nobody' }] },
      ],
      0,
    ],
    [
      [
        { name: 'desk', value: [{ value: 'south' }] },
        { name: 'state', value: [{ value: 'HOLD' }] },
      ],
      1,
    ],
    [
      [
        { name: 'desk', value: [{ value: 'south' }] },
        { name: 'startTime', range: [{ value: [{ value: '*' }, { value: '2000-01-01T00:00:00Z' }] }] },
      ],
      0,
    ],
    [
      [
        { name: 'desk', value: [{ value: 'south' }] },
        { name: 'priority', value: [{ value: 'MEDIUM' }, { value: 'LOW' }] },
      ],
      1,
    ],
  ])('%j finds %d', async (field, hits) => {
    const there = await done<{ hits: number }>(world, 'GET /job?jobmetadata=desk%3Dsouth');
    if (there.hits === 0) await start('QUICK&holdJob=true&jobmetadata=desk%3Dsouth');
    expect((await done<{ hits: number }>(world, 'PUT /job/search', { field })).hits).toBe(hits);
  });

  it('refuses a word that no state has', async () => {
    const body = { field: [{ name: 'state', value: [{ value: 'ASLEEP' }] }] };
    expect(await refused(world, 'PUT /job/search', body)).toBe('400 bad-value');
  });
});

it('a job that ends with its request is found by its id', async () => {
  await prepare(world, [newUser(['leaver', 'p'], [])]);
  const { jobId } = await done<Seen>(world, 'DELETE /user/leaver?hard=true&jobmetadata=why%3Dleft', undefined, admin);
  const job = await jobOf(world, jobId);
  expect(job).toMatchObject({
    status: 'FINISHED',
    type: 'DELETE_USER',
    user: 'admin',
    data: [{ key: 'why', value: 'left' }],
  });
  expect(await refused(world, `POST /job/${jobId}/re-run`)).toBe('409 job-state');
  expect((await world.send(ask(`GET /job/${jobId}`))).status).toBe(200);
});
