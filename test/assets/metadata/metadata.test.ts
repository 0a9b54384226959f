import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { admin, type Credentials } from '../../support/service.ts';
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
  value,
} from './support.ts';

const xml = { accept: 'application/xml' };

describeMatrix('metadata over HTTP', ({ name: entry }) => {
  it('a PUT answers the item without its id, a GET with it and with what is computed', async () => {
    const world = await openMetadata(entry);
    const before = (await world.events()).at(-1)!.sequence;
    const put = await documentIn(world, by('PUT /item/VX-1/metadata', untimed(field('title', 'Harbour'))));
    const mark = { user: 'admin', change: 'VX-1', timestamp: expect.any(String), uuid: expect.any(String) };
    const title = { name: 'title', value: [{ value: 'Harbour', ...mark }], ...mark };
    const timespan = [{ field: [title], group: [], start: '-INF', end: '+INF' }];
    expect(put).toEqual({ item: [{ metadata: { revision: 'VX-1', timespan } }] });
    expect(Object.keys(title.value[0]!)).toContain('change');
    const get = await documentIn(world, by('GET /item/VX-1/metadata?field=title,__metadata_last_modified'));
    const computed = { name: '__metadata_last_modified', value: [{ value: expect.stringMatching(/Z$/) }] };
    expect(get).toEqual({
      item: [{ metadata: { revision: 'VX-1', timespan: [{ ...timespan[0], field: [title, computed] }] }, id: 'VX-1' }],
    });
    expect(await world.events(before)).toMatchObject([
      {
        name: 'metadata/modify',
        entity: 'VX-1',
        payload: {
          itemId: 'VX-1',
          changeSetId: 'VX-1',
          changes: [{ field: 'title', values: ['Harbour'], start: '-INF', end: '+INF' }],
        },
      },
    ]);
  });

  it('collections and global metadata answer the document itself, each from one code path', async () => {
    const world = await openMetadata(entry);
    const before = (await world.events()).at(-1)!.sequence;
    const put = await documentIn(world, by('PUT /collection/VX-1/metadata', untimed(field('title', 'a'))));
    expect(textsOf(put)).toEqual({ title: ['a'] });
    expect(await world.events(before)).toMatchObject([
      { name: 'collection/metadata/modify', payload: { collectionId: 'VX-1', changes: [{ field: 'title' }] } },
    ]);
    await sendWell(world, by('PUT /metadata', untimed(field('x_note', 'for all'))));
    expect(textsOf(await documentIn(world, by('GET /metadata?includeTransientMetadata=false')))).toEqual({
      x_note: ['for all'],
    });
    expect(await world.events(before)).toHaveLength(1);
  });

  it('reads XML of a client that has the timespan ahead of the group, a root of another name and modes', async () => {
    const world = await openMetadata(entry);
    const body = `<anything xmlns="http://xml.vidispine.com/schema/vidispine">
      <timespan start="50@PAL" end="125@PAL"><group mode="add"><name>Segment</name>
        <field><name>seg_title</name><value>Kick-off</value></field></group></timespan>
      <!-- a comment --><group>Film</group></anything>`;
    const sent = { ...by('PUT /item/VX-1/metadata', body), headers: { ...xml, 'content-type': 'application/xml' } };
    const answer = await sendWell(world, sent);
    expect(answer).toContain('<group>Film</group><timespan start="-INF" end="+INF">');
    expect(answer).toMatch(
      /<timespan start="50@PAL" end="125@PAL"><group uuid="[0-9a-f-]{36}" user="admin" timestamp="[^"]*Z" change="VX-1"><name>Segment/,
    );
  });

  it('a wrong document has its status, and an error with element, value and what was expected', async () => {
    const world = await openMetadata(entry);
    const refused = async (request: string, body?: object, as: Credentials = admin) => {
      const { status, body: text } = await world.send(by(request, body, as));
      const kinds = JSON.parse(text) as Record<string, object | null>;
      return [status, Object.values(kinds).find((kind) => kind !== null)];
    };
    expect(await refused('PUT /item/VX-1/metadata', untimed(field('field_three', 'a')))).toEqual([
      404,
      { type: 'metadata-field', id: 'field_three', context: null },
    ]);
    expect(await refused('PUT /item/VX-9/metadata', untimed(field('title', 'a')))).toMatchObject([
      404,
      { type: 'Item', id: 'VX-9' },
    ]);
    expect(await refused('PUT /item/VX-1/metadata', untimed(field('x_number', 'many')))).toMatchObject([
      400,
      { context: 'metadata', id: 'x_number', value: 'many' },
    ]);
    expect(await refused('PUT /item/VX-1/metadata', { timespan: [{ group: [{ name: 'Nobody' }] }] })).toMatchObject([
      404,
      { type: 'metadata-field-group', id: 'Nobody' },
    ]);
    expect(await refused('PUT /item/VX-1/metadata', { group: ['Nobody'] })).toMatchObject([404, {}]);
    expect(await refused('GET /item/VX-1/metadata?revision=VX-77')).toMatchObject([404, { id: 'VX-77' }]);
    expect(await refused('GET /item/VX-1/metadata?samplerate=fast')).toMatchObject([400, { value: 'fast' }]);
    expect(await refused('GET /item/VX-1/metadata?interval=2-1')).toMatchObject([400, { value: '2-1' }]);
    const ann: Credentials = ['ann', 'p'];
    await sendWell(world, { ...newUser(ann, ['_metadata_read', '_metadata_write']), headers: {} });
    expect(await refused('PUT /item/VX-1/metadata', untimed(field('title', 'a')), ann)).toMatchObject([
      403,
      { context: 'access' },
    ]);
  });
});

