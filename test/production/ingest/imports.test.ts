import { expect, it } from 'vitest';
import { ended, jobOf, told } from '../../support/files.ts';
import { asking, done, rowsOf, sqlIn, textAt } from '../../support/requests.ts';
import { admin } from '../../support/service.ts';
import { dataOf, itemOf, sent, start } from '../../support/transfers.ts';
import { importer, worldOf } from '../../support/world.ts';
import { png } from '../checking/samples.ts';

const ask = asking(importer);

it('an address below a storage is imported where it lies, and the item tells what it is', async () => {
  const world = await worldOf('imports');
  world.from.put('clips/harbour.txt', 'hello');
  const metadata = {
    timespan: [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: 'Harbour' }] }] }],
  };
  const job = await start(world, {
    ...ask('POST /API/import?uri=memory:///in/clips/harbour.txt', JSON.stringify(metadata)),
    headers: { accept: 'application/json', 'content-type': 'application/json' },
  });
  expect(job).toMatchObject({ type: 'PLACEHOLDER_IMPORT', status: 'READY', priority: 'MEDIUM', user: 'importer' });
  const seen = await jobOf(world, job.jobId);
  const itemId = dataOf(seen, 'itemId')!;
  expect(dataOf(seen, 'item')).toBe(itemId);
  const listed = await done<{ hits: number }>(world, ask(`GET /API/job?jobmetadata=itemId%3D${itemId}`));
  expect(listed.hits).toBe(1);
  expect((await itemOf(world, itemId)).fields).toMatchObject({ title: 'Harbour', mediaType: 'none' });
  const end = await ended(world, job.jobId);
  expect(end.status, JSON.stringify(end)).toBe('FINISHED');
  expect(end.log!.task.map(({ step, description }) => `${step} ${description}`)).toEqual([
    '100 Transferring file',
    '200 Creating file entity',
    '300 Media check',
    '350 Finalizing media check',
    '400 Updating metadata',
    '500 Transcoding',
    '600 Applying sidecars',
  ]);
  const item = await itemOf(world, itemId, importer);
  expect(item.shape).toHaveLength(1);
  expect(item.shape[0]).toMatchObject({
    tag: ['original'],
    binaryComponent: [{ file: [{ path: 'clips/harbour.txt' }] }],
  });
  expect(item.fields).toMatchObject({
    title: 'Harbour',
    originalFilename: 'harbour.txt',
    originalUri: 'memory:///in/clips/harbour.txt',
    shapeTag: 'original',
  });
  expect(await rowsOf(world, 'import_claim')).toEqual([]);
  expect(await rowsOf(world, 'file_job')).toEqual([]);
});

it('a raw import makes item, file and job in one commit, and uploads nothing twice', async () => {
  const world = await worldOf('imports');
  const job = await start(world, sent('POST /API/import/raw?filename=a.txt&storageId=VX-1', 'hello'));
  expect(job).toMatchObject({ type: 'RAW_IMPORT', status: 'READY' });
  const names = (await told(world, 0, /./)).map((text) => text.replace(/ .*/, ''));
  expect(names).toEqual(expect.arrayContaining(['file/new', 'item/create', 'shape/create', 'job/create']));
  const end = await ended(world, job.jobId);
  expect(end.status, JSON.stringify(end)).toBe('FINISHED');
  const item = await itemOf(world, dataOf(end, 'itemId')!, importer);
  expect(item.fields['originalFilename']).toBe('a.txt');
  expect(item.shape[0]!.binaryComponent![0]!.file).toHaveLength(1);
});

it('the job of an upload in parts exists only when every part has arrived', async () => {
  const world = await worldOf('imports');
  const part = (index: number, body: string) =>
    sent('POST /API/import/raw?transferId=up&filename=a.txt&storageId=VX-1', body, {
      size: '10',
      index: String(index),
    });
  const first = await world.send(part(5, 'world'));
  expect([first.status, first.body]).toEqual([200, '']);
  expect(await rowsOf(world, 'job')).toEqual([]);
  const job = await start(world, part(0, 'hello'));
  expect(job.type).toBe('RAW_IMPORT');
  const again = await start(world, part(0, 'hello'));
  expect(again.jobId).toBe(job.jobId);
  const end = await ended(world, job.jobId);
  expect(end.status).toBe('FINISHED');
  expect(await rowsOf(world, 'item')).toHaveLength(1);
});

