import { beforeEach, describe, expect, it } from 'vitest';
import { ended } from '../../support/files.ts';
import { asking, done, rowsOf } from '../../support/requests.ts';
import { dataOf, explained, itemOf, sent, start } from '../../support/transfers.ts';
import { importer, outsider, type RoomWorld, sharedWorld, worldOf } from '../../support/world.ts';

const ask = asking(importer);

describe('a placeholder', () => {
  let world: RoomWorld;
  const shared = sharedWorld('imports');
  beforeEach(() => {
    world = shared();
  });

  const made = async (query: string) =>
    (await done<{ id: string }>(world, ask(`POST /API/import/placeholder?${query}`))).id;

  it('takes the file of its container from an address, and is a shape like others then', async () => {
    world.from.put('a.txt', 'a');
    const item = await made('container=1');
    const job = await start(
      world,
      ask(`POST /API/import/placeholder/${item}/container?uri=memory%3A%2F%2F%2Fin%2Fa.txt`),
    );
    expect(job).toMatchObject({ type: 'PLACEHOLDER_IMPORT', user: 'importer' });
    expect((await ended(world, job.jobId)).status).toBe('FINISHED');
    const { shape, fields } = await itemOf(world, item, importer);
    expect(shape).toHaveLength(1);
    expect(shape[0]!.tag).toEqual(['original']);
    expect(fields['originalFilename']).toBe('a.txt');
  });

  it('refuses a kind that it does not expect, in the words that clients know', async () => {
    const item = await made('container=1');
    const answer = await world.send(ask(`POST /API/import/placeholder/${item}/video?uri=memory:///in/a.txt`));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).invalidInput).toMatchObject({ context: 'job', value: 'VIDEO_COMPONENT' });
  });

  it('names the job that imports the component already', async () => {
    const item = await made('container=1');
    world.from.put('b.txt', 'b');
    const request = ask(`POST /API/import/placeholder/${item}/container?uri=memory:///in/b.txt`);
    const job = await start(world, request);
    const answer = await world.send(request);
    expect(answer.status).toBe(400);
    expect(explained(answer)).toMatch(new RegExp(`\\[${job.jobId}\\]$`));
    expect((await ended(world, job.jobId)).status).toBe('FINISHED');
  });

  it('stays one when its import fails, and takes another file', async () => {
    const item = await made('container=1');
    const failed = await start(world, ask(`POST /API/import/placeholder/${item}/container?uri=memory:///in/none.txt`));
    expect((await ended(world, failed.jobId)).status).toBe('FAILED_TOTAL');
    world.from.put('c.txt', 'c');
    const job = await start(world, ask(`POST /API/import/placeholder/${item}/container?uri=memory:///in/c.txt`));
    expect((await ended(world, job.jobId)).status).toBe('FINISHED');
  });

  it('is not for callers without rights on the item, who learn of no file', async () => {
    const item = await made('container=1');
    const answer = await world.send(
      ask(`POST /API/import/placeholder/${item}/container?uri=memory:///in/a.txt`, undefined, outsider),
    );
    expect(answer.status).toBe(403);
  });

  it('takes a file of a storage by its id, and refuses one that a component has', async () => {
    const file = await done<{ id: string }>(world, sent('POST /API/storage/VX-1/file/data?path=d.txt', 'd'));
    const item = await made('container=1');
    const job = await start(world, ask(`POST /API/import/placeholder/${item}/container?fileId=${file.id}`));
    expect((await ended(world, job.jobId)).status).toBe('FINISHED');
    const other = await made('container=1');
    const answer = await world.send(ask(`POST /API/import/placeholder/${other}/container?fileId=${file.id}`));
    expect([answer.status, explained(answer)]).toEqual([400, expect.stringContaining('no component has')]);
  });

  it('takes its file as bytes', async () => {
    const item = await made('container=1');
    const job = await start(world, sent(`POST /API/import/placeholder/${item}/container/raw?filename=e.txt`, 'eee'));
    expect(job.type).toBe('PLACEHOLDER_IMPORT');
    expect((await ended(world, job.jobId)).status).toBe('FINISHED');
    expect((await itemOf(world, item)).fields['originalFilename']).toBe('e.txt');
  });

  it('adopts a file at once, and the last one starts the check', async () => {
    const file = await done<{ id: string }>(world, sent('POST /API/storage/VX-1/file/data?path=f.txt', 'f'));
    const item = await made('container=1');
    await done(world, ask(`POST /API/import/placeholder/${item}/container/adopt/${file.id}`));
    const jobs = await rowsOf(world, 'job');
    const last = String(jobs.at(-1)!['id']);
    expect(await ended(world, last)).toMatchObject({ status: 'FINISHED', type: 'PLACEHOLDER_IMPORT' });
    const { shape } = await itemOf(world, item);
    expect(shape).toMatchObject([{ binaryComponent: [{ file: [{ id: file.id, path: 'f.txt' }] }] }]);
  });

  it('takes several addresses, each by a job of its own', async () => {
    world.from.put('g.txt', 'g');
    world.from.put('h.txt', 'h');
    const item = await made('container=1&audio=1');
    const body = JSON.stringify({ container: 'memory:///in/g.txt', audio: ['memory:///in/h.txt'] });
    const job = await start(world, {
      ...ask(`POST /API/import/placeholder/${item}`, body),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    });
    expect(job.type).toBe('PLACEHOLDER_IMPORT');
    expect(await rowsOf(world, 'import_claim')).toHaveLength(2);
  });

  it('has a passkey that lets somebody without credentials upload the file once', async () => {
    const item = await made('container=1');
    const { uri } = await done<{ uri: string[] }>(world, ask(`POST /API/import/placeholder/${item}/raw-passkey`));
    const path = `/APInoauth/import/placeholder/${item}/container/raw?passkey=`;
    const anonymous = (key: string) => ({
      headers: { 'content-type': 'application/octet-stream' },
      request: `POST ${path}${key}`,
      body: 'secret bytes',
    });
    expect((await world.send(anonymous('wrong'))).status).toBe(401);
    expect((await world.send(anonymous(uri[0]!))).status).toBe(200);
    expect((await world.send(anonymous(uri[0]!))).status).toBe(401);
    const job = (await rowsOf(world, 'job')).at(-1)!;
    const end = await ended(world, String(job['id']));
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
  });
});

