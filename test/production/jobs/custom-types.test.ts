import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, ask, attempts, done, ended, jobOf, newType, openJobWorld, refused, type Seen } from './support.ts';

interface Tasks {
  readonly task?: readonly {
    readonly id: number;
    readonly step: number;
    readonly jobType: string;
    readonly description: string;
  }[];
}

let world: Awaited<ReturnType<typeof openJobWorld>>;
beforeAll(async () => {
  world = await openJobWorld();
});
afterAll(() => world.close());

const start = async (type: string, query = '', body?: object) =>
  (await done<Seen>(world, `POST /job?type=${type}${query}`, body)).jobId;

describe('a custom type', () => {
  it('runs its scripts in the order of their steps, with the data of the job', async () => {
    await newType(world, 'greet', [
      {
        step: 200,
        script: 'job.setData("greeting", job.getData("greeting") + "!"); job.log("shouted")',
        dependency: { previous: true },
      },
      { step: 100, script: 'job.setData("greeting", "hello " + job.getData("name"))' },
    ]);
    const id = await start('GREET', '&jobmetadata=name%3Dann', { field: [{ key: 'name', value: 'bob' }] });
    const job = await ended(world, id);
    expect(job).toMatchObject({ status: 'FINISHED', type: 'GREET', user: 'worker', totalSteps: 2 });
    expect(attempts(job)).toEqual(['100/0 FINISHED', '200/0 FINISHED']);
    expect(job.data!.map(({ key, value }) => `${key}=${value}`)).toEqual([
      'name=bob',
      'greeting=hello bob',
      'greeting=hello bob!',
    ]);
    expect(job.log!.task[1]!.subStep!.map(({ description }) => description)).toEqual(['shouted']);
    expect(await done(world, 'GET /task-definition/jobtype/GREET/step/200')).toMatchObject({
      dependency: { previous: true },
    });
  });

  it('is told of like every other job, and found by its data', async () => {
    await newType(world, 'TOLD', [{ step: 1, script: '1' }]);
    const id = await start('told', '&jobmetadata=desk%3Dnorth');
    await ended(world, id);
    const told = (await world.events()).filter(({ entity }) => entity === id);
    expect(told.map(({ name }) => name)).toEqual(['job/create', 'job/update', 'job/stop', 'job/finished']);
    const list = await done<{ hits: number }>(world, 'GET /job?jobmetadata=desk%3Dnorth&type=TOLD');
    expect(list.hits).toBe(1);
  });

  it('fails after three attempts, and cleans up', async () => {
    await newType(world, 'FAILING', [
      { step: 100, script: 'job.fail("not today")' },
      { step: 200, script: 'job.setData("never", "x")' },
      { step: 900, script: 'job.setData("cleaned", "yes")', cleanup: true },
    ]);
    const job = await ended(world, await start('FAILING'));
    expect(job).toMatchObject({
      status: 'FAILED_TOTAL',
      totalSteps: 2,
      currentStep: { number: 2, status: 'FINISHED' },
    });
    expect(attempts(job)).toEqual(['100/0 FAILED_RETRY', '100/1 FAILED_RETRY', '100/2 FAILED_FATAL', '900/0 FINISHED']);
    expect(job.data).toContainEqual({ key: 'cleaned', value: 'yes' });
    expect(job.data).toContainEqual({ key: 'errorMessage-100-1-0', value: 'not today' });
  });

  it('goes on behind a step that is not critical, and ends as FINISHED_WARNING', async () => {
    await newType(world, 'LENIENT', [
      { step: 100, script: 'throw new Error("odd")', critical: false },
      { step: 200, script: 'job.setData("went", "on")' },
      { step: 300, script: 'job.fatalFail("at the end")', critical: false },
      { step: 400, script: 'job.setData("never", "cleaned")', cleanup: true },
    ]);
    const job = await ended(world, await start('LENIENT'));
    expect(job.status).toBe('FINISHED_WARNING');
    const thrown = ['100/0 FAILED_RETRY', '100/1 FAILED_RETRY', '100/2 FAILED_FATAL'];
    expect(attempts(job)).toEqual([...thrown, '200/0 FINISHED', '300/0 FAILED_FATAL']);
    expect(job.log!.task[0]!.errorMessage).toContain('odd');
    expect(job.data!.map(({ key }) => key)).not.toContain('never');
    const told = world.lines.filter((line) => line.event === 'job-step-failed' && line['job'] === job.jobId);
    const odd = { error: expect.stringContaining('odd') };
    expect(told).toMatchObject([odd, odd, odd, { error: 'at the end' }]);
    for (const line of told) expect(line).not.toHaveProperty('stack');
  });

  it('waits as long as its script says so', async () => {
    await newType(world, 'PATIENT', [{ step: 1, script: 'if (!job.getData("x")) job.wait("TheMoon")' }]);
    const id = await start('PATIENT');
    await world.service.tick();
    expect(await jobOf(world, id)).toMatchObject({ status: 'WAITING', waiting: { requirement: 'TheMoon' } });
    const { problem } = await done<{ problem: { type: string; job: string[] }[] }>(world, `GET /job/${id}/problem`);
    expect(problem).toMatchObject([{ type: 'TheMoon', job: [id] }]);
    await done(world, `DELETE /job/${id}`);
    expect((await ended(world, id)).status).toBe('ABORTED');
    expect(await done(world, `GET /job/${id}/problem`)).toEqual({});
  });

  it('keeps the steps that it began with', async () => {
    await newType(world, 'FROZEN', [{ step: 1, script: 'job.setData("a", "1")' }]);
    const id = await start('FROZEN');
    await done(world, 'PUT /task-definition/jobtype/FROZEN/step/1', { script: 'job.setData("b", "2")' });
    await done(world, 'DELETE /task-definition/jobtype/FROZEN');
    const job = await ended(world, id);
    expect(job.data).toEqual([{ key: 'a', value: '1' }]);
    expect(await refused(world, 'POST /job?type=FROZEN')).toBe('404 no-such-entity');
    expect(await refused(world, `POST /job/${id}/re-run`)).toBe('404 no-such-entity');
  });

  it('ends at once when it has no steps', async () => {
    await newType(world, 'EMPTY', []);
    expect((await ended(world, await start('EMPTY'))).status).toBe('FINISHED');
  });

  it('waits for the plugin of a step, and says which one', async () => {
    await newType(world, 'FOREIGN', []);
    await done(world, 'POST /task-definition', {
      task: [{ jobType: 'FOREIGN', step: 5, bean: 'ai', method: 'tag', plugin: true }],
    });
    const id = await start('FOREIGN');
    await world.service.tick();
    expect(await jobOf(world, id)).toMatchObject({ status: 'WAITING', waiting: { requirement: 'NoPlugin' } });
  });
});

