import { beforeEach, describe, expect, it } from 'vitest';
import { ended, type JobSeen } from '../support/files.ts';
import type { Sent } from '../support/matrix.ts';
import { done } from '../support/requests.ts';
import { admin } from '../support/service.ts';
import { dataOf, explained } from '../support/transfers.ts';
import { type RoomWorld, sharedWorld } from '../support/world.ts';

/**
 * Requests of production clients about storages, files and jobs, unchanged, and the parts of answers that they read.
 */

const json = { accept: 'application/json' };
const ask = (request: string, headers: Record<string, string> = json, body?: Sent['body']): Sent => ({
  as: admin,
  request,
  headers,
  ...(body !== undefined && { body }),
});

describe('production clients', () => {
  let world: RoomWorld;
  const shared = sharedWorld('imports');
  beforeEach(() => {
    world = shared();
  });
  const told = (request: string) => done(world, ask(request));

  it('clients.md 6 imports from an address that is percent-encoded twice', async () => {
    world.from.put('two words.txt', 'a');
    const uri = encodeURIComponent(encodeURIComponent('memory:///in/two%20words.txt'));
    const job = await done<JobSeen>(world, ask(`POST /API/import?uri=${uri}`, json, '{}'));
    expect((await ended(world, job.jobId)).status).toBe('FINISHED');
  });

  it('clients.md 28, 98 splits jobmetadata at the first "=", and finds the job of an item right after its start', async () => {
    world.from.put('b.txt', 'b');
    const { id } = await done<{ id: string }>(world, ask('POST /API/import/placeholder?container=1', json, '{}'));
    const pair = encodeURIComponent('portal_groups:StringArray=Admin');
    const request = `/import/placeholder/${id}/container?uri=memory:///in/b.txt&jobmetadata=${pair}`;
    const job = await done<JobSeen>(world, ask(`POST /API${request}`, { ...json, 'content-type': 'application/json' }));
    expect(job).toMatchObject({ status: 'READY', type: 'PLACEHOLDER_IMPORT', priority: 'MEDIUM' });
    const of = `jobmetadata=${encodeURIComponent(`itemId=${id}`)}&type=PLACEHOLDER_IMPORT&sort=startTime%20asc`;
    const found = await done<{ hits: number; job: JobSeen[] }>(world, ask(`GET /API/job?${of}&metadata=true`));
    expect([found.hits, found.job[0]!.jobId]).toEqual([1, job.jobId]);
    expect(dataOf(found.job[0]!, 'portal_groups:StringArray')).toBe('Admin');
    expect([dataOf(found.job[0]!, 'item'), dataOf(found.job[0]!, 'itemId')]).toEqual([id, id]);
    const again = await world.send(ask(`POST /API${request}`));
    expect(explained(again)).toMatch(new RegExp(`\\[${job.jobId}\\]$`));
    await ended(world, job.jobId);
  });

  it('clients.md 47, 92 names the file that is there already, in both forms of registration', async () => {
    const first = await done<{ id: string }>(world, ask('POST /API/storage/VX-1/file?path=in/rb.mov&state=OPEN'));
    const body = JSON.stringify({ path: 'in/rb.mov', state: 'CLOSED' });
    const sent = ask(
      'POST /API/storage/VX-1/file?createOnly=true',
      { ...json, 'content-type': 'application/json' },
      body,
    );
    const refused = await world.send(sent);
    expect(refused.status).toBe(409);
    expect(JSON.parse(refused.body).fileAlreadyExists).toEqual({
      storageId: 'VX-1',
      fileId: first.id,
      path: 'in/rb.mov',
    });
  });

  it('clients.md 16, 55 lists files with sizes, and takes a number for count', async () => {
    const { file } = (await told('GET /API/storage/VX-1/file?count=100&path=in')) as { file: object[] };
    expect(file.length).toBeGreaterThan(0);
    for (const each of file) {
      expect(each).toMatchObject({ size: expect.any(Number), refreshFlag: 1, storage: 'VX-1' });
      expect(each).toMatchObject({ state: expect.any(String), timestamp: expect.stringMatching(/\+0000$/) });
    }
  });

  it('clients.md 15 counts files and jobs without telling one', async () => {
    expect(await told('GET /API/storage/VX-1/file;number=0')).toMatchObject({ hits: expect.any(Number), file: [] });
    expect(await told('GET /API/job;user=False;number=0')).toMatchObject({ hits: expect.any(Number), job: [] });
  });

  it('clients.md 71 has four addresses of importable files', async () => {
    const one = await told('GET /API/storage/importable?storage=VX-1');
    const paths = ['file/importable/?storage=VX-1', 'VX-1/importable', 'VX-1/file/importable/'];
    for (const path of paths) expect(await told(`GET /API/storage/${path}`)).toEqual(one);
  });

  it('clients.md 62, 83 answers a method that is put again as text to a caller who names no form', async () => {
    const { method } = (await told('GET /API/storage/VX-1/method')) as { method: { id: string; uri: string }[] };
    const { id, uri } = method[0]!;
    const request = `PUT /API/storage/VX-1/method?url=${uri}&read=true&write=true&browse=true`;
    const answer = await world.send(ask(request, { 'content-type': 'application/xml' }));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8']);
    expect(answer.body).toBe(`${id}\t${uri}\tNONE\r\n`);
  });

  it('clients.md 70 evaluates a quota rule by a PUT without a body', async () => {
    const rule = JSON.stringify({ description: 'd', resource: [{ name: 'item', limit: '10' }] });
    const { id } = await done<{ id: string }>(world, ask('POST /API/quota/', json, rule));
    for (const path of [id, `${id}/evaluate`]) {
      const answer = await world.send(ask(`PUT /API/quota/${path}`, { ...json, 'content-type': 'application/json' }));
      expect([answer.status, answer.body]).toEqual([200, '']);
    }
  });

  it('begins a scan of a storage within a second of the request', async () => {
    world.from.put('seen.mov', 'seen');
    await world.send(ask('POST /API/storage/VX-1/rescan', { 'content-type': 'application/json; charset=utf-8' }));
    await world.service.tick();
    const { file } = (await told('GET /API/storage/VX-1/file?path=seen.mov')) as { file: { path: string }[] };
    expect(file.map(({ path }) => path)).toEqual(['seen.mov']);
  });

  it('imports a file that was copied just now within the minute for which two scripts wait', async () => {
    world.from.put('copied.txt', 'copied');
    await world.send(ask('POST /API/storage/VX-1/rescan'));
    await world.service.tick();
    const { file } = (await told('GET /API/storage/VX-1/file?path=copied.txt')) as {
      file: { id: string; state: string }[];
    };
    expect(file).toMatchObject([{ state: 'OPEN' }]);
    const job = await done<JobSeen>(world, ask(`POST /API/storage/VX-1/file/${file[0]!.id}/import`));
    expect((await ended(world, job.jobId, 55)).status).toBe('FINISHED');
  });

  it.each(['GET /API/whoami', 'GET /APInoauth/is-online/', 'POST /API/javascript/test'])(
    'answers text to bindings that ask for JSON everywhere: %s',
    async (request) => {
      const script = request.startsWith('POST') ? '1+1' : undefined;
      const answer = await world.send(ask(request, { ...json, 'content-type': 'application/javascript' }, script));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8']);
    },
  );
});
