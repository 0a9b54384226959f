import { expect, it } from 'vitest';
import { join, newCollection, newItem } from '../../support/assets.ts';
import { describeMatrix, type World } from '../../support/matrix.ts';
import { by, json, send, xml } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { givenTo, owner } from '../../support/world.ts';

/** The forms in which items, collections and their metadata are read. All rows read one service. */

const named = (name: string, ...texts: readonly string[]) => ({ name, value: texts.map((value) => ({ value })) });

async function fill(world: World): Promise<void> {
  for (const sent of givenTo('assets')) await send(world, sent);
  for (const name of ['x_note', 'x_secret'])
    await send(world, by(`PUT /API/metadata-field/${name}`, { type: 'string' }));
  await send(world, by('PUT /API/metadata-field/field-group/Segment'));
  await send(world, newItem('?container=1', owner));
  const timespan = [
    { field: [named('title', 'Harbour <&>'), named('x_note', ''), named('x_secret', 's')] },
    { start: '50@PAL', end: '125@PAL', group: [{ name: 'Segment', field: [named('x_note', 'a', 'b')] }] },
  ];
  await send(world, by('PUT /API/item/VX-1/metadata', { timespan }));
  await send(world, newCollection('?name=Films', owner));
  await send(world, join('VX-1', 'VX-1'));
}

const all = { start: '-INF', end: '+INF' };
const uuid = expect.stringMatching(/^[\da-f-]{36}$/);

interface Row {
  readonly name: string;
  readonly get: string;
  readonly as?: Credentials;
  readonly status?: number;
  readonly json?: unknown;
  readonly jsonPart?: object;
  readonly contains?: readonly string[];
  readonly lacks?: readonly string[];
  readonly headers?: typeof json;
}

