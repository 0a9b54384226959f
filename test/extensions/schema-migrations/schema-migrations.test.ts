import { expect, it } from 'vitest';
import type { MetadataDocumentValue, MetadataListValue } from '../../../src/assets/metadata/documents.ts';
import {
  by,
  documentIn,
  field,
  getItem,
  openMetadata,
  putItem,
  sendWell,
  textsOf,
  untimed,
} from '../../assets/metadata/support.ts';
import { newUser } from '../../support/cast.ts';
import type { World } from '../../support/matrix.ts';
import type { Credentials } from '../../support/service.ts';

interface Migration {
  readonly id: number;
  readonly done: boolean;
  readonly migrationsLeft: number;
}

const path = '/metadata/migration';
const start = (world: World, document: object): Promise<string> =>
  sendWell(world, { ...by(`POST ${path}`, document), headers: { accept: 'text/plain' } });
const own = (document: MetadataDocumentValue) =>
  Object.fromEntries(Object.entries(textsOf(document)).filter(([name]) => !name.startsWith('__')));
const state = (world: World, id = '1'): Promise<Migration> => documentIn(world, by(`GET ${path}/${id}`));
async function work(world: World): Promise<void> {
  await world.clock.advance(2000);
  await world.service.tick(10_000);
}
const named = (name: string) => ({ field: { name } });
const group = (name: string, inside: object = {}) => ({ group: { name, ...inside } });
const inGroup = (name: string, field: string) => group(name, { field: [{ name: field }] });
const rename = { rename: [{ from: named('x_note'), to: 'x_remark' }] };

const withGroup = (name: string, ...fields: object[]): MetadataDocumentValue => ({
  timespan: [{ field: [field('x_one', '1')], group: [{ name, field: fields }] }],
});

it('renames a field: values keep their uuids, users and times, and the definition keeps what it has', async () => {
  const world = await openMetadata();
  await sendWell(world, by('PUT /metadata-field/field-group/Film/x_note'));
  await sendWell(world, by('PUT /metadata-field/x_note/values', { field: [{ key: 'a' }] }));
  await sendWell(world, by('PUT /metadata-field/x_note/metadata/k', 'v'));
  await sendWell(world, by('PUT /external-id/ns', { pattern: 'ext.*' }));
  await sendWell(world, by('PUT /metadata-field/x_note/external-id/ext1'));
  const before = await putItem(world, untimed(field('x_note', 'harbour'), field('title', 't')));
  await sendWell(world, by('PUT /collection/VX-1/metadata', untimed(field('x_note', 'quay'))));
  const { sequence } = (await world.events()).at(-1)!;

  expect(await start(world, rename)).toBe('1');
  expect(await state(world)).toMatchObject({ id: 1, done: false, migrationsLeft: 2, ...rename });
  await work(world);
  expect(await state(world)).toMatchObject({ done: true, migrationsLeft: 0 });
  expect(await documentIn(world, by(`GET ${path}`))).toMatchObject({ migration: [{ id: 1, done: true }] });

  const after = await getItem(world);
  expect(own(after)).toEqual({ x_remark: ['harbour'], title: ['t'] });
  const [old, now] = [before, after].map(
    (each) => each.timespan![0]!.field!.find(({ name }) => /note|remark/.test(name!))!,
  );
  expect(now!.uuid).toBe(old!.uuid);
  expect(now!.value).toEqual(old!.value);
  const events = (await world.events(sequence)).filter(({ name }) => name.endsWith('metadata/modify'));
  expect(events.map(({ payload }) => payload['changes'])).toEqual([
    expect.arrayContaining([
      expect.objectContaining({ field: 'x_remark', values: ['quay'] }),
      expect.objectContaining({ field: 'x_note', values: [] }),
    ]),
    expect.arrayContaining([
      expect.objectContaining({ field: 'x_remark', values: ['harbour'] }),
      expect.objectContaining({ field: 'x_note', values: [] }),
    ]),
  ]);
  const search = (name: string) =>
    documentIn<{ hits: number }>(world, by('PUT /item', { field: [{ name, value: [{ value: 'harbour' }] }] }));
  expect((await search('x_remark')).hits).toBe(1);
  expect(await documentIn(world, by('GET /metadata-field/ext1?data=all'))).toMatchObject({
    name: 'x_remark',
    data: [
      { key: 'k', value: 'v' },
      { key: '__values', value: expect.stringContaining('<key>a</key>') },
    ],
  });
  expect(await documentIn(world, by('GET /metadata-field/field-group/Film?includeValues=true'))).toMatchObject({
    field: [{ name: 'x_remark', values: { field: [{ key: 'a' }] } }],
  });
  expect((await world.send(by('GET /metadata-field/x_note'))).status).toBe(404);
});