it('a PUT that changes nothing fires nothing, also without a body', async () => {
  const world = await openMetadata();
  const before = await putItem(world, untimed(field('title', 'a')));
  const { sequence } = (await world.events()).at(-1)!;
  expect(await putItem(world, untimed(field('title', 'a')))).toEqual(before);
  expect(await putItem(world, {})).toEqual(before);
  expect(await world.events(sequence)).toEqual([]);
  const log = await documentIn<{ changeSet: object[] }>(world, by('GET /item/VX-1/metadata/changes'));
  expect(log.changeSet).toHaveLength(1);
});

it('a reference shows what it leads to, is cut where it leads back, and ends empty', async () => {
  const world = await openMetadata();
  const put = await documentIn(world, by('PUT /metadata', untimed(field('x_note', 'shared'))));
  const { uuid } = put.timespan![0]!.field![0]!;
  const own = await putItem(world, untimed({ name: 'x_one', reference: uuid }));
  expect(own.timespan![0]!.field).toMatchObject([
    { name: 'x_one', referenced: { type: 'global', uuid }, value: [{ value: 'shared' }] },
  ]);
  await sendWell(world, by('PUT /metadata', untimed(field('x_note', 'changed'))));
  expect(textsOf(await getItem(world, '?field=x_one'))).toEqual({ x_one: ['changed'] });
  await putItem(world, await getItem(world));
  expect(textsOf(await getItem(world, '?field=x_one'))).toEqual({ x_one: ['changed'] });
  const itemField = own.timespan![0]!.field![0]!.uuid;
  await sendWell(world, by('PUT /metadata', untimed({ name: 'x_note', reference: itemField })));
  expect((await getItem(world, '?field=x_one')).timespan![0]!.field).toMatchObject([{ name: 'x_one', cycle: true }]);
  await sendWell(world, by('PUT /metadata', untimed({ name: 'x_note', mode: 'remove' })));
  const [gone] = (await getItem(world, '?field=x_one')).timespan![0]!.field!;
  expect(gone).toMatchObject({ name: 'x_one' });
  expect(gone).not.toHaveProperty('value');
  const missing = await world.send(by('PUT /item/VX-1/metadata', untimed({ name: 'x_two', reference: uuid })));
  expect([missing.status, missing.body]).toMatchObject([404, expect.stringContaining(uuid!)]);
});

