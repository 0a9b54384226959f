import { expect, it } from 'vitest';
import type {
  MetadataDocumentValue,
  MetadataField,
  MetadataListValue,
} from '../../../src/assets/metadata/documents.ts';
import { alice, newUser } from '../../support/cast.ts';
import type { World } from '../../support/matrix.ts';
import {
  by,
  documentIn,
  entityRows,
  field,
  getItem,
  openMetadata,
  putItem,
  sendWell,
  textsOf,
  untimed,
} from './support.ts';

const metadata = '/item/VX-1/metadata';
const roles = [
  ...['_item_write', '_metadata_write', '_metadata_read', '_collection_write', '_collection_read', '_import'],
  ...['_metadata_lock_write', '_metadata_global_write'],
];

/** alice may do everything with an item and a collection, and only reads the field x_one. */
async function openRights(permission = 'READ'): Promise<World> {
  const world = await openMetadata();
  await sendWell(world, newUser(alice, roles));
  for (const kind of ['item', 'collection']) {
    await sendWell(world, by(`POST /${kind}/VX-1/access`, { user: 'alice', permission: 'ALL' }));
  }
  await sendWell(world, by('POST /metadata-field/x_one/access', { user: 'alice', permission }));
  await putItem(world, untimed(field('title', 'a'), field('x_one', '1')));
  return world;
}

async function refused(world: World, request: string, body?: object, level = 'WRITE'): Promise<void> {
  const answer = await world.send(by(request, body, alice));
  expect([answer.status, answer.body]).toEqual([403, expect.stringContaining(`the right ${level} in \\"x_one\\"`)]);
}

const own = async (world: World) => textsOf(await getItem(world));

it('the undoing of a change set removes no field that the caller may not remove', async () => {
  const world = await openRights('WRITE');
  await refused(world, `DELETE ${metadata}/changes/VX-1`, undefined, 'DELETE');
  await refused(world, `PUT ${metadata}/changes/VX-1`, untimed(field('title', 'b')), 'DELETE');
  const sets = { changeSet: [{ id: 'VX-1', metadata: untimed(field('title', 'b')) }] };
  await refused(world, `PUT ${metadata}/changes`, sets, 'DELETE');
  expect(await own(world)).toMatchObject({ title: ['a'], x_one: ['1'] });
  await sendWell(world, by(`PUT ${metadata}/changes/VX-1`, untimed(field('title', 'b'), field('x_one', '2')), alice));
  expect(await own(world)).toMatchObject({ title: ['b'], x_one: ['2'] });
});

it('the undoing of a change set changes no value that the caller may not write', async () => {
  const world = await openRights();
  await putItem(world, untimed(field('x_one', '2')));
  await refused(world, `DELETE ${metadata}/changes/VX-2`);
  await putItem(world, untimed(field('x_one', '3')));
  // The value is another one since: only the log would change.
  await refused(world, `DELETE ${metadata}/changes/VX-2`);
  await putItem(world, untimed(field('title', 'b')), '', alice);
  await sendWell(world, by(`DELETE ${metadata}/changes/VX-4`, undefined, alice));
  expect(await own(world)).toMatchObject({ title: ['a'], x_one: ['3'] });
});

it('no field moves to another timespan by a caller who may not write it', async () => {
  const world = await openRights();
  await putItem(world, { timespan: [{ group: [{ name: 'Segment', field: [field('x_one', 'in')] }] }] });
  const [{ field: fields = [], group = [] }] = (await getItem(world)).timespan as [MetadataTimespan];
  for (const { uuid } of [fields.find(({ name }) => name === 'x_one')!, group[0]!]) {
    await refused(world, `PUT ${metadata}/move?uuid=${uuid}&start=0&end=5`);
  }
  const { uuid } = fields.find(({ name }) => name === 'title')!;
  await sendWell(world, by(`PUT ${metadata}/move?uuid=${uuid}&start=0&end=5`, undefined, alice));
});

