import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { ended, jobOf } from '../../support/files.ts';
import type { Answer, Sent } from '../../support/matrix.ts';
import { asking, rowsOf } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { itemOf, start } from '../../support/transfers.ts';
import { importer, outsider, type RoomWorld, worldOf } from '../../support/world.ts';

const ask = asking(importer);

const hello = 'hello world';
const pageUser: Credentials = ['page-user', 'password of page-user'];
const roles = ['_import', '_collection_write', '_collection_read', '_item_read', '_metadata_read', '_metadata_write'];
const json = { accept: 'application/json', 'content-type': 'application/json' };
const titled = (title: string) =>
  JSON.stringify({ timespan: [{ field: [{ name: 'title', value: [{ value: title }] }] }] });

const metadata = (pairs: Record<string, string>) =>
  Object.entries({ import: 'true', filename: 'clip.txt', ...pairs })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join();

const tus = (request: string, headers: Record<string, string>, body?: string, as = pageUser): Sent => ({
  as,
  request,
  headers: { 'tus-resumable': '1.0.0', accept: 'application/json', ...headers },
  ...(body !== undefined && { body }),
});
const begin = (pairs: Record<string, string> = {}, as = pageUser) =>
  tus('POST /API/upload', { 'upload-length': '11', 'upload-metadata': metadata(pairs) }, undefined, as);
const patch = (at: string, offset: number, body: string, as = pageUser) =>
  tus(`PATCH ${at}`, { 'content-type': 'application/offset+octet-stream', 'upload-offset': `${offset}` }, body, as);
const head = (at: string) => tus(`HEAD ${at}`, {});
const named = ({ headers }: Answer) => ['file', 'item', 'job'].map((each) => headers.get(`portico-${each}`));

async function open(): Promise<RoomWorld> {
  const world = await worldOf('imports');
  await prepare(world, [newUser(pageUser, roles)]);
  return world;
}

async function begun(world: RoomWorld, pairs: Record<string, string> = {}): Promise<string> {
  const answer = await world.send(begin(pairs));
  expect(answer.status, answer.body).toBe(201);
  return answer.headers.get('location')!;
}

const newCollection = async (world: RoomWorld, as = pageUser) =>
  ((await start(world, ask('POST /API/collection?name=Rushes', undefined, as))) as unknown as { id: string }).id;
const membersOf = async (world: RoomWorld, id: string) =>
  (await rowsOf(world, 'collection_member'))
    .filter((row) => row['collection_id'] === id)
    .map((row) => row['member_id']);
const count = async (world: RoomWorld, table: string) => (await rowsOf(world, table)).length;

it('makes an upload an item, with its name, metadata and collection, and names file, item and job', async () => {
  const world = await open();
  const collection = await newCollection(world);
  const at = await begun(world, { collection, metadata: titled('First'), filename: 'clip.txt' });
  expect(named(await world.send(patch(at, 0, 'hello ')))).toEqual([null, null, null]);
  const last = await world.send(patch(at, 6, 'world'));
  const [file, item, job] = named(last);
  expect([last.status, file, item, job]).toEqual([
    204,
    expect.stringMatching(/^VX-/),
    expect.any(String),
    expect.any(String),
  ]);
  expect(named(await world.send(head(at)))).toEqual([file, item, job]);
  expect(await membersOf(world, collection)).toEqual([item]);
  expect(await ended(world, job!)).toMatchObject({ status: 'FINISHED', type: 'RAW_IMPORT', user: pageUser[0] });
  const made = await itemOf(world, item!);
  expect(made.fields).toMatchObject({ title: 'First', originalFilename: 'clip.txt', user: pageUser[0] });
  expect(made.shape.map(({ tag }) => tag)).toEqual([['original']]);
  expect(named(await world.send(head(at)))).toEqual([file, item, job]);
});

it('takes all bytes with the request that begins, and the tags of the transcodes', async () => {
  const world = await open();
  await prepare(
    world,
    [ask('PUT /API/shape-tag/lowres', '{"format":"mp4"}', admin)].map((sent) => ({
      ...sent,
      headers: { ...sent.headers, 'content-type': 'application/json' },
    })),
  );
  const whole = begin({ tag: 'lowres' });
  const answer = await world.send({
    ...whole,
    headers: { ...whole.headers, 'content-type': 'application/offset+octet-stream' },
    body: hello,
  });
  const [, item, job] = named(answer);
  expect([answer.status, item === null], answer.body).toEqual([201, false]);
  const transcodes = await jobOf(world, job!);
  expect(transcodes.data).toContainEqual({ key: 'tags', value: 'lowres' });
  // Jobs without transcodes come first.
  const plain = named(await world.send(patch(await begun(world), 0, hello)))[2];
  expect([transcodes, await jobOf(world, plain!)]).toMatchObject([{ priority: 'LOW' }, { priority: 'MEDIUM' }]);
});