describe('definitions of tasks', () => {
  it('that ship have the numbers and words of the description', async () => {
    const { task = [] } = await done<Tasks>(world, 'GET /task-definition/jobtype/copy_file');
    const words = task.map(({ step, description }) => `${step} ${description}`);
    expect(words).toEqual(
      expect.arrayContaining([
        '90 Waiting for source file hash',
        '92 Retrieving source file hash',
        '140 Waiting for destination file hash',
        '150 Verifying file hashes',
      ]),
    );
    expect(await done(world, `GET /task-definition/${task[0]!.id}`)).toMatchObject({ jobType: 'COPY_FILE' });
  });

  it('custom steps that use their numbers are reported as taken, by name', async () => {
    const answer = await world.send(
      ask('POST /task-definition', { task: [{ jobType: 'COPY_FILE', step: 90, script: '1' }] }),
    );
    expect([answer.status, answer.body]).toEqual([409, expect.stringContaining('Waiting for source file hash')]);
    expect(await refused(world, 'PUT /task-definition/jobtype/MOVE_FILE/step/210', { script: '1' })).toBe(
      '409 already-exists',
    );
  });

  it('all have ids of their own', async () => {
    const { task = [] } = await done<Tasks>(world, 'GET /task-definition');
    expect(new Set(task.map(({ id }) => id)).size).toBe(task.length);
  });

  it('come, change and go', async () => {
    await newType(world, 'CHANGING', []);
    const { uri, task } = await done<{ uri: string[] } & Tasks>(world, 'POST /task-definition?url=true', {
      task: [{ jobType: 'CHANGING', step: 7, script: 'one', description: 'first', flags: 3, extradata: 'x' }],
    });
    const id = /\/API\/task-definition\/(\d+)$/.exec(uri[0]!)![1]!;
    expect(task![0]!.id).toBe(Number(id));
    expect(await done(world, `GET /task-definition/${id}`)).toMatchObject({
      step: 7,
      flags: 3,
      extradata: 'x',
      id: Number(id),
    });
    await done(world, `PUT /task-definition/${id}`, { script: 'two' });
    await done(world, `PUT /task-definition/jobtype/CHANGING/step/7/metadata`, { field: [{ key: 'k', value: 'v' }] });
    expect(await done(world, `GET /task-definition/${id}/metadata`)).toEqual({ field: [{ key: 'k', value: 'v' }] });
    expect(await done(world, `GET /task-definition/${id}/script`)).toBe('two');
    expect(await done(world, `GET /task-definition/${id}/validate`)).toBe('OK');
    await done(world, `PUT /task-definition/${id}/script`, 'if (');
    expect(await done(world, `GET /task-definition/jobtype/changing/step/7/validate`)).not.toBe('OK');
    expect(await done(world, 'GET /task-definition/jobtype/CHANGING/graph/dot')).toContain('s7');
    await done(world, `DELETE /task-definition/${id}`);
    expect(await refused(world, `GET /task-definition/${id}`)).toBe('404 no-such-entity');
  });

  it.each([
    ['POST /task-definition/jobtype/COPY_FILE?id=20500', undefined, '409 already-exists'],
    ['POST /task-definition/jobtype/X?id=19999', undefined, '400 bad-value'],
    ['POST /task-definition/jobtype/X?id=30001', undefined, '400 bad-value'],
    ['POST /task-definition/jobtype/X', undefined, '400 bad-value'],
    ['POST /task-definition/jobtype/X?id=20500', { task: [{ step: 1 }] }, '400 bad-value'],
    ['POST /task-definition/jobtype/X?id=20500', { task: [{ step: 0, script: '1' }] }, '400 bad-value'],
    [
      'POST /task-definition/jobtype/X?id=20500',
      { task: [{ step: 5, script: '1', dependency: { step: 5 } }] },
      '400 bad-value',
    ],
    ['POST /task-definition', { task: [{ jobType: 'NOBODY', step: 1, script: '1' }] }, '404 no-such-entity'],
    ['DELETE /task-definition/jobtype/COPY_FILE', undefined, '400 bad-value'],
    ['DELETE /task-definition/jobtype/COPY_FILE/step/90', undefined, '400 bad-value'],
    ['GET /task-definition/jobtype/NOBODY', undefined, '404 no-such-entity'],
    ['POST /job?type=COPY_FILE', undefined, '400 bad-parameter'],
    ['POST /job?type=NOBODY', undefined, '404 no-such-entity'],
    ['POST /job', undefined, '400 bad-parameter'],
  ])('%s %o is %s', async (request, body, refusal) => {
    expect(await refused(world, request, body)).toBe(refusal);
  });

  it('names of types are told to clients, custom ones too', async () => {
    await newType(world, 'NAMED', []);
    const { uri } = await done<{ uri: string[] }>(world, 'GET /jobtype', undefined, admin);
    const names = ['COPY_FILE', 'DELETE_FILE', 'MOVE_FILE', 'NAMED'];
    expect(uri).toEqual(expect.arrayContaining(names));
    const text = await world.send({ ...ask('GET /jobtype'), as: admin, headers: { accept: 'text/plain' } });
    expect(text.body.split('\r\n')).toEqual(expect.arrayContaining(names));
  });
});