it('a request without an address is refused, and one with a password is not kept', async () => {
  const world = await worldOf('imports');
  const none = await world.send(ask('POST /API/import'));
  expect([none.status, none.body]).toEqual([400, expect.stringContaining('Expected the address of the file')]);
  const secret = await world.send(ask('POST /API/import?uri=http://ann:hunter2@example.com/a.mov'));
  expect(secret.status).toBe(400);
  expect(secret.body).not.toContain('hunter2');
  expect(await rowsOf(world, 'job')).toEqual([]);
});

it.each([
  ['tag=nowhere', 'shape-tag'],
  ['settings=VX-99', 'ImportSettings'],
  ['storageId=VX-99', 'Storage'],
])('an unknown name is told before anything is made: %s', async (query, type) => {
  const world = await worldOf('imports');
  const answer = await world.send(ask(`POST /API/import?uri=memory:///in/a.txt&${query}`));
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.body)).toMatchObject({ notFound: { type } });
  expect(await rowsOf(world, 'item')).toEqual([]);
});

it('media that cannot be read fails the job, the item stays a placeholder, and a copied file goes', async () => {
  const world = await worldOf('imports');
  world.from.put('a.png', png(1, 1, { width: 0, height: 5 }));
  const request = ask('POST /API/import?uri=memory:///in/a.png&storageId=VX-2');
  const statesAfter = async () => {
    const end = await ended(world, (await start(world, request)).jobId);
    expect([end.status, end.log!.task.at(-1)!.description]).toEqual(['FAILED_TOTAL', 'Media check']);
    const { fields, shape } = await itemOf(world, dataOf(end, 'itemId')!);
    expect([fields['mediaType'], shape]).toEqual(['none', []]);
    return (await rowsOf(world, 'file')).map(({ storage_id, state }) => `${storage_id} ${state}`);
  };
  expect(await statesAfter()).toEqual(['VX-1 CLOSED']);
  await sqlIn(world, "INSERT INTO file_use SELECT id, 'VX-9', 'VX-9', 'VX-9' FROM file");
  const gone = async () => (await world.events()).filter(({ name }) => name === 'file/delete').length;
  const before = await gone();
  expect(await statesAfter()).toEqual(['VX-1 CLOSED']);
  expect(await gone()).toBe(before + 1);
});

it('metadata that cannot be is told at once, and nothing is made', async () => {
  const world = await worldOf('imports');
  for (const [name, value, status] of [
    ['x_none', 'a', 404],
    ['durationSeconds_x', 'a', 404],
  ] as const) {
    const metadata = { timespan: [{ field: [{ name, value: [{ value }] }] }] };
    const answer = await world.send({
      ...ask('POST /API/import?uri=memory:///in/a.txt', JSON.stringify(metadata)),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    });
    expect([answer.status, answer.body.includes(name)]).toEqual([status, true]);
  }
  for (const table of ['item', 'job']) expect(await rowsOf(world, table)).toEqual([]);
});

it('a file from elsewhere goes where the caller or the rules say, and is called by its id', async () => {
  const world = await worldOf('imports');
  await done(world, ask('PUT /API/shape-tag/storage-rule/original', '{"storage":["VX-2"]}', admin));
  const raw = async (query: string) => {
    const job = await start(world, sent(`POST /API/import/raw?${query}`, 'bytes'));
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    return (await itemOf(world, dataOf(end, 'itemId')!)).shape[0]!.binaryComponent![0]!.file[0]!;
  };
  const file = await raw('filename=tape.pdf');
  expect([file.path, textAt(world.to, file.path)]).toEqual([`${file.id}.pdf`, 'bytes']);
  const chosen = await raw('filename=tape.pdf&storageId=VX-1');
  expect(textAt(world.from, chosen.path)).toBe('bytes');
});

it.each(['../../etc/passwd.txt', '/etc/passwd.txt', '..\\..\\passwd.txt', 'in/%2e%2e/passwd.txt'])(
  'a file that is called %s goes where others go, and nobody takes the name for a path',
  async (filename) => {
    const world = await worldOf('imports');
    const query = `filename=${encodeURIComponent(filename)}&storageId=VX-2`;
    const job = await start(world, sent(`POST /API/import/raw?${query}`, 'hello'));
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end.log)).toBe('FINISHED');
    expect([...world.to.files.keys()]).toEqual([expect.stringMatching(/^[\w-]+\.txt$/)]);
    const { fields } = await itemOf(world, dataOf(end, 'itemId')!);
    // Nobody takes it for a path, not even an export by that name.
    expect(fields['originalFilename']).toBe(filename);
    const uri = encodeURIComponent('memory:///out/x/');
    const request = `POST /API/item/${dataOf(end, 'itemId')}/export?uri=${uri}&useOriginalFilename=true`;
    expect((await ended(world, (await start(world, { ...ask(request), as: admin })).jobId)).status).toBe('FINISHED');
    expect([...world.to.files.keys()].filter((path) => path.startsWith('x'))).toEqual(['x/passwd.txt']);
  },
);