it('gives a last part that is sent again the same item, and makes no second one', async () => {
  const world = await open();
  const at = await begun(world);
  const first = named(await world.send(patch(at, 0, hello)));
  const empty = await world.send({
    ...patch(at, 11, ''),
    headers: { ...patch(at, 11, '').headers, 'content-length': '0' },
  });
  expect([empty.status, named(empty)]).toEqual([204, first]);
  expect((await world.send(patch(at, 0, hello))).status).toBe(409);
  const both = await Promise.all([world.send(head(at)), world.send(patch(at, 11, ''))]);
  expect(both.map(named)[0]).toEqual(first);
  expect([await count(world, 'item'), await count(world, 'job')]).toEqual([1, 1]);
});

it.each([
  ['the collection', 'collection/VX-1', 'Kept'],
  ['the field', 'metadata-field/x_note', undefined],
  ['the tag', 'shape-tag/lowres', undefined],
])('makes an item all the same where %s went before the last byte', async (_, path, title) => {
  const world = await open();
  const put = (request: string, body: string) => ({ as: admin, request, headers: json, body });
  await prepare(world, [
    put('PUT /API/shape-tag/lowres', '{"format":"mp4"}'),
    put('PUT /API/metadata-field/x_note', '{"type":"string"}'),
  ]);
  const field = [...(path.includes('note') ? ['x_note'] : []), 'title'].map((name) => ({
    name,
    value: [{ value: 'Kept' }],
  }));
  const collection = await newCollection(world);
  const at = await begun(world, { collection, tag: 'lowres', metadata: JSON.stringify({ timespan: [{ field }] }) });
  await prepare(world, [ask(`DELETE /API/${path.replace('VX-1', collection)}`, undefined, admin)]);
  const [, item, job] = named(await world.send(patch(at, 0, hello)));
  expect([item === null, job === null]).toEqual([false, false]);
  expect((await itemOf(world, item!)).fields['title']).toBe(title);
});

it('adds nothing to a collection whose level was lowered before the last byte', async () => {
  const world = await open();
  const collection = await newCollection(world, admin);
  const access = `/API/collection/${collection}/access`;
  const gives = (permission: string) =>
    start(world, ask(`POST ${access}`, { user: pageUser[0], permission }, admin)) as Promise<{ id?: string }>;
  const { id } = await gives('WRITE');
  const at = await begun(world, { collection });
  await gives('READ');
  await prepare(world, [ask(`DELETE ${access}/${id}`, undefined, admin)]);
  const [, item] = named(await world.send(patch(at, 0, hello)));
  expect([item === null, await membersOf(world, collection)]).toEqual([false, []]);
});

it.each<[attack: string, sent: (collection: string) => Sent, status: number, says: string]>([
  ['an upload into a collection of somebody else', (collection) => begin({ collection }), 403, 'WRITE'],
  [
    'an upload into a collection without the role for collections',
    (collection) => begin({ collection }, importer),
    403,
    '_collection_write',
  ],
  ['an upload of somebody without the role _import', () => begin({}, ['writer', 'p']), 403, '_import'],
  [
    'a file of somebody without the role _file_write',
    () => begin({ import: 'false', storage: 'VX-1' }),
    403,
    '_file_write',
  ],
  ['a path that the caller chooses', () => begin({ path: '../../etc/passwd' }), 400, 'no path'],
  ['a storage that is not there', () => begin({ storage: 'VX-99' }), 404, 'VX-99'],
  ['a tag that is not there', () => begin({ tag: 'nothing' }), 404, 'nothing'],
  ['a collection that is not there', () => begin({ collection: 'VX-99' }), 404, 'VX-99'],
  ['metadata that is no document', () => begin({ metadata: '{"timespan":' }), 400, 'MetadataDocument'],
  ['a field that is not there', () => begin({ metadata: titled('x').replace('title', 'nothing') }), 404, 'nothing'],
  ['another word than true', () => begin({ import: 'yes' }), 400, 'import'],
])('refuses %s, and keeps nothing', async (_, sent, status, says) => {
  const world = await open();
  await prepare(world, [newUser(['writer', 'p'], ['_file_write'])]);
  const collection = await newCollection(world, admin);
  const answer = await world.send(sent(collection));
  expect([answer.status, answer.body], answer.body).toEqual([status, expect.stringContaining(says)]);
  for (const table of ['transfer', 'file', 'item', 'job']) expect(await count(world, table), table).toBe(0);
  expect([...world.from.staged.keys()]).toEqual([]);
});

it('hides an upload from others who import, and from its owner without the role', async () => {
  const world = await open();
  const at = await begun(world);
  expect((await world.send(patch(at, 0, hello, outsider))).status).toBe(404);
  await prepare(world, [ask(`DELETE /API/group/_import/user/${pageUser[0]}`, undefined, admin)]);
  expect((await world.send(patch(at, 0, hello))).status).toBe(403);
  expect(await count(world, 'item')).toBe(0);
});

it('makes no item in the name of a user who was disabled meanwhile', async () => {
  const world = await open();
  const at = await begun(world);
  await prepare(world, [ask(`DELETE /API/user/${pageUser[0]}`, undefined, admin)]);
  expect([(await world.send({ ...patch(at, 0, hello), as: admin })).status, await count(world, 'item')]).toEqual([
    204, 0,
  ]);
});