it('a new item or collection has no field that its maker may not write', async () => {
  const world = await openRights();
  const document = untimed(field('title', 't'), field('x_one', '1'));
  await refused(world, 'POST /import/placeholder?container=1', document);
  await refused(world, 'POST /collection', { name: 'c', metadata: document });
  await refused(world, 'PUT /collection/VX-1?clear=false', { metadata: document });
  await sendWell(world, by('PUT /collection/VX-1', { name: 'd', metadata: untimed(field('x_two', '2')) }, alice));
  const answer = await documentIn(world, by('GET /collection/VX-1/metadata'));
  expect(textsOf(answer)).toMatchObject({ title: ['d'], x_two: ['2'] });
});

it('no reference leads to what the caller may not read, as anybody can compute a uuid', async () => {
  const world = await openRights('NONE');
  await putItem(world, {
    timespan: [{ group: [{ name: 'Segment', field: [field('x_one', 'in'), field('x_two', 'b')] }] }],
  });
  const [{ field: fields = [], group = [] }] = (await getItem(world)).timespan as [MetadataTimespan];
  const uuidOf = (wanted: string) => fields.find(({ name }) => name === wanted)!.uuid!;
  const refer = (reference: string) =>
    world.send(by('PUT /collection/VX-1/metadata', untimed({ name: 'x_note', reference }), alice));
  expect((await refer(uuidOf('x_one'))).status).toBe(404);
  const whole = { timespan: [{ group: [{ name: 'Segment', reference: group[0]!.uuid! }] }] };
  expect((await world.send(by('PUT /collection/VX-1/metadata', whole, alice))).status).toBe(404);
  expect((await refer(uuidOf('title'))).status).toBe(200);
  await entityRows(world, 2);
  await sendWell(world, by('PUT /item/VX-2/metadata', untimed(field('x_two', 'of others'))));
  const { item } = await documentIn<MetadataListValue>(world, by('GET /item/VX-2/metadata?field=x_two'));
  const { uuid } = item![0]!.metadata!.timespan![0]!.field![0]!;
  expect((await refer(uuid!)).status).toBe(404);
  expect((await world.send(by('PUT /collection/VX-1/metadata', whole))).status).toBe(200);
});

/** Groups of the item, one in the other: alice may not write the field x_one in the inner one. */
const nested = (...fields: readonly MetadataField[]): MetadataDocumentValue => ({
  timespan: [{ group: [{ name: 'Show', group: [{ name: 'Segment', field: [...fields] }] }] }],
});
type Group = NonNullable<MetadataTimespan['group']>[number];
async function groupsOf(world: World): Promise<readonly [outer: Group, inner: Group]> {
  const [{ group = [] }] = (await getItem(world)).timespan as [MetadataTimespan];
  return [group[0]!, group[0]!.group![0]!];
}
const kept = async (world: World) => JSON.stringify((await groupsOf(world))[1].field?.map(({ name }) => name));

it('no group takes a field away that the caller may not remove', async () => {
  const world = await openRights('WRITE');
  await putItem(world, nested(field('x_one', 'in'), field('x_two', 'b')));
  const [outer, inner] = await groupsOf(world);
  const put = (group: object) => ({ timespan: [{ group: [group] }] });
  for (const [request, body] of [
    [`PUT ${metadata}`, put({ name: 'Show', mode: 'remove' })],
    [`PUT ${metadata}`, put({ uuid: outer.uuid, mode: 'remove' })],
    [`PUT ${metadata}`, put({ uuid: inner.uuid, mode: 'remove' })],
    [`PUT ${metadata}`, put({ name: 'Show', group: [{ name: 'Segment', mode: 'remove' }] })],
    [`PUT ${metadata}`, put({ uuid: outer.uuid, reference: inner.uuid })],
    [`PUT ${metadata}`, { timespan: [{ start: '-INF', end: '+INF' }] }],
    [`PUT ${metadata}/entry`, { entry: [{ uuid: outer.uuid, group: { mode: 'remove' } }] }],
    [`PUT ${metadata}/entry/${inner.uuid}`, { group: { mode: 'remove' } }],
    [`DELETE /metadata/${outer.uuid}`, undefined],
  ] as const) {
    await refused(world, request, body, 'DELETE');
    expect(await kept(world), request).toBe('["x_one","x_two"]');
  }
  const path = `PUT ${metadata}?skipForbidden=true`;
  const both = { timespan: [{ field: [field('title', 'b')], group: [{ name: 'Show', mode: 'remove' }] }] };
  await sendWell(world, by(path, both, alice));
  expect([await kept(world), (await own(world))['title']]).toEqual(['["x_one","x_two"]', ['b']]);
  await sendWell(world, by(`PUT ${metadata}`, put({ uuid: inner.uuid, field: [{ name: 'x_two' }] }), alice));
  expect(await kept(world)).toBe('["x_one"]');
});

