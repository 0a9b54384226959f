import { describe, expect, it } from 'vitest';
import { ended, type JobSeen, upload } from '../../support/files.ts';
import type { Receiver, ScriptedAnswer } from '../../support/receiver.ts';
import { receiving, told as toldIn } from '../../support/receiver.ts';
import { asking, done, json, rowsOf } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { librarian, type RoomWorld, stranger, worldOf } from '../../support/world.ts';

const ask = asking(librarian);

/** A receiver that names the new files of all storages. */
async function named(world: RoomWorld, answer: ScriptedAnswer): Promise<Receiver> {
  const receiver = await receiving();
  receiver.script(answer);
  const action = { http: { url: receiver.address, contentType: 'application/json' } };
  const body = { action, trigger: { storage: { filename: '' } } };
  await done(world, { as: admin, headers: json, request: 'POST /API/storage/notification', body });
  await world.clock.advance(1);
  return receiver;
}

const copy = (query = '') => ask(`POST /API/file/VX-1/storage/VX-2${query}`);

async function opened(): Promise<RoomWorld> {
  const world = await worldOf('transfers', { settings: { outboundAllow: ['127.0.0.1'] } });
  await done(world, upload('in/a.MOV', 'hello'));
  return world;
}

it.each([
  ['a copy', ''],
  ['a move', '?move=true'],
])(
  '%s without a name gets the one that a notification of its storage answers, with the extension of the source',
  async (_name, query) => {
    const world = await opened();
    const receiver = await named(world, { body: 'harbour_7' });
    await ended(world, (await done<JobSeen>(world, copy(query))).jobId);
    expect([...world.to.files.keys()]).toEqual(['harbour_7.MOV']);
    const { action, storageId, fileId, username } = toldIn(receiver.received[0]!);
    expect([action, storageId, fileId, username]).toEqual(['FILENAME', 'VX-2', 'VX-2', 'librarian']);
  },
);

it('a copy with a name asks nobody', async () => {
  const world = await opened();
  const receiver = await named(world, { body: 'harbour_7' });
  await ended(world, (await done<JobSeen>(world, copy('?filename=mine.mov'))).jobId);
  expect([...world.to.files.keys()]).toEqual(['mine.mov']);
  expect(receiver.received).toHaveLength(0);
});

it.each([{ body: '../out' }, { body: 'a.mov' }, { status: 500, body: 'x' }])(
  'the path of the source counts when the answer is %j',
  async (answer) => {
    const world = await opened();
    await named(world, answer);
    await ended(world, (await done<JobSeen>(world, copy())).jobId);
    expect([...world.to.files.keys()]).toEqual(['in/a.MOV']);
  },
);

it('a receiver that fails is named in the log of the job, without its address', async () => {
  const world = await opened();
  const receiver = await named(world, { status: 500, body: 'hunter2' });
  const job = await ended(world, (await done<JobSeen>(world, copy())).jobId);
  expect(job.status).toBe('FINISHED');
  const log = JSON.stringify(job.log);
  expect(log).toMatch(/Expected the notification VX-\d+ to name the file VX-2: \S+ 500/);
  expect(log).not.toContain(receiver.address);
  expect(log).not.toContain('hunter2');
});

it('a name that is taken counts like none', async () => {
  const world = await opened();
  await named(world, { body: 'taken' });
  await done(world, upload('taken.MOV', 'mine', 'VX-2'));
  await ended(world, (await done<JobSeen>(world, copy())).jobId);
  expect([...world.to.files.keys()].sort()).toEqual(['in/a.MOV', 'taken.MOV']);
});

it('an upload without a path is named by a notification, or else by its id', async () => {
  const world = await worldOf('transfers', { settings: { outboundAllow: ['127.0.0.1'] } });
  const sent = { ...upload('', 'hello'), request: 'POST /API/storage/VX-2/file/data' };
  expect(await done(world, sent)).toMatchObject({ id: 'VX-1', path: 'VX-1', state: 'CLOSED' });
  await named(world, { body: 'harbour_8' });
  expect(await done(world, sent)).toMatchObject({ id: 'VX-2', path: 'harbour_8', state: 'CLOSED' });
});