const rows: readonly Row[] = [
  {
    name: 'clients.md 3.51: terse metadata of an item has every value with its time codes, also the empty one',
    get: '/item/VX-1?content=metadata&terse=true&field=title,x_note&includeTransientMetadata=false',
    json: {
      id: 'VX-1',
      terse: {
        title: [{ ...all, uuid, value: 'Harbour <&>' }],
        x_note: [
          { ...all, uuid, value: '' },
          { start: '50@PAL', end: '125@PAL', uuid, value: 'a' },
          { start: '50@PAL', end: '125@PAL', uuid, value: 'b' },
        ],
      },
    },
  },
  {
    name: 'a value of the terse form has its keys in the order end, start, uuid, value',
    get: '/item/VX-1?content=metadata&terse=yes&field=__shape_size',
    contains: ['{"terse":{"__shape_size":[{"end":"+INF","start":"-INF","uuid":"","value":"1"}]},"id":"VX-1"}'],
  },
  {
    name: 'clients.md 3.51: shapes come in full beside terse metadata',
    get: '/item/VX-1?content=shape,metadata&terse=true&field=title',
    jsonPart: { terse: { title: [{ value: 'Harbour <&>' }] } },
    lacks: ['"metadata"'],
  },
  {
    name: 'terse metadata in XML has an element for each value, named by its field',
    get: '/item/VX-1?content=metadata&terse=yes&field=title',
    headers: xml,
    contains: ['<terse><title end="+INF" start="-INF" uuid="', '">Harbour &lt;&amp;&gt;</title></terse>'],
  },
  {
    name: 'terse metadata calls no element of XML by what is no name: an alias is coded',
    get: '/item/VX-1?content=metadata&terse=yes&field=title:a%3E%20b',
    headers: xml,
    contains: ['<a_x003E__x0020_b end='],
    lacks: ['<a> b'],
  },
  {
    name: 'the metadata route answers the terse form as a list of items',
    get: '/item/VX-1/metadata?terse=yes&field=title',
    json: { item: [{ title: [{ ...all, uuid, value: 'Harbour <&>' }], id: 'VX-1' }] },
  },
  {
    name: 'a page of items has the terse form',
    get: '/item?content=metadata&terse=true&field=title',
    jsonPart: { item: [{ terse: { title: [{ value: 'Harbour <&>' }] }, id: 'VX-1', ...all }] },
  },
  {
    name: 'a collection has terse metadata',
    get: '/collection/VX-1?content=metadata&terse=true&field=title',
    jsonPart: { name: 'Films', terse: { title: [{ value: 'Films' }] } },
    lacks: ['"metadata"'],
  },
  {
    name: 'a content path leads to values, with the names of what is around them',
    get: '/item/VX-1?p=metadata.timespan[start=-INF].field[name=title].value.value',
    json: {
      metadata: { timespan: [{ field: [{ name: 'title', value: [{ value: 'Harbour <&>' }] }], ...all }] },
      id: 'VX-1',
    },
  },
  {
    name: 'content paths take the place of content and filters, and join',
    get: '/item/VX-1?content=shape&field=x_note&p=access,metadata.timespan.group[name=Segment].field.value.value',
    json: {
      metadata: {
        timespan: [
          { group: [], ...all },
          {
            group: [{ name: 'Segment', field: [{ name: 'x_note', value: [{ value: 'a' }, { value: 'b' }] }] }],
            start: '50@PAL',
            end: '125@PAL',
          },
        ],
      },
      access: ['GENERIC', 'METADATA', 'SHAPE', 'URI'].map((type) => ({ type, permission: 'ALL' })),
      id: 'VX-1',
    },
  },
  {
    name: 'a content path finds a value of a filter only where it is whole',
    get: '/item/VX-1?p=metadata.timespan[start=-IN].field',
    json: { metadata: { timespan: [] }, id: 'VX-1' },
  },
  {
    name: 'a content path that begins with no part of the document is 400',
    get: '/item/VX-1?p=constructor.name',
    status: 400,
    jsonPart: { invalidInput: { id: 'p', value: 'constructor' } },
  },
  {
    name: 'a malformed content path is 400',
    get: '/item/VX-1?p=metadata.[title]',
    status: 400,
    jsonPart: { invalidInput: { id: 'p', value: '[title]' } },
  },
  {
    name: 'content=merged-access tells the entries that reach the caller',
    get: '/item/VX-1?content=merged-access&mergedType=METADATA&mergedExtradata=x_note',
    as: owner,
    json: {
      'merged-access': {
        query: { username: 'owner', permission: 'NONE', type: 'METADATA', extradata: 'x_note', item: 'VX-1' },
        access: [
          expect.objectContaining({ permission: 'OWNER', username: 'owner', matches: true }),
          expect.objectContaining({ collection: 'VX-1', matches: false }),
        ],
      },
      id: 'VX-1',
    },
  },
  {
    name: 'and of a collection',
    get: '/collection/VX-1?content=merged-access',
    as: owner,
    jsonPart: { 'merged-access': { access: [{ permission: 'OWNER', username: 'owner' }] } },
  },
  {
    name: 'collections: content paths choose members and metadata',
    get: '/collection/VX-1?p=content.id,metadata.timespan.field[name=title].value.value',
    jsonPart: { content: [{ id: 'VX-1' }], metadata: { timespan: [{ field: [{ name: 'title' }] }] } },
    lacks: ['"loc"', '"type"', '"reference"'],
  },
];

describeMatrix('views of items and collections', ({ shared }) => {
  const world = shared(fill);
  for (const { name, get, as = admin, status = 200, headers = json, ...says } of rows) {
    it(name, async () => {
      const answer = await world().send(by(`GET /API${get}`, undefined, headers, as));
      expect(answer.status, answer.body).toBe(status);
      for (const text of says.contains ?? []) expect(answer.body).toContain(text);
      for (const text of says.lacks ?? []) expect(answer.body).not.toContain(text);
      if (says.json !== undefined) expect(JSON.parse(answer.body)).toEqual(says.json);
      if (says.jsonPart !== undefined) expect(JSON.parse(answer.body)).toMatchObject(says.jsonPart);
    });
  }

  it('documents of items and collections keep back fields that the caller may not read', async () => {
    const access = { user: 'stranger', permission: 'READ' };
    await send(world(), by('POST /API/metadata-field/x_secret/access', access));
    for (const form of ['', '&terse=true']) {
      const own = await send(world(), by(`GET /API/item/VX-1?content=metadata${form}`, undefined, json, owner));
      expect(own.body).toContain('x_note');
      expect(own.body).not.toContain('x_secret');
    }
  });
});