it('is a change set like others: an earlier one can be undone, and what was written by the old name has the new one', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('x_one', '1')));
  await putItem(world, untimed(field('x_note', 'n')));
  await start(world, rename);
  await work(world);
  expect(textsOf(await documentIn(world, by('DELETE /item/VX-1/metadata/changes/VX-1')))).toEqual({ x_remark: ['n'] });
  const compared = await documentIn(world, by('GET /item/VX-1/metadata/changes/VX-3/compareTo/previous'));
  expect(compared.timespan![0]!.field!.map(({ name }) => name)).toContain('x_remark');
  expect((await world.send(by('DELETE /item/VX-1/metadata/changes/VX-3'))).status).toBe(400);
});

it('renames a group with all its instances, main groups, queries of libraries and the schema', async () => {
  const world = await openMetadata();
  await sendWell(world, by('PUT /metadata-field/field-group/Show/group/Film'));
  await putItem(world, { group: ['Film'], ...withGroup('Film', { name: 'x_note', value: [{ value: 'n' }] }) });
  const schema = (name: string, member: string) => ({ group: [{ name, field: [{ name: member }] }] });
  await sendWell(world, by('PUT /metadata-schema', schema('Film', 'x_note')));
  const query = { field: [{ name: 'x_note', value: [{ value: 'n' }] }], group: [{ name: 'Film' }] };
  await sendWell(world, by('PUT /item?result=library&autoRefresh=true', query));
  await start(world, { rename: [{ from: group('Film'), to: 'Movie' }, ...rename.rename] });
  await work(world);
  const { timespan, group: main } = await getItem(world);
  expect(main).toEqual(['Movie']);
  expect(timespan![0]!.group).toMatchObject([{ name: 'Movie', field: [{ name: 'x_remark' }] }]);
  expect(await documentIn(world, by('GET /metadata-field/field-group/Show'))).toMatchObject({
    group: [{ name: 'Movie' }],
  });
  expect(await documentIn(world, by('GET /metadata-schema'))).toMatchObject(schema('Movie', 'x_remark'));
  const [[stored] = []] = await world.service.store.read('SELECT query FROM library_query');
  expect(JSON.parse(String(stored))).toMatchObject({ field: [{ name: 'x_remark' }], group: [{ name: 'Movie' }] });
});

it('moves a field out of a group, into another one and to the first level, in definitions and metadata', async () => {
  const world = await openMetadata();
  await sendWell(world, by('PUT /metadata-field/field-group/Film/x_note'));
  await putItem(world, withGroup('Film', { name: 'x_note', value: [{ value: 'n' }] }));
  await start(world, { move: [{ from: inGroup('Film', 'x_note'), to: group('Show'), type: 'field' }] });
  await work(world);
  const { timespan } = await getItem(world);
  expect(timespan![0]!.group).toMatchObject([
    { name: 'Film' },
    { name: 'Show', field: [{ name: 'x_note', value: [{ value: 'n', change: 'VX-1' }] }] },
  ]);
  expect(timespan![0]!.group![0]!.field ?? []).toEqual([]);
  const members = async (name: string) =>
    (await documentIn<{ field?: { name: string }[] }>(world, by(`GET /metadata-field/field-group/${name}`))).field ??
    [];
  expect([await members('Film'), await members('Show')]).toMatchObject([[], [{ name: 'x_note' }]]);
  await start(world, { move: [{ from: inGroup('Show', 'x_note'), to: named('x_note') }] });
  await work(world);
  expect(own(await getItem(world))).toEqual({ x_one: ['1'], x_note: ['n'] });
  expect(await members('Show')).toEqual([]);
});