it('parts of an upload say the path of their file: one is refused without', async () => {
  const world = await worldOf('transfers');
  const headers = { accept: 'application/json', size: '10', index: '0' };
  const sent = { ...upload('', 'hello'), headers, request: 'POST /API/storage/VX-2/file/data?transferId=mine' };
  expect((await world.send(sent)).status).toBe(400);
});

it.each([
  '../b.mov',
  '/etc/passwd',
  'in/../../b.mov',
  './b.mov',
  'in//b.mov',
  '..%2Fb.mov',
  'a\\b.mov',
  'a\u0000b',
  'x'.repeat(5000),
])('filename=%j does not lead out of the storage', async (filename) => {
  const world = await opened();
  const answer = await world.send(copy(`?filename=${encodeURIComponent(filename)}`));
  // An encoded slash that is encoded again is a name like any other.
  if (filename.includes('%')) {
    await ended(world, (JSON.parse(answer.body) as JobSeen).jobId);
    expect([...world.to.files.keys()]).toEqual([filename]);
    return;
  }
  expect(answer.status).toBe(400);
  expect(await rowsOf(world, 'job')).toEqual([]);
});

it.each(['POST /API/file/VX-1/storage/VX-2', 'DELETE /API/file/VX-1'])(
  '%s needs the role _file_write, and tells no more',
  async (request) => {
    const world = await opened();
    const answer = await world.send(ask(request, undefined, stranger));
    expect([answer.status, answer.headers.get('portico-error')]).toEqual([403, 'role-missing']);
    expect(await rowsOf(world, 'job')).toEqual([]);
    expect((await world.send(ask(request, undefined, librarian))).status).toBe(200);
  },
);

it('a source is found on its own storage only', async () => {
  const world = await opened();
  expect((await world.send(ask('POST /API/storage/VX-2/file/VX-1/storage/VX-2'))).status).toBe(404);
  expect((await world.send(ask('DELETE /API/storage/VX-2/file/VX-1'))).status).toBe(404);
});

describe('the script of a storage', () => {
  const script =
    'var path = "source-" + context.getStorage().getId() + "/" + context.getFileId();\nif (context.getExtension() != null) path += "." + context.getExtension();';
  const withScript = (text: string) => ({
    ...ask('PUT /API/storage/VX-2/metadata/filenameScript', undefined, admin),
    headers: { 'content-type': 'text/plain' },
    body: text,
  });

  it('names the files that nobody has named', async () => {
    const world = await opened();
    await world.send(withScript(script));
    await ended(world, (await done<JobSeen>(world, copy())).jobId);
    expect([...world.to.files.keys()]).toEqual(['source-VX-2/VX-2.MOV']);
    await ended(world, (await done<JobSeen>(world, copy('?filename=mine.mov'))).jobId);
    expect([...world.to.files.keys()]).toEqual(['source-VX-2/VX-2.MOV', 'mine.mov']);
  });

  it.each([
    ['climbs out of the storage', '"../../etc/passwd"', /Expected a path without empty parts/],
    ['throws', '\nthrow new Error("no name")', /Expected the script of VX-2 to name a file: Error: no name \(line 2\)/],
  ])('fails the job where it %s', async (_title, text, why) => {
    const world = await opened();
    await world.send(withScript(text));
    const job = await ended(world, (await done<JobSeen>(world, copy())).jobId);
    expect(job.status).toBe('FAILED_TOTAL');
    expect(job.log?.task.map(({ errorMessage = '' }) => errorMessage).join()).toMatch(why);
    expect([...world.to.files.keys()]).toEqual([]);
  });
});
