import { expect, it } from 'vitest';
import { openWorld, type World } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';

const json = { accept: 'application/json' };
const ask = async (world: World, request: string) => {
  const answer = await world.send({ as: admin, request, headers: json });
  return { status: answer.status, body: answer.body === '' ? undefined : JSON.parse(answer.body) };
};
const commit = (world: World, sql: string) =>
  world.service.store.commit({ changes: [{ sql, args: [] }], events: [] }, { user: 'test' });
const failedJob = `INSERT INTO job (id, serial, type, status, priority, data, memo, created_at, finished_at, total_steps,
    steps_begun, attempt, failures, due, instance, lease_until, fence, actor, notification_data)
  VALUES ('VX-9', 9, 'COPY_FILE', 'FAILED_TOTAL', 3, '[]', '{}', 0, 5000, 1, 1, 0, 1, NULL, '', 0, 0, '{}', '[]')`;

it('administrators see the kinds of work, and switch one off and on: it does nothing meanwhile', async () => {
  const world = await openWorld('fetch');
  const all = (await ask(world, 'GET /API/vidispine-service')).body.service as { name: string; isEnabled: boolean }[];
  expect(all.find(({ name }) => name === 'job-retention')).toMatchObject({
    isEnabled: true,
    isRunning: true,
    threadStatus: 'WAITING',
  });
  await ask(world, 'PUT /API/vidispine-service/service/job-retention/disable');
  expect((await ask(world, 'GET /API/vidispine-service/service/job-retention')).body.service).toEqual([
    expect.objectContaining({ id: 'job-retention', isEnabled: false }),
  ]);
  await commit(world, failedJob);
  await world.send({ as: admin, request: 'PUT /API/configuration/purging', body: { job: { age: 1 } } });
  const jobs = async () => Number((await world.service.store.read('SELECT count(*) FROM job'))[0]![0]);
  await world.service.tick();
  expect(await jobs()).toBe(1);
  await ask(world, 'PUT /API/vidispine-service/service/job-retention/enable');
  await world.clock.advance(60_000);
  await world.service.tick();
  expect(await jobs()).toBe(0);
});

it('all kinds of work are switched off and on at once, and a name that none has is 404', async () => {
  const world = await openWorld('fetch');
  const enabled = async () =>
    new Set(
      ((await ask(world, 'GET /API/vidispine-service')).body.service as { isEnabled: boolean }[]).map(
        ({ isEnabled }) => isEnabled,
      ),
    );
  await ask(world, 'PUT /API/vidispine-service/disable');
  expect(await enabled()).toEqual(new Set([false]));
  await ask(world, 'PUT /API/vidispine-service/enable');
  expect(await enabled()).toEqual(new Set([true]));
  expect((await ask(world, 'PUT /API/vidispine-service/service/nothing/disable')).status).toBe(404);
  const { body } = await world.send({ as: admin, request: 'GET /API/vidispine-service/stacktrace' });
  expect(body).toMatch(/^deliveries\t/m);
});

it('tells jobs that failed, and storages that could not be reached, the newest first', async () => {
  const world = await openWorld('fetch');
  expect((await ask(world, 'GET /API/error')).body).toEqual({ hits: 0, errorLog: [] });
  await commit(world, failedJob);
  await commit(
    world,
    `INSERT INTO job_task (job_id, step, attempt, status, timestamp, description, error, said)
      VALUES ('VX-9', 90, 0, 'FAILED_TOTAL', 0, 'Copying', 'The disk is full', '{}')`,
  );
  const document = { method: [{ uri: 'ftp://host/in/' }] };
  await world.send({ as: admin, request: 'POST /API/storage', body: document });
  expect((await ask(world, 'GET /API/error')).body.errorLog).toEqual([
    expect.objectContaining({ type: 'STORAGE', entityType: 'Storage', entityId: 'VX-1' }),
    {
      id: 9,
      timestamp: '1970-01-01T00:00:05.000+0000',
      description: 'The disk is full',
      type: 'JOB',
      entityType: 'Job',
      entityId: 'VX-9',
    },
  ]);
});

it.each([
  ['POST /API/license', 'needs none'],
  ['PUT /API/item/VX-1/eidr/sync', 'EIDR'],
  ['GET /API/cost/estimate/1', 'paid for'],
  ['PUT /API/vxa/enable-ssh', 'agents'],
])('answers 501 with its reason: %s', async (request, reason) => {
  const world = await openWorld('fetch');
  const { status, body } = await ask(world, request);
  expect([status, body.notYetImplemented.explanation]).toEqual([501, expect.stringContaining(reason)]);
  const plain = await world.send({ as: admin, request, headers: { accept: 'text/plain' } });
  expect(plain.body).toContain(reason);
});

it('has no agents, and one site', async () => {
  const world = await openWorld('fetch');
  expect((await ask(world, 'GET /API/vxa')).body).toEqual({ hits: 0, vxa: [] });
  expect((await ask(world, 'GET /API/site')).body).toEqual({ uri: ['VX'] });
});

it('administrators try scripts: the value of the last statement, or why it fails', async () => {
  const world = await openWorld('fetch');
  const run = (body: string) =>
    world.send({
      as: admin,
      request: 'POST /API/javascript/test',
      body,
      headers: { 'content-type': 'application/javascript', accept: 'text/plain' },
    });
  expect((await run('const a = [1, 2]; a.map((x) => x * 2)')).body).toBe('[2,4]');
  expect((await run('"text"')).body).toBe('text');
  expect((await run('throw new Error("no luck")')).body).toContain('no luck');
  expect((await run('throw new Error("no luck")')).status).toBe(400);
  expect((await run('fetch("http://example.com")')).status).toBe(400);
  expect((await run(' ')).status).toBe(400);
});