it('deletes a field with its values, a group with all in it, and one field of a group alone', async () => {
  const world = await openMetadata();
  const inFilm = [
    { name: 'x_note', value: [{ value: 'n' }] },
    { name: 'x_two', value: [{ value: '2' }] },
  ];
  await putItem(world, withGroup('Film', ...inFilm));
  await start(world, { delete: [{ target: inGroup('Film', 'x_two') }, { target: named('x_one'), type: 'FIELD' }] });
  await work(world);
  const { timespan } = await getItem(world);
  expect(timespan).toMatchObject([{ group: [{ name: 'Film', field: [{ name: 'x_note' }] }] }]);
  expect(own(await getItem(world))).toEqual({});
  expect((await world.send(by('GET /metadata-field/x_two'))).status).toBe(200);
  expect((await world.send(by('GET /metadata-field/x_one'))).status).toBe(404);
  await start(world, { delete: [{ target: group('Film') }] });
  await work(world);
  expect((await getItem(world)).timespan![0]!.group ?? []).toEqual([]);
  expect((await world.send(by('GET /metadata-field/field-group/Film'))).status).toBe(404);
});

it('answers the id of its own migration where a client sends the id of a request again', async () => {
  const world = await openMetadata();
  const headers = { accept: 'text/plain', 'x-request-id': 'the-same' };
  const ids: string[] = [];
  for (const to of ['x_second', 'x_third']) {
    const document = { rename: [{ from: named(ids.length === 0 ? 'x_note' : 'x_second'), to }] };
    ids.push(await sendWell(world, { ...by(`POST ${path}`, document), headers }));
  }
  expect(ids).toEqual(['1', '2']);
});

it('goes on in steps where it stood, and changes what was written meanwhile', async () => {
  const world = await openMetadata();
  const { service } = world;
  await putItem(world, untimed(field('x_note', 'n')));
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 1150)';
  const items = {
    sql: `${numbers} INSERT INTO item (id, serial, created_at) SELECT 'VX-' || i, i, 0 FROM n`,
    args: [],
  };
  const copies = {
    sql: `${numbers}
      INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
      SELECT 'item', 'VX-' || i, 1, 1, 0, doc FROM n CROSS JOIN metadata_state WHERE owner_id = 'VX-1'`,
    args: [],
  };
  await service.store.commit({ changes: [items, copies], events: [] }, { user: 'test' });
  const first = await start(world, rename);
  await start(world, { rename: [{ from: named('x_remark'), to: 'x_comment' }] });
  expect((await state(world)).migrationsLeft).toBe(152);
  await work(world);
  expect(await state(world, first)).toMatchObject({ done: true });
  expect(await state(world, '2')).toMatchObject({ done: true, migrationsLeft: 0 });
  const count = async (word: string) =>
    (await service.store.read(`SELECT count(*) FROM metadata_state WHERE instr(doc, ?)`, [`"${word}"`]))[0]![0];
  expect([await count('x_note'), await count('x_remark'), await count('x_comment')]).toEqual([0, 0, 151]);
});

it('finds the name in long metadata, and leaves a value alone that is like it', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('x_one', 'x'.repeat(60_000), 'x_note', '"x_note"'), field('x_note', 'n')));
  await start(world, rename);
  await work(world);
  const { x_one: texts, ...others } = own(await getItem(world));
  expect([texts!.slice(1), others]).toEqual([['x_note', '"x_note"'], { x_remark: ['n'] }]);
});