it('a raw import by passkey waits for its bytes, and fails when nobody brings them', async () => {
  const world = await worldOf('imports');
  const job = await start(world, ask('POST /API/import/raw-passkey?filename=a.txt'));
  const key = job.data!.find((each) => each.key === 'passkey')!.value;
  expect(JSON.stringify(await rowsOf(world, 'job'))).not.toContain(key);
  expect(JSON.stringify(await world.events())).not.toContain(key);
  await world.service.tick();
  const waiting = await done<{ status: string }>(world, ask(`GET /API/job/${job.jobId}`));
  expect(waiting.status).toBe('WAITING');
  await world.clock.advance(25 * 3_600_000);
  const end = await ended(world, job.jobId);
  expect(end.status).toBe('FAILED_TOTAL');
  expect(end.log!.task.at(-1)!.errorMessage).toContain('passkey');
});

it('the passkey of a raw import lets somebody without credentials bring its bytes once', async () => {
  const world = await worldOf('imports');
  const job = await start(world, ask('POST /API/import/raw-passkey?filename=a.txt'));
  const passkey = job.data!.find(({ key }) => key === 'passkey')!.value;
  const headers = { accept: 'application/json', 'content-type': 'application/octet-stream' };
  const bytes = { headers, body: 'secret bytes' };
  const bring = () => world.send({ ...bytes, request: `POST /APInoauth/import/raw?passkey=${passkey}` });
  const answer = await bring();
  expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
    200,
    { jobId: job.jobId, user: job.user, status: 'READY', type: 'RAW_IMPORT', priority: 'MEDIUM' },
  ]);
  expect((await bring()).status).toBe(401);
  const end = await ended(world, job.jobId);
  expect(end.status, JSON.stringify(end)).toBe('FINISHED');
  const { fields } = await itemOf(world, dataOf(end, 'itemId')!);
  expect(fields['originalFilename']).toBe('a.txt');
});