it('a right on one field of an item takes no other field away with its group', async () => {
  const world = await openRights('DELETE');
  await putItem(world, nested(field('x_one', 'in'), field('x_two', 'b')));
  const entries = await documentIn<{ access: { id: string; user?: string }[] }>(world, by('GET /item/VX-1/access'));
  for (const { id, user } of entries.access)
    if (user === 'alice') await sendWell(world, by(`DELETE /item/VX-1/access/${id}`));
  const operation = { metadata: { field: 'title' } };
  await sendWell(world, by('POST /item/VX-1/access', { user: 'alice', permission: 'WRITE', operation }));
  const [outer] = await groupsOf(world);
  for (const [request, body] of [
    [`PUT ${metadata}`, { timespan: [{ group: [{ name: 'Show', mode: 'remove' }] }] }],
    [`PUT ${metadata}`, { timespan: [{ start: '-INF', end: '+INF' }] }],
    [`DELETE /metadata/${outer.uuid}`, undefined],
    [`POST ${metadata}-lock`, undefined],
    [`POST ${metadata}-lock?field=title,x_two`, undefined],
    [`GET ${metadata}/bulky`, undefined],
    [`PUT ${metadata}/bulky/key`, 'text'],
    [`DELETE ${metadata}/bulky`, undefined],
  ] as const) {
    const headers = typeof body === 'string' ? { headers: { 'content-type': 'text/plain' } } : {};
    expect((await world.send({ ...by(request, body, alice), ...headers })).status, request).toBe(403);
  }
  expect(await kept(world)).toBe('["x_one","x_two"]');
  await sendWell(world, by(`POST ${metadata}-lock?field=title`, undefined, alice));
  await sendWell(world, by(`PUT ${metadata}`, untimed(field('title', 'b')), alice));
});

it('a uuid leads to no field in a group that is closed to the caller', async () => {
  const world = await openRights('DELETE');
  await putItem(world, nested(field('x_two', 'b')));
  await sendWell(world, by('POST /metadata-field/field-group/Show/access', { user: 'alice', permission: 'READ' }));
  const [, inner] = await groupsOf(world);
  const { uuid, value = [] } = inner.field![0]!;
  const changed = { value: [{ value: 'c' }] };
  const put = (content: object) => ({ timespan: [content] });
  for (const [request, body] of [
    [`PUT ${metadata}`, put({ field: [{ uuid, ...changed }] })],
    [`PUT ${metadata}`, put({ field: [{ value: [{ uuid: value[0]!.uuid, value: 'c' }] }] })],
    [`PUT ${metadata}`, put({ group: [{ uuid: inner.uuid, field: [{ name: 'x_two', ...changed }] }] })],
    [`PUT ${metadata}`, put({ group: [{ name: 'Show', mode: 'remove' }] })],
    [`PUT ${metadata}/entry/${uuid}`, { field: changed }],
    [`DELETE /metadata/${uuid}`, undefined],
  ] as const)
    expect((await world.send(by(request, body, alice))).status, request).toBe(403);
  expect(JSON.stringify(await getItem(world))).not.toContain('"c"');
});

it('the document of a collection and its new name pass by no metadata lock', async () => {
  const world = await openRights();
  await sendWell(world, by('POST /collection/VX-1/metadata-lock?field=title,x_two'));
  for (const [request, body] of [
    ['PUT /collection/VX-1/rename?name=e', undefined],
    ['PUT /collection/VX-1', { name: 'e' }],
    ['PUT /collection/VX-1', { metadata: untimed(field('x_two', '2')) }],
  ] as const) {
    expect((await world.send(by(request, body, alice))).status).toBe(409);
  }
});

type MetadataTimespan = NonNullable<MetadataDocumentValue['timespan']>[number];
