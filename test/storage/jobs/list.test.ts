import { expect, it } from 'vitest';
import { ended, type JobSeen, upload } from '../../support/files.ts';
import { asking, bodyOf, done, sqlIn } from '../../support/requests.ts';
import { librarian, type RoomWorld, stranger, viewer, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

interface JobList {
  readonly hits: number;
  readonly job: readonly JobSeen[];
}

/** Five jobs, VX-1 to VX-5: copies that have ended, a deletion that waits for nothing yet, one of somebody else. */
async function withJobs(): Promise<RoomWorld> {
  const world = await worldOf('transfers');
  await done(world, upload('a.mov', 'hello'));
  for (const [index, priority] of ['HIGH', 'LOW', 'MEDIUM'].entries()) {
    const job = await done<JobSeen>(
      world,
      ask(
        `POST /API/file/VX-1/storage/VX-2?filename=${index}&priority=${priority}&jobmetadata=desk%3D${index}&jobmetadata=a%3Db`,
      ),
    );
    await ended(world, job.jobId);
    await world.clock.advance(60_000);
  }
  await done(world, ask('DELETE /API/file/VX-2'));
  await sqlIn(world, "UPDATE job SET user = 'other' WHERE id = 'VX-4'");
  await sqlIn(
    world,
    `INSERT INTO job SELECT 'VX-5', 5, 'SOMETHING', 'WAITING', 2, user, '[]', '{}', created_at, NULL, 1, NULL, NULL, 0, 0, 0,
      '{"resourceType":"STORAGE","resourceId":"VX-2","requirement":"StorageFull"}', NULL, NULL, '', 0, 0, actor, NULL, '[]',
      '{}', 0, '[]' FROM job WHERE id = 'VX-1'`,
  );
  return world;
}

const all = 'user=false';
const rows: readonly (readonly [name: string, query: string, ids: string])[] = [
  ["nothing: the caller's own, the newest first", '', 'VX-5 VX-3 VX-2 VX-1'],
  ['those of everybody', all, 'VX-5 VX-4 VX-3 VX-2 VX-1'],
  ['a state', `${all}&state=WAITING`, 'VX-5'],
  ['several states', `${all}&state=WAITING,READY`, 'VX-5 VX-4'],
  ['the same in repeated parameters', `${all}&state=WAITING&state=READY`, 'VX-5 VX-4'],
  ['a type', `${all}&type=delete_file`, 'VX-4'],
  ['all types, by name', `${all}&type=all`, 'VX-5 VX-4 VX-3 VX-2 VX-1'],
  ['a type of nobody', `${all}&type=TRANSCODE`, ''],
  ['a priority', `${all}&priority=HIGH,LOW`, 'VX-5 VX-2 VX-1'],
  ['data', `${all}&jobmetadata=desk%3D1`, 'VX-2'],
  ['data of several', `${all}&jobmetadata=a%3Db`, 'VX-3 VX-2 VX-1'],
  ['several data, all of them', `${all}&jobmetadata=a%3Db&jobmetadata=desk%3D2`, 'VX-3'],
  ['data that is not there together', `${all}&jobmetadata=desk%3D1&jobmetadata=desk%3D2`, ''],
  ['data that the service wrote', `${all}&jobmetadata=destinationStorageId%3DVX-2&sort=jobId`, 'VX-1 VX-2 VX-3'],
  ['an order', `${all}&sort=priority%20asc,jobId%20asc`, 'VX-1 VX-5 VX-3 VX-4 VX-2'],
  ['another order', `${all}&sort=type+desc`, 'VX-5 VX-4 VX-3 VX-2 VX-1'],
  ['a start', `${all}&starttime-from=2030-01-01T00:01:00Z&starttime-to=2030-01-01T00:02:30Z`, 'VX-3 VX-2'],
  ['an end', `${all}&finishtime-from=2030-01-01T00:01:00Z`, 'VX-5 VX-4 VX-3 VX-2'],
  ['a page', `${all}&first=2&number=2`, 'VX-4 VX-3'],
  ['the first page, counted from 0', `${all}&first=0&number=1`, 'VX-5'],
  ['a page behind the end', `${all}&first=9`, ''],
];

it('GET /job lists by each of its parameters', async () => {
  const world = await withJobs();
  const found: Record<string, string> = {};
  for (const [name, query] of rows) {
    const { job } = await done<JobList>(
      world,
      ask(`GET /API/job?${query}`, undefined, query === '' ? librarian : viewer),
    );
    found[name] = job.map(({ jobId }) => jobId).join(' ');
  }
  expect(found).toEqual(Object.fromEntries(rows.map(([name, , ids]) => [name, ids])));
});

it('GET /job tells how many there are, whatever the page is', async () => {
  const world = await withJobs();
  expect(await done(world, ask(`GET /API/job?${all}&number=1`, undefined, viewer))).toMatchObject({ hits: 5 });
  expect(await done(world, ask(`GET /API/job?${all}&first=99`, undefined, viewer))).toMatchObject({ hits: 5, job: [] });
});

it('GET /job shows data and steps to who asks for them only', async () => {
  const world = await withJobs();
  const one = async (query: string) =>
    (await done<JobList>(world, ask(`GET /API/job?${all}&jobmetadata=desk%3D0&${query}`, undefined, viewer))).job[0]!;
  expect(await one('')).not.toHaveProperty('data');
  expect(await one('')).not.toHaveProperty('log');
  expect((await one('metadata=true')).data).toContainEqual({ key: 'desk', value: '0' });
  expect((await one('field=desk')).data).toEqual([{ key: 'desk', value: '0' }]);
  expect((await one('step=true')).log!.task).toHaveLength(6);
  expect(Object.keys(await one('idonly=true'))).toEqual(['jobId', 'status', 'type', 'priority']);
});

it('GET /job answers text: a line a job', async () => {
  const world = await withJobs();
  const sent = { ...ask(`GET /API/job?${all}&state=WAITING`, undefined, viewer), headers: { accept: 'text/plain' } };
  expect((await world.send(sent)).body).toBe('VX-5\tWAITING\r\n');
});

it('GET /job refuses what it cannot read', async () => {
  const world = await withJobs();
  const wrong = [
    'state=SOON',
    'type=%3Cx%3E',
    'type=NOSUCH',
    'type=COPY_FILE,NOSUCH',
    'sort=colour',
    'sort=jobId%20sideways',
    'sort=type,type',
    'priority=1',
    'jobmetadata=desk',
    'number=-1',
    'starttime-from=soon',
  ];
  for (const query of wrong) {
    const answer = await world.send(ask(`GET /API/job?${all}&${query}`, undefined, viewer));
    expect([answer.status, answer.headers.get('portico-error')], query).toEqual([400, 'bad-parameter']);
  }
});

it('GET /job/{j} shows data and log unasked, and as text its status', async () => {
  const world = await withJobs();
  const job = await done<JobSeen>(world, ask('GET /API/job/VX-1'));
  expect(job).toMatchObject({
    jobId: 'VX-1',
    user: 'librarian',
    status: 'FINISHED',
    type: 'COPY_FILE',
    priority: 'HIGH',
    totalSteps: 6,
  });
  expect(job.data).toContainEqual({ key: 'destinationFileId', value: 'VX-2' });
  expect(job.log!.task.map(({ step }) => step)).toEqual([90, 92, 100, 140, 150, 200]);
  const text = { ...ask('GET /API/job/VX-1'), headers: { accept: 'text/plain' } };
  expect((await world.send(text)).body).toBe('FINISHED');
  const xml = await world.send({ ...ask('GET /API/job/VX-1'), headers: { accept: 'application/xml' } });
  expect(xml.body).toContain(
    '<currentStep><description>Updating references</description><number>6</number><status>FINISHED</status></currentStep>',
  );
  expect(xml.body).toContain('<task id="3"><step>100</step><attempts>0</attempts><status>FINISHED</status>');
});

it('a fresh job has an empty log', async () => {
  const world = await withJobs();
  expect(await done(world, ask('GET /API/job/VX-5', undefined, viewer))).toMatchObject({
    log: { task: [] },
    waiting: { resourceType: 'STORAGE', resourceId: 'VX-2', requirement: 'StorageFull' },
  });
});

it('GET /job shows the jobs of others to who may read jobs, and nobody ends one without the role', async () => {
  const world = await withJobs();
  for (const [request, status, code] of [
    ['GET /API/job/VX-1', 404, 'no-such-entity'],
    ['GET /API/job?user=false', 403, 'role-missing'],
    ['DELETE /API/job/VX-4', 403, 'role-missing'],
  ] as const) {
    const answer = await world.send(ask(request, undefined, stranger));
    expect([answer.status, answer.headers.get('portico-error')], request).toEqual([status, code]);
    expect(answer.body).not.toContain('FINISHED');
  }
  expect(bodyOf(await world.send(ask('GET /API/job', undefined, stranger)))).toEqual({ hits: 0, job: [] });
  for (const request of ['GET /API/job/VX-99', 'DELETE /API/job/VX-99']) {
    const answer = await world.send(ask(request, undefined, viewer));
    expect(answer.status).toBe(404);
    expect(bodyOf(answer)).toMatchObject({ notFound: { type: 'Job', id: 'VX-99' } });
  }
});

it('lists of files leave out files that a job names, where a caller wants it; lists of what can be imported do so anyway', async () => {
  const world = await worldOf('transfers');
  for (const path of ['a.mov', 'b.mov']) await done(world, upload(path, 'hello'));
  await done(world, ask('POST /API/file/VX-1/storage/VX-2'));
  const ids = async (request: string) => {
    const sent = { ...ask(`GET /API/storage/VX-1/${request}`), headers: { accept: 'text/plain' } };
    return (await world.send(sent)).body.trim().split('\r\n').join(' ');
  };
  expect(await ids('file')).toBe('VX-1 VX-2');
  expect(await ids('file?excludeQueued=true')).toBe('VX-2');
  expect(await ids('importable')).toBe('VX-2');
  expect(await ids('importable?excludeQueued=false')).toBe('VX-1 VX-2');
});