it('groups that show each other do not make an answer without end', async () => {
  const world = await openMetadata();
  const put = await documentIn(
    world,
    by('PUT /metadata', { timespan: [{ group: [{ name: 'Show', field: [field('seg_title', 'a')] }] }] }),
  );
  const { uuid } = put.timespan![0]!.group![0]!;
  const again = {
    uuid,
    group: [
      { name: 'Segment', mode: 'add', reference: uuid },
      { name: 'Segment', mode: 'add', reference: uuid },
    ],
  };
  const answer = await documentIn(world, by('PUT /metadata', { timespan: [{ group: [again] }] }));
  expect(JSON.stringify(answer).match(/"cycle":true/g)).toHaveLength(4);
});

it('the parameter revision keeps both, and conflict=no shows the newest', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('title', 'a')));
  await putItem(world, untimed(field('title', 'b')));
  const both = await putItem(world, untimed(field('title', 'c')), '?revision=VX-1');
  expect(textsOf(both)).toEqual({ title: ['b', 'c'] });
  expect(textsOf(await getItem(world, '?conflict=no&field=title'))).toEqual({ title: ['c'] });
  expect(textsOf(await getItem(world, '?revision=VX-1&field=title'))).toEqual({ title: ['a'] });
  expect((await world.send(by('GET /item/VX-1/metadata?revision=VX-1,VX-99'))).status).toBe(404);
});

it('onlyReturnChanges answers what the document is about', async () => {
  const world = await openMetadata();
  await putItem(world, untimed(field('title', 'a'), field('x_note', 'n')));
  const group = [{ name: 'Segment', field: [field('seg_title', 's')] }];
  const answer = await putItem(
    world,
    { timespan: [{ field: [field('title', 'a')], group }] },
    '?onlyReturnChanges=true',
  );
  expect(textsOf(answer)).toEqual({ title: ['a'] });
  expect(answer.timespan![0]!.group).toMatchObject([{ name: 'Segment', field: [{ name: 'seg_title' }] }]);
});

it('PUTs at once on one item are all kept, each with its change set and its event', async () => {
  const world = await openMetadata();
  const { sequence } = (await world.events()).at(-1)!;
  const texts = ['a', 'b', 'c', 'd'];
  const answers = await Promise.all(
    texts.map((text) =>
      world.send(by('PUT /item/VX-1/metadata', untimed({ name: 'title', value: [value(text, { mode: 'add' })] }))),
    ),
  );
  const done = answers.filter(({ status }) => status === 200).length;
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(done).toBeGreaterThan(1);
  expect(textsOf(await getItem(world, '?field=title'))['title']).toHaveLength(done);
  const { changeSet } = await documentIn<{ changeSet: { id: string }[] }>(world, by('GET /item/VX-1/metadata/changes'));
  expect((await world.events(sequence)).map(({ payload }) => payload['changeSetId'])).toEqual(
    changeSet.map(({ id }) => id),
  );
});

it('an entry is changed by its uuid, read with where it is, and deleted', async () => {
  const world = await openMetadata();
  const put = await putItem(world, {
    timespan: [
      {
        start: '1',
        end: '2',
        field: [field('title', 'a', 'b')],
        group: [{ name: 'Segment', field: [field('seg_title', 's')] }],
      },
    ],
  });
  const span = put.timespan!.at(-1)!;
  const [title] = span.field!;
  const second = title!.value![1]!.uuid!;
  await sendWell(world, by(`PUT /item/VX-1/metadata/entry/${second}`, { value: { value: 'B' } }));
  const inGroup = span.group![0]!.field![0]!.uuid!;
  await sendWell(
    world,
    by('PUT /item/VX-1/metadata/entry', { entry: [{ uuid: inGroup, field: field('seg_title', 'S') }] }),
  );
  expect(textsOf(await getItem(world), '1')).toEqual({ title: ['a', 'B'] });
  expect(await documentIn(world, by(`GET /metadata/${second}`))).toMatchObject({
    value: { value: 'B', uuid: second, change: 'VX-2' },
    source: { type: 'item', id: 'VX-1', loc: expect.stringMatching(/\/API\/item\/VX-1$/) },
  });
  await sendWell(world, by(`DELETE /metadata/${title!.uuid}`));
  expect((await world.send(by(`GET /metadata/${second}`))).status).toBe(404);
  expect((await world.send(by(`PUT /item/VX-1/metadata/entry/${second}`, { value: { value: 'C' } }))).status).toBe(404);
  expect((await getItem(world)).timespan).toMatchObject([{}, { group: [{ field: [{ value: [{ value: 'S' }] }] }] }]);
});

