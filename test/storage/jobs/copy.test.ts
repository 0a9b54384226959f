import { expect, it } from 'vitest';
import type { StorageScheme } from '../../../src/spi/index.ts';
import { ended, type JobSeen, jobOf, told, upload, useFile } from '../../support/files.ts';
import { asking, bodyOf, done, rowsOf, sqlIn, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, type RoomWorld, viewer, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

const copy = (query = '', file = 'VX-1') => ask(`POST /API/file/${file}/storage/VX-2${query}`);
const last = async (world: RoomWorld) => (await world.events()).at(-1)?.sequence ?? 0;
const fileRow = async (world: RoomWorld, id: string) => (await rowsOf(world, 'file')).find((row) => row['id'] === id);

/** A copy of a file that lies at `in/a.mov`. */
async function copied(query = '', given: (world: RoomWorld) => Promise<unknown> = async () => undefined) {
  const world = await worldOf('transfers', { settings: { deleteGraceHours: 24 } });
  await done(world, upload('in/a.mov', 'hello'));
  await given(world);
  const before = await last(world);
  const job = await done<JobSeen>(world, copy(query));
  return { world, before, job };
}

it('a copy is verified in the steps 90, 92, 140 and 150, and the source stays', async () => {
  const { world, before, job } = await copied();
  expect(job).toMatchObject({ status: 'READY', type: 'COPY_FILE', priority: 'MEDIUM', user: 'librarian' });
  const end = await ended(world, job.jobId);
  expect(end.status, JSON.stringify(end)).toBe('FINISHED');
  expect(end.log!.task.map(({ step, status, description }) => `${step} ${status} ${description}`)).toEqual([
    '90 FINISHED Waiting for source file hash',
    '92 FINISHED Retrieving source file hash',
    '100 FINISHED Copying',
    '140 FINISHED Waiting for destination file hash',
    '150 FINISHED Verifying file hashes',
    '200 FINISHED Updating references',
  ]);
  expect(end.log!.task[2]!.progress).toEqual({ value: 5, total: 5, unit: 'bytes' });
  expect([textAt(world.to, 'in/a.mov'), textAt(world.from, 'in/a.mov')]).toEqual(['hello', 'hello']);
  const files = await rowsOf(world, 'file');
  expect(files.map(({ id, state, hash }) => [id, state, hash])).toEqual([
    ['VX-1', 'CLOSED', files[0]!['hash']],
    ['VX-2', 'CLOSED', files[0]!['hash']],
  ]);
  expect(await told(world, before)).toEqual([
    'job/create VX-1',
    ...['job/update VX-1', 'job/update VX-1', 'file/new VX-2', 'job/update VX-1'],
    ...['file/change VX-2', 'file/close VX-2', 'file/hash VX-2', 'job/update VX-1'],
    ...['job/update VX-1', 'job/update VX-1', 'job/update VX-1', 'job/stop VX-1', 'job/finished VX-1'],
  ]);
  expect(await rowsOf(world, 'file_job')).toEqual([]);
  expect(await rowsOf(world, 'publication')).toEqual([]);
});

it.each([
  ['that has none', undefined, 'VX-3'],
  ['that is the only one of the file', ['VX-3'], 'VX-3'],
  ['that is one of several', ['VX-1', 'VX-2', 'VX-3'], 'VX-3'],
] as const)('a caller finds a copy by the item %s', async (_what, items, wanted) => {
  const { world, job } = await copied(`?jobmetadata=itemId%3D${wanted}&jobmetadata=desk%3DHarbour`, async (given) => {
    for (const item of items ?? []) await useFile(given, 'VX-1', `${item} VX-1${item} VX-2${item}`);
  });
  const end = await ended(world, job.jobId);
  const data = end.data!.filter(({ key }) => ['item', 'itemId', 'desk'].includes(key));
  expect([end.status, data.map(({ key, value }) => `${key}=${value}`).toSorted()]).toEqual([
    'FINISHED',
    ['desk=Harbour', `item=${wanted}`, `itemId=${wanted}`],
  ]);
  const query = `jobmetadata=itemId%3D${wanted}`;
  const { job: found } = await done<{ job: JobSeen[] }>(world, ask(`GET /API/job?${query}`));
  expect(found.map(({ jobId }) => jobId)).toEqual([job.jobId]);
});

it('a caller names no other item than those of the file', async () => {
  const world = await worldOf('transfers');
  await done(world, upload('a.mov', 'hello'));
  await useFile(world, 'VX-1', 'VX-7 VX-12 VX-14');
  const before = await last(world);
  const answer = await world.send(copy('?jobmetadata=itemId%3DVX-1'));
  expect([answer.status, bodyOf(answer)]).toEqual([400, expect.objectContaining({ invalidInput: expect.anything() })]);
  expect(await told(world, before)).toEqual([]);
});

it('the events of a job tell its step, its status, its data and the acting user', async () => {
  const { world, before, job } = await copied('?jobmetadata=desk%3DHarbour&priority=HIGH', (given) =>
    useFile(given, 'VX-1', 'VX-7 VX-12 VX-14'),
  );
  await ended(world, job.jobId);
  const events = (await world.events(before)).filter(({ name }) => name.startsWith('job/'));
  expect(events[0]!.payload).toMatchObject({ jobId: 'VX-1', type: 'COPY_FILE', status: 'READY', totalSteps: 6 });
  expect(events[0]!.payload).toMatchObject({ user: 'librarian', itemId: 'VX-7' });
  expect(
    events.slice(1, -2).map(({ payload }) => [payload['status'], payload['step'], payload['currentStepStatus']]),
  ).toEqual([
    ['STARTED', 90, 'FINISHED'],
    ['STARTED', 92, 'FINISHED'],
    ['STARTED', 100, 'STARTED'],
    ['STARTED', 100, 'FINISHED'],
    ['STARTED', 140, 'FINISHED'],
    ['STARTED', 150, 'FINISHED'],
    ['FINISHED', 200, 'FINISHED'],
  ]);
  expect(events.at(-1)!.payload['data']).toEqual([
    ['fileId', 'VX-1'],
    ['sourceStorageId', 'VX-1'],
    ['destinationStorageId', 'VX-2'],
    ['desk', 'Harbour'],
    ['destinationFileId', 'VX-2'],
  ]);
  expect(new Set(events.map(({ user }) => user))).toEqual(new Set(['librarian']));
});

it('components that have the source have the copy, too', async () => {
  const { world, before, job } = await copied('', (given) =>
    useFile(given, 'VX-1', 'VX-7 VX-12 VX-14', 'VX-8 VX-13 VX-15'),
  );
  await ended(world, job.jobId);
  expect((await rowsOf(world, 'file_use')).map((row) => Object.values(row).join(' ')).toSorted()).toEqual([
    'VX-1 VX-7 VX-12 VX-14',
    'VX-1 VX-8 VX-13 VX-15',
    'VX-2 VX-7 VX-12 VX-14',
    'VX-2 VX-8 VX-13 VX-15',
  ]);
  const change = (await world.events(before)).filter(({ name }) => name === 'file/change').at(-1)!;
  expect(change.payload).toEqual({
    fileId: 'VX-2',
    storageId: 'VX-2',
    shapeId: ['VX-12', 'VX-13'],
    itemId: ['VX-7', 'VX-8'],
  });
});

it('a move takes components, metadata and external ids along, and its source goes after the grace time', async () => {
  const { world, job } = await copied('?move=true', async (given) => {
    await useFile(given, 'VX-1', 'VX-7 VX-12 VX-14');
    await done(given, ask('PUT /API/file/VX-1/metadata/color', 'red', librarian));
    await done(given, ask('PUT /API/file/VX-1/external-id/Tape%3A7'));
  });
  expect(job.type).toBe('MOVE_FILE');
  const end = await ended(world, job.jobId);
  expect(end.log!.task.at(-1)).toMatchObject({ step: 210, status: 'FINISHED', description: 'Removing source' });
  expect(await done(world, ask('GET /API/file/Tape%3A7?includeItem=true'))).toMatchObject({
    id: 'VX-2',
    item: [{ id: 'VX-7' }],
    metadata: { field: [{ key: 'color', value: 'red' }, { key: 'hash_SHA-256' }] },
  });
  expect(await fileRow(world, 'VX-1')).toMatchObject({ state: 'TO_BE_DELETED' });
  await world.clock.advance(23 * 3_600_000);
  await world.service.tick();
  expect(textAt(world.from, 'in/a.mov')).toBe('hello');
  const before = await last(world);
  await world.clock.advance(2 * 3_600_000);
  await world.service.tick();
  expect(textAt(world.from, 'in/a.mov')).toBeUndefined();
  expect(await fileRow(world, 'VX-1')).toBeUndefined();
  expect(await told(world, before)).toEqual(['file/delete VX-1']);
});

it('the source is BEING_READ while its bytes are copied, and nobody is told', async () => {
  const states: unknown[] = [];
  let world: RoomWorld | undefined;
  const scheme = (inner: StorageScheme): StorageScheme => ({
    ...inner,
    open(address) {
      const driver = inner.open(address);
      return {
        ...driver,
        async stage(...given) {
          if (world) states.push((await fileRow(world, 'VX-1'))?.['state'], (await fileRow(world, 'VX-2'))?.['state']);
          return driver.stage!(...given);
        },
      };
    },
  });
  const opened = await worldOf('transfers', { scheme });
  await done(opened, upload('in/a.mov', 'hello'));
  world = opened;
  const refused = ask('POST /API/file/VX-1/data', 'other', librarian);
  const job = await done<JobSeen>(world, copy());
  expect((await ended(world, job.jobId)).status).toBe('FINISHED');
  expect(states).toEqual(['BEING_READ', 'TO_APPEAR']);
  expect((await world.send(refused)).status).toBe(200);
});

it('a job waits until its source is closed and hashed, and says so', async () => {
  const world = await worldOf('transfers');
  world.from.put('a.mov', 'hello');
  await done(world, ask('POST /API/storage/VX-1/file?path=a.mov&state=OPEN'));
  const job = await done<JobSeen>(world, copy());
  await world.service.tick();
  expect(await jobOf(world, job.jobId)).toMatchObject({
    status: 'WAITING',
    waiting: { resourceType: 'FILE', resourceId: 'VX-1', requirement: 'FileNotClosed' },
    currentStep: { description: 'Waiting for source file hash', status: 'WAITING' },
  });
  await done(world, ask('PUT /API/file/VX-1/state/CLOSED'));
  await sqlIn(world, 'UPDATE file SET hash_due = NULL');
  await world.clock.advance(60_000);
  await world.service.tick();
  expect((await jobOf(world, job.jobId)).waiting).toMatchObject({ requirement: 'FileHash' });
  const before = await last(world);
  await done(world, ask('PUT /API/file/VX-1/hash/aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'));
  expect((await ended(world, job.jobId)).status).toBe('FINISHED');
  const states = (await world.events(before))
    .filter(({ name }) => name === 'job/update')
    .map(({ payload }) => payload['status']);
  expect(states.slice(0, 2)).toEqual(['READY', 'STARTED']);
});

it('hashes that are switched off are not waited for, and the job says that it compared none', async () => {
  const { world, job } = await copied('', async (given) => {
    await done(given, ask('PUT /API/storage/VX-1/metadata/hashMode', 'off', admin));
    await sqlIn(given, 'UPDATE file SET hash = NULL, hash_due = NULL');
  });
  const end = await ended(world, job.jobId);
  expect(end.status).toBe('FINISHED');
  expect(
    end.log!.task.filter(({ step }) => step === 90 || step === 150).map(({ subStep }) => subStep![0]!.description),
  ).toEqual(['Not compared: hashing is switched off on VX-1 (hashMode)', 'Not compared: the source has no hash']);
});

it('another hash fails the job: the source stays, and the copy goes', async () => {
  const { world, before, job } = await copied('?move=true', (given) =>
    sqlIn(given, `UPDATE file SET hash = '${'0'.repeat(40)}'`),
  );
  const end = await ended(world, job.jobId);
  expect(end.status).toBe('FAILED_TOTAL');
  const task = end.log!.task.at(-1)!;
  expect(task).toMatchObject({ step: 150, status: 'FAILED_FATAL' });
  expect(task.errorMessage).toMatch(/^Expected the hash of the source, "0{40}": found "aaf4/);
  expect(end.data).toContainEqual({ key: 'errorMessage-150-1-0', value: task.errorMessage });
  await world.service.tick();
  await world.clock.advance(10_000);
  await world.service.tick();
  expect([textAt(world.from, 'in/a.mov'), textAt(world.to, 'in/a.mov')]).toEqual(['hello', undefined]);
  expect((await rowsOf(world, 'file')).map(({ id, state }) => [id, state])).toEqual([['VX-1', 'CLOSED']]);
  expect((await told(world, before)).slice(-3)).toEqual(['job/stop VX-1', 'job/fail VX-1', 'file/delete VX-2']);
});

it('a source that has changed since is not removed', async () => {
  const { world, job } = await copied('?move=true');
  // Behind the comparison, before the removal.
  await sqlIn(
    world,
    `CREATE TRIGGER late AFTER UPDATE OF step ON job WHEN NEW.step = 200 BEGIN
    UPDATE file SET hash = '${'0'.repeat(40)}', version = version + 1 WHERE id = 'VX-1'; END`,
  );
  const end = await ended(world, job.jobId);
  expect(end.log!.task.at(-1)).toMatchObject({ step: 210, status: 'FAILED_FATAL' });
  expect((await rowsOf(world, 'file')).map(({ state }) => state)).toEqual(['CLOSED', 'CLOSED']);
});

it('a storage that is away is waited for', async () => {
  const { world, job } = await copied();
  world.to.offline = 'no network';
  await world.service.tick();
  expect(await jobOf(world, job.jobId)).toMatchObject({
    status: 'WAITING',
    waiting: { resourceType: 'STORAGE', resourceId: 'VX-2', requirement: 'StorageOffline' },
  });
  world.to.offline = undefined;
  expect((await ended(world, job.jobId)).status).toBe('FINISHED');
});

it.each([
  ['another path', '?filename=other%2Fb.mov', 'other/b.mov'],
  ['the path of the source', '', 'in/a.mov'],
  ['the same where no item has it, with the name of its original', '?useOriginalFilename=true', 'in/a.mov'],
])('the copy gets %s', async (_name, query, path) => {
  const { world, job } = await copied(query);
  await ended(world, job.jobId);
  expect(textAt(world.to, path)).toBe('hello');
});

it('a copy gets the name of the original and its own extension, where its caller may read the shape', async () => {
  const world = await worldOf('transfers');
  const item = await done<{ id: string }>(world, ask('POST /API/import/placeholder', undefined, admin));
  await done(world, ask('PUT /API/shape-tag/web', '{}', admin));
  for (const [path, tag, value] of [
    ['VX-1.mov', 'original', 'C:\\card\\film.mov'],
    ['VX-24.mp4', 'web', 'VX-24.mp4'],
  ] as const) {
    const { id } = await done<{ id: string }>(world, upload(path, 'hello'));
    const metadata = { field: [{ key: 'originalFilename', value }] };
    const shape = { containerComponent: { file: [{ id }] }, metadata };
    await done(world, ask(`POST /API/item/${item.id}/shape/create?tag=${tag}`, shape, admin));
  }
  const copy = 'POST /API/file/VX-2/storage/VX-2?useOriginalFilename=true';
  for (const as of [admin, admin, librarian])
    await ended(world, (await done<JobSeen>(world, ask(copy, undefined, as))).jobId);
  // The second one finds the name taken, and the last one may not know it.
  expect([...world.to.files.keys()].sort()).toEqual(['VX-24.mp4', expect.stringMatching(/^VX-\d+\.mp4$/), 'film.mp4']);
  const own = ask('POST /API/file/VX-1/storage/VX-2?useOriginalFilename=true', undefined, librarian);
  await ended(world, (await done<JobSeen>(world, own)).jobId);
  expect([...world.to.files.keys()]).toContain('VX-1.mov');
});

it('a copy whose path is taken gets its id and the extension of the source', async () => {
  const { world, job } = await copied('', (given) => done(given, upload('in/a.mov', 'mine', 'VX-2')));
  await ended(world, job.jobId);
  expect([textAt(world.to, 'in/a.mov'), textAt(world.to, 'VX-3.mov')]).toEqual(['mine', 'hello']);
});

it('a rate limits the bytes a second', async () => {
  const { world, job } = await copied('?limitRate=1');
  const end = ended(world, job.jobId);
  await world.clock.untilSleeps(world.clock.now() + 5_000);
  await world.clock.advance(5_000);
  expect((await end).status).toBe('FINISHED');
});

it.each([
  ['an unknown file', 'POST /API/file/VX-99/storage/VX-2', 404, { notFound: { type: 'File', id: 'VX-99' } }],
  ['an unknown storage', 'POST /API/file/VX-1/storage/VX-99', 404, { notFound: { type: 'Storage', id: 'VX-99' } }],
  ['an unknown priority', 'POST /API/file/VX-1/storage/VX-2?priority=SOON', 400, {}],
  ['a rate of nothing', 'POST /API/file/VX-1/storage/VX-2?limitRate=0', 400, {}],
  ['data of the service', 'POST /API/file/VX-1/storage/VX-2?jobmetadata=user%3Dann', 400, {}],
  ['two items', 'POST /API/file/VX-1/storage/VX-2?jobmetadata=itemId%3DVX-1&jobmetadata=itemId%3DVX-2', 400, {}],
  ['another item than its own', 'POST /API/file/VX-1/storage/VX-2?jobmetadata=item%3DVX-1', 400, {}],
  ['data that a step writes later', 'POST /API/file/VX-1/storage/VX-2?jobmetadata=destinationFileId%3Da', 400, {}],
  ['data that is none', 'POST /API/file/VX-1/storage/VX-2?jobmetadata=desk', 400, {}],
  [
    'a path that is taken',
    'POST /API/file/VX-1/storage/VX-1?filename=a.mov',
    409,
    { fileAlreadyExists: { fileId: 'VX-1' } },
  ],
])('%s is refused, and no job starts', async (_name, request, status, says) => {
  const world = await worldOf('transfers');
  await done(world, upload('a.mov', 'hello'));
  const before = await last(world);
  const answer = await world.send(ask(request));
  expect(answer.status, answer.body).toBe(status);
  expect(bodyOf(answer)).toMatchObject(says);
  expect(await told(world, before)).toEqual([]);
  expect(await rowsOf(world, 'job')).toEqual([]);
});

it('storages that take no new file are refused', async () => {
  const world = await worldOf('transfers');
  await done(world, upload('a.mov', 'hello'));
  for (const change of ["type = 'SHARED'", "type = 'LOCAL', state = 'EVACUATING'", "state = 'READY'"]) {
    await sqlIn(world, `UPDATE storage SET ${change} WHERE id = 'VX-2'`);
    if (change.includes('READY')) await sqlIn(world, "UPDATE storage_method SET write = 0 WHERE storage_id = 'VX-2'");
    const answer = await world.send(copy());
    expect([answer.status, answer.headers.get('portico-error')], change).toEqual([400, 'storage-unable']);
  }
});

it('a copy starts from each of the addresses of a file', async () => {
  const world = await worldOf('transfers');
  await done(world, upload('in/a.mov', 'hello'));
  const places = [
    '/file/VX-1',
    '/storage/file/VX-1',
    '/storage/VX-1/file/VX-1',
    '/storage/VX-1/file/path/in%2Fa.mov',
    '/storage/file/path/in%2Fa.mov',
    '/storage/file/uri/memory%3A%2F%2F%2Fin%2Fin%2Fa.mov',
    '/storage/VX-1/file/uri/memory%3A%2F%2F%2Fin%2Fin%2Fa.mov',
  ];
  for (const [index, place] of places.entries()) {
    const job = await done<JobSeen>(world, ask(`POST /API${place}/storage/VX-2?filename=${index}.mov`));
    expect((await ended(world, job.jobId)).status, place).toBe('FINISHED');
  }
  expect([...world.to.files.keys()].sort()).toEqual(places.map((_place, index) => `${index}.mov`));
});

it('two copies of one file at once: it is read until both are done', async () => {
  const world = await worldOf('transfers');
  await done(world, upload('a.mov', 'hello'));
  const jobs = [await done<JobSeen>(world, copy('?filename=1')), await done<JobSeen>(world, copy('?filename=2'))];
  for (const { jobId } of jobs) expect((await ended(world, jobId)).status).toBe('FINISHED');
  expect(await fileRow(world, 'VX-1')).toMatchObject({ state: 'CLOSED' });
  expect(world.to.files.size).toBe(2);
});

it('a copy that runs again copies the source once more, and the job names its files', async () => {
  const world = await worldOf('transfers');
  await done(world, upload('a.mov', 'hello'));
  const first = await done<JobSeen>(world, ask('POST /API/file/VX-1/storage/VX-2?filename=b.mov'));
  await ended(world, first.jobId);
  // The name is taken by the first copy.
  const refused = await done<JobSeen>(world, ask(`POST /API/job/${first.jobId}/re-run`, undefined, viewer));
  expect((await ended(world, refused.jobId)).status).toBe('FAILED_TOTAL');
  world.to.files.delete('b.mov');
  await sqlIn(world, "DELETE FROM file WHERE id = 'VX-2'");
  const again = await done<JobSeen>(world, ask(`POST /API/job/${first.jobId}/re-run`, undefined, viewer));
  expect(await rowsOf(world, 'file_job')).toMatchObject([{ file_id: 'VX-1', job_id: again.jobId }]);
  expect((await ended(world, again.jobId)).status).toBe('FINISHED');
  expect(textAt(world.to, 'b.mov')).toBe('hello');
  expect(await rowsOf(world, 'file_job')).toEqual([]);
});