it('the shape gets the tags of importTag, and is no original without that word', async () => {
  const world = await worldOf('imports');
  await done(world, ask('PUT /API/shape-tag/proxy', '{}', admin));
  for (const [query, tags] of [
    ['importTag=proxy', ['proxy']],
    ['importTag=original,proxy', ['original', 'proxy']],
    ['', ['original']],
  ] as const) {
    const job = await start(world, sent(`POST /API/import/raw?filename=a.txt&${query}`, 'a'));
    const end = await ended(world, job.jobId);
    expect((await itemOf(world, dataOf(end, 'itemId')!)).shape.map(({ tag }) => tag)).toEqual([tags]);
  }
});

it('external ids need a namespace, and are those of nothing else', async () => {
  const world = await worldOf('imports');
  const raw = (ids: string) => world.send(sent(`POST /API/import/raw?filename=a.txt&ids=${ids}`, 'a'));
  expect((await raw('tape')).status).toBe(400);
  await done(world, ask('PUT /API/external-id/all', '{"pattern":".*"}', admin));
  expect((await raw('tape')).status).toBe(200);
  expect((await world.send(ask('GET /API/item/tape', undefined, admin))).status).toBe(200);
  expect((await raw('tape')).status).toBe(400);
  expect(await rowsOf(world, 'item')).toHaveLength(1);
});

it('the item of an import that is aborted stays', async () => {
  const world = await worldOf('imports');
  world.from.put('a.txt', 'hello');
  const job = await start(world, ask('POST /API/import?uri=memory:///in/a.txt&holdJob=true'));
  await done(world, ask(`DELETE /API/job/${job.jobId}?reason=wrong`, undefined, admin));
  const end = await ended(world, job.jobId);
  expect([end.status, dataOf(end, 'abortReason')]).toEqual(['ABORTED', 'wrong']);
  expect((await itemOf(world, dataOf(end, 'itemId')!)).fields['mediaType']).toBe('none');
});

it('the second import of one address gets a copy: no two items share a file by chance', async () => {
  const world = await worldOf('imports');
  world.from.put('a.txt', 'hello');
  const paths: string[] = [];
  for (let count = 0; count < 2; count++) {
    const job = await start(world, ask('POST /API/import?uri=memory:///in/a.txt&storageId=VX-2'));
    const end = await ended(world, job.jobId);
    expect(end.status, JSON.stringify(end)).toBe('FINISHED');
    const { shape } = await itemOf(world, dataOf(end, 'itemId')!);
    paths.push(shape[0]!.binaryComponent![0]!.file[0]!.path);
  }
  expect(paths[0]).toBe('a.txt');
  expect(textAt(world.to, paths[1]!)).toBe('hello');
  expect(textAt(world.from, 'a.txt')).toBe('hello');
});

it('a copy whose bytes turn out to be gone leaves no file behind', async () => {
  const world = await worldOf('imports');
  world.from.put('a.txt', 'hello');
  const request = ask('POST /API/import?uri=memory:///in/a.txt&storageId=VX-2');
  await ended(world, (await start(world, request)).jobId);
  world.from.files.delete('a.txt');
  const job = await start(world, request);
  expect((await ended(world, job.jobId)).status).toBe('FAILED_TOTAL');
  expect((await rowsOf(world, 'file')).map(({ storage_id }) => storage_id)).toEqual(['VX-1']);
  expect([...world.to.files.keys()]).toEqual([]);
});

it('an address without a scheme fails in its job, and the item stays a placeholder', async () => {
  const world = await worldOf('imports');
  const job = await start(world, ask('POST /API/import?uri=not-an-address'));
  const end = await ended(world, job.jobId);
  expect(end.status).toBe('FAILED_TOTAL');
  expect(end.log!.task[0]!.errorMessage).toContain('Expected an address with a scheme');
  const item = await itemOf(world, dataOf(end, 'itemId')!);
  expect(item.fields['mediaType']).toBe('none');
  expect(await rowsOf(world, 'import_claim')).toEqual([]);
  expect(await world.send(ask('GET /API/item/VX-1', undefined, admin))).toMatchObject({ status: 200 });
});