it('a field moves to another timespan, a part of a group does not', async () => {
  const world = await openMetadata();
  const put = await putItem(world, {
    timespan: [{ field: [field('title', 'a')], group: [{ name: 'Segment', field: [field('seg_title', 's')] }] }],
  });
  const [span] = put.timespan!;
  const { sequence } = (await world.events()).at(-1)!;
  await sendWell(world, by(`PUT /item/VX-1/metadata/move?uuid=${span!.field![0]!.uuid}&start=10@PAL&end=20@PAL`));
  expect(textsOf(await getItem(world), '10@PAL')).toEqual({ title: ['a'] });
  expect(await world.events(sequence)).toMatchObject([
    {
      payload: {
        changes: [
          { field: 'title', values: ['a'], start: '10@PAL' },
          { field: 'title', values: [], start: '-INF' },
        ],
      },
    },
  ]);
  for (const uuid of [span!.group![0]!.field![0]!.uuid, span!.field![0]!.value![0]!.uuid]) {
    expect((await world.send(by(`PUT /item/VX-1/metadata/move?uuid=${uuid}&start=1&end=2`))).status).toBe(400);
  }
});

it('while one user holds a field, others are refused until the lock ends', async () => {
  const world = await openMetadata();
  const ann: Credentials = ['ann', 'p'];
  await sendWell(world, newUser(ann, ['_administrator']));
  const lock = await documentIn<{ id: string }>(
    world,
    by('POST /item/VX-1/metadata-lock?field=title&timeout=60', undefined, ann),
  );
  expect(lock).toMatchObject({ user: 'ann', field: ['title'] });
  const put = (name: string, as?: Credentials) =>
    world.send(by('PUT /item/VX-1/metadata', untimed(field(name, 'a')), as));
  expect([(await put('title')).status, (await put('x_note')).status, (await put('title', ann)).status]).toEqual([
    409, 200, 200,
  ]);
  expect((await world.send(by('POST /item/VX-1/metadata-lock'))).status).toBe(409);
  await sendWell(world, by(`PUT /item/VX-1/metadata-lock/${lock.id}?timeout=120`, undefined, ann));
  expect(await documentIn(world, by('GET /item/VX-1/metadata-lock'))).toMatchObject({
    lock: [{ id: lock.id, field: ['title'] }],
  });
  await world.clock.advance(121_000);
  expect((await world.send(by('PUT /item/VX-1/metadata', untimed(field('title', 'b'))))).status).toBe(200);
  expect((await world.send(by(`GET /item/VX-1/metadata-lock/${lock.id}`))).status).toBe(404);
  const mine = await documentIn<{ id: string }>(world, by('POST /item/VX-1/metadata-lock'));
  await sendWell(world, by(`DELETE /item/VX-1/metadata-lock/${mine.id}`));
  expect(await documentIn(world, by('GET /item/VX-1/metadata-lock'))).toEqual({ lock: [] });
});

it('ids of change sets of an entity go up, whichever instance gives them out', async () => {
  const world = await openMetadata();
  await entityRows(world, 2);
  await putItem(world, untimed(field('title', 'a')));
  const past = { sql: 'UPDATE metadata_state SET newest = 70', args: [] };
  await world.service.store.commit({ changes: [past], events: [] }, { user: 'test' });
  const { revision } = await putItem(world, untimed(field('title', 'b')));
  expect(Number(revision!.slice(3))).toBeGreaterThan(70);
});