it('keeps a closed field closed until no metadata has its old name, and its name taken', async () => {
  const world = await openMetadata();
  const ann: Credentials = ['ann', 'p'];
  await sendWell(world, newUser(ann, ['_metadata_read', '_item_read']));
  await sendWell(world, by('POST /item/VX-1/access', { user: 'ann', permission: 'READ' }));
  await sendWell(world, by('POST /metadata-field/x_note/access', { user: 'admin', permission: 'DELETE' }));
  await putItem(world, untimed(field('x_note', 'secret')));
  const seen = async () => {
    const { item } = await documentIn<MetadataListValue>(world, by('GET /item/VX-1/metadata', undefined, ann));
    return JSON.stringify(item);
  };
  expect(await seen()).not.toContain('secret');
  await start(world, rename);
  expect(await seen()).not.toContain('secret');
  expect((await world.send(by('PUT /metadata-field/x_note', { type: 'string' }))).status).toBe(409);
  expect((await world.send(by('PUT /item/VX-1/metadata', untimed(field('x_note', 'late'))))).status).toBe(404);
  await work(world);
  expect(await seen()).not.toContain('secret');
  expect(own(await getItem(world))).toEqual({ x_remark: ['secret'] });
  await sendWell(world, by('PUT /metadata-field/x_note', { type: 'string' }));
  const kept = await world.service.store.read(`SELECT name FROM metadata_field_access`);
  expect(kept).toEqual([['x_remark']]);
});

it('refuses what cannot be, at once and as a whole', async () => {
  const world = await openMetadata();
  await sendWell(world, by('PUT /metadata-field/field-group/Film/group/Show'));
  const refused: readonly (readonly [object, number])[] = [
    [{}, 400],
    [{ rename: [{ from: named('x_nothing'), to: 'x_remark' }] }, 404],
    [{ rename: [{ from: named('x_note'), to: 'x_one' }] }, 409],
    [{ rename: [{ from: named('x_note'), to: 'plain' }] }, 400],
    [{ rename: [{ from: named('title'), to: 'x_title' }] }, 400],
    [{ rename: [{ from: named('x_note'), to: 'x_note' }] }, 400],
    [{ rename: [{ from: inGroup('Film', 'x_note'), to: 'x_remark' }] }, 400],
    [{ rename: [...rename.rename, { from: named('x_remark'), to: 'x_again' }] }, 400],
    [{ rename: [{ from: group('Film'), to: 'Show' }] }, 409],
    [{ rename: [{ from: {}, to: 'x_remark' }] }, 400],
    [{ move: [{ from: named('x_note'), to: group('Nothing') }] }, 404],
    [{ move: [{ from: named('x_note'), to: named('x_one') }] }, 400],
    [{ move: [{ from: named('x_note'), to: named('x_note') }] }, 400],
    [{ move: [{ from: group('Film'), to: group('Show') }] }, 400],
    [{ move: [{ from: named('x_note'), to: group('Film'), type: 'group' }] }, 400],
    [{ delete: [{ target: named('itemId') }] }, 400],
    [{ delete: [{ target: group('Nothing') }] }, 404],
    [{ ...rename, delete: [{ target: named('x_nothing') }] }, 404],
    [{ delete: [{ target: group('Film', { field: [{ name: 'x_one' }, { name: 'x_two' }] }) }] }, 400],
  ];
  for (const [document, status] of refused) {
    const answer = await world.send({ ...by(`POST ${path}`, document), headers: {} });
    expect([document, answer.status]).toEqual([document, status]);
  }
  expect(await world.service.store.read('SELECT id FROM schema_migration')).toEqual([]);
  expect((await world.send(by('GET /metadata-field/x_note'))).status).toBe(200);
  for (const id of ['1', 'x', '-1']) expect((await world.send(by(`GET ${path}/${id}`))).status).toBe(404);
});
