import { describe, expect, it } from 'vitest';
import { join, newCollection, newItem } from '../../../support/assets.ts';
import { describeMatrix, openWorld, type World } from '../../../support/matrix.ts';
import { by, json, jsonOf, send, xml } from '../../../support/requests.ts';
import { itHolds, type Scenario } from '../../../support/scenario.ts';
import { givenTo, owner } from '../../../support/world.ts';

const path = '/API/collection/VX-1';
const modified = ['collection/modify', 'VX-1', { collectionId: 'VX-1' }] as const;
const ids = (...content: readonly string[]) => ({ content: content.map((id) => ({ id })) });

const sizes = (items: string, collections: string) =>
  by('PUT /API/collection', {
    field: [
      { name: '__items_size', value: [{ value: items }] },
      { name: '__child_collection_size', value: [{ value: collections }] },
    ],
  });

/** Four items and four collections, of which the first has items 1 to 3. */
const given = [
  ...Array.from({ length: 4 }, () => newItem()),
  ...Array.from({ length: 4 }, () => newCollection()),
  join('VX-1', 'VX-1'),
  join('VX-1', 'VX-2'),
  join('VX-1', 'VX-3'),
];

const rows: readonly Scenario[] = [
  {
    name: 'a new member goes last',
    ...by(`PUT ${path}/VX-4`),
    status: 200,
    says: { exact: '' },
    events: [modified],
  },
  {
    name: 'a member that is inside already changes nothing',
    ...by(`PUT ${path}/VX-1`),
    status: 200,
    says: { exact: '' },
  },
  {
    name: 'an unknown item is no member',
    ...by(`PUT ${path}/VX-9`),
    status: 404,
    says: { jsonPart: { notFound: { type: 'Item' } } },
  },
  { name: 'an unknown library is no member', ...by(`PUT ${path}/VX*9?type=library`), status: 404 },
  { name: 'an unknown collection has no members', ...by('PUT /API/collection/VX-9/VX-1'), status: 404 },
  { name: 'a member is of a known kind', ...by(`PUT ${path}/VX-1?type=shape`), status: 400 },
  {
    name: 'metadata of a membership is told with it',
    given: [by(`PUT ${path}/VX-4?metadata=role%3Dlead&metadata=note%3Da%3Db`)],
    ...by(path.replace(/^/, 'GET ')),
    status: 200,
    says: {
      contains: ['"metadata":{"field":[{"key":"role","value":"lead"},{"key":"note","value":"a=b"}]}'],
      jsonPart: ids('VX-1', 'VX-2', 'VX-3', 'VX-4'),
    },
  },
  {
    name: 'metadata of a membership is removed by a hyphen',
    given: [by(`PUT ${path}/VX-1?metadata=role%3Dlead`), by(`PUT ${path}/VX-1?metadata=-role`)],
    ...by(`GET ${path}`),
    status: 200,
    says: { lacks: ['role'] },
  },
  { name: 'metadata of a membership has a key', ...by(`PUT ${path}/VX-1?metadata=%3Dlead`), status: 400 },
  {
    name: 'a collection tells its members in their order, in XML',
    given: [join('VX-1', 'VX-2', 'collection')],
    ...by(`GET ${path}`, undefined, xml),
    status: 200,
    says: {
      contains: [
        '<id>VX-1</id><content><id>VX-1</id><uri>http',
        '/API/item/VX-1</uri><type>item</type><reference>',
        '/API/collection/VX-2</uri><type>collection</type>',
      ],
    },
  },
  {
    name: 'a collection tells members of the kinds that are asked for',
    given: [join('VX-1', 'VX-2', 'collection')],
    ...by(`GET ${path}?children=collection,library`),
    status: 200,
    says: { jsonPart: ids('VX-2'), lacks: ['/item/'] },
  },
  { name: 'a member leaves', ...by(`DELETE ${path}/VX-2`), status: 200, says: { exact: '' }, events: [modified] },
  { name: 'who is no member does not leave', ...by(`DELETE ${path}/VX-4`), status: 404 },
  { name: 'a member leaves as what it is', ...by(`DELETE ${path}/VX-2?type=collection`), status: 404 },
  {
    name: 'a document leaves the members that it names, in its order',
    ...by(`PUT ${path}`, ids('VX-3', 'VX-4', 'VX-1')),
    status: 200,
    says: { jsonPart: ids('VX-3', 'VX-4', 'VX-1') },
    events: [modified],
  },
  {
    name: 'a document without clear adds its members at the end',
    ...by(`PUT ${path}?clear=false`, ids('VX-1', 'VX-4')),
    status: 200,
    says: { jsonPart: ids('VX-2', 'VX-3', 'VX-1', 'VX-4') },
    events: [modified],
  },
  {
    name: 'an empty document clears where the caller says so',
    ...by(`PUT ${path}?clear=true`, { name: undefined }),
    status: 200,
    says: { lacks: ['content'] },
    events: [modified],
  },
  {
    name: 'modes are steps, and entries have metadata',
    ...by(`PUT ${path}`, {
      content: [
        { id: 'VX-4', mode: 'add', before: 'VX-1', metadata: { field: [{ key: 'k', value: 'v' }] } },
        { id: 'VX-2', mode: 'remove' },
        { id: 'VX-1', mode: 'move', after: 'VX-3' },
        { id: 'VX-2', type: 'collection', mode: 'add' },
      ],
    }),
    status: 200,
    says: {
      jsonPart: {
        content: [
          { id: 'VX-4', metadata: { field: [{ key: 'k', value: 'v' }] } },
          { id: 'VX-3' },
          { id: 'VX-1' },
          { id: 'VX-2', type: 'collection' },
        ],
      },
    },
    events: [modified],
  },
  {
    name: 'modes come in XML',
    ...by(
      `PUT ${path}`,
      '<CollectionDocument xmlns="urn:x"><content mode="move" after="VX-3"><id>VX-1</id></content></CollectionDocument>',
      { ...json, 'content-type': 'application/xml' },
    ),
    status: 200,
    says: { jsonPart: ids('VX-2', 'VX-3', 'VX-1') },
    events: [modified],
  },
  {
    name: 'a mode on some entries only is refused',
    ...by(`PUT ${path}`, { content: [{ id: 'VX-1', mode: 'add' }, { id: 'VX-2' }] }),
    status: 400,
  },
  {
    name: 'an order moves members, items first',
    given: [join('VX-1', 'VX-2', 'collection')],
    ...by(`POST ${path}/order`, {
      collection: [{ id: 'VX-2', before: 'VX-3' }],
      item: [
        { id: 'VX-3', before: 'VX-1' },
        { id: 'VX-1', after: 'VX-2' },
      ],
    }),
    status: 200,
    says: { jsonPart: { content: [{ type: 'collection' }, { id: 'VX-3' }, { id: 'VX-2' }, { id: 'VX-1' }] } },
    events: [modified],
  },
  { name: 'an order has members only', ...by(`POST ${path}/order`, { item: [{ id: 'VX-4' }] }), status: 404 },
  {
    name: 'a collection is not a member of itself',
    ...by(`PUT ${path}/VX-1?type=collection`),
    status: 400,
  },
  {
    name: 'a collection is not a member of a collection below it',
    given: [join('VX-1', 'VX-2', 'collection'), join('VX-2', 'VX-3', 'collection')],
    ...by('PUT /API/collection/VX-3/VX-1?type=collection'),
    status: 400,
    says: { contains: ['neither the collection itself nor above it'] },
  },
  {
    name: 'a document puts no collection into itself',
    given: [join('VX-1', 'VX-2', 'collection')],
    ...by('PUT /API/collection/VX-2', { content: [{ id: 'VX-1', type: 'collection' }] }),
    status: 400,
  },
  {
    name: 'a collection has several parents, all of which are told of its end',
    given: [join('VX-1', 'VX-3', 'collection'), join('VX-2', 'VX-3', 'collection'), join('VX-3', 'VX-4', 'collection')],
    ...by('DELETE /API/collection/VX-3'),
    status: 200,
    events: [modified, ['collection/modify', 'VX-2'], ['collection/delete', 'VX-3']],
  },
  {
    name: 'the collections above one are listed, the nearest first and each once',
    given: [
      join('VX-1', 'VX-2', 'collection'),
      join('VX-2', 'VX-3', 'collection'),
      join('VX-3', 'VX-4', 'collection'),
      join('VX-1', 'VX-4', 'collection'),
    ],
    ...by('GET /API/collection/VX-4/ancestor'),
    status: 200,
    says: { json: { uri: ['VX-1', 'VX-3', 'VX-2'] } },
  },
  {
    name: 'a page of the collections above one',
    given: [join('VX-1', 'VX-2', 'collection'), join('VX-2', 'VX-3', 'collection'), join('VX-3', 'VX-4', 'collection')],
    ...by('GET /API/collection/VX-4/ancestor?first=2&number=1'),
    status: 200,
    says: { json: { uri: ['VX-2'] } },
  },
  {
    name: 'a collection is made with its members',
    ...by('POST /API/collection', { content: [{ id: 'VX-2' }, { id: 'VX-1', type: 'collection' }, { id: 'VX-1' }] }),
    status: 200,
    says: { contains: ['"id":"VX-5"'] },
    events: [
      ['collection/create', 'VX-5'],
      ['collection/metadata/modify', 'VX-5'],
    ],
  },
  {
    name: 'a collection is not made with an unknown member',
    ...by('POST /API/collection', { content: [{ id: 'VX-9' }] }),
    status: 404,
  },
  {
    name: 'a member is one that the caller may read',
    given: [newCollection('', owner)],
    ...by('PUT /API/collection/VX-5/VX-1', undefined, json, owner),
    status: 403,
  },
  {
    name: 'a collection tells only members that the caller may read',
    given: [
      newCollection('', owner),
      join('VX-5', 'VX-1'),
      by('POST /API/item/VX-1/access', { permission: 'NONE', user: 'owner' }),
      newItem('', owner),
      join('VX-5', 'VX-5'),
    ],
    ...by('GET /API/collection/VX-5', undefined, json, owner),
    status: 200,
    says: { jsonPart: ids('VX-5') },
  },
  {
    name: 'an item leaves its collections when it is deleted',
    given: [join('VX-2', 'VX-1')],
    ...by('DELETE /API/item/VX-1'),
    status: 200,
    events: [modified, ['collection/modify', 'VX-2'], ['item/delete', 'VX-1']],
  },
  ...[by(`GET ${path}?content=metadata&field=__items_size,__child_collection_size`), sizes('3', '1')].map(
    (sent): Scenario => ({
      name: 'the computed sizes are those of direct members, told and found',
      given: [join('VX-1', 'VX-2', 'collection'), join('VX-2', 'VX-4'), join('VX-2', 'VX-3', 'collection')],
      ...sent,
      status: 200,
      says: sent.body
        ? { jsonPart: { hits: 1, collection: [{ id: 'VX-1' }] } }
        : {
            contains: [
              '"name":"__items_size","value":[{"value":"3"}]',
              '"name":"__child_collection_size","value":[{"value":"1"}]',
            ],
          },
    }),
  ),
  {
    name: 'the collections of an item are listed',
    given: [join('VX-2', 'VX-1')],
    ...by('GET /API/item/VX-1/collections'),
    status: 200,
    says: { json: { uri: ['VX-1', 'VX-2'] } },
  },
];

describeMatrix('members of a collection', (entry) => itHolds(entry, rows, { given: [...givenTo('assets'), ...given] }));

describe('many members', () => {
  it('a collection has at most as many as the setting says', async () => {
    const world = await openWorld('fetch', { settings: { maxCollectionMembers: 2 } });
    for (const sent of [newItem(), newItem(), newItem(), newCollection(), join('VX-1', 'VX-1'), join('VX-1', 'VX-2')]) {
      await send(world, sent);
    }
    for (const sent of [by(`PUT ${path}/VX-3`), by(`PUT ${path}`, ids('VX-1', 'VX-2', 'VX-3'))]) {
      const refused = await world.send(sent);
      expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('maxCollectionMembers')]);
    }
  });

  it('moves at one place never run out of positions', async () => {
    const world = await openWorld('fetch');
    for (const sent of [newItem(), newItem(), newItem(), newCollection()]) await send(world, sent);
    await send(world, by(`PUT ${path}`, ids('VX-1', 'VX-2', 'VX-3')));
    for (let move = 0; move < 50; move++) {
      const [first, second] = move % 2 === 0 ? ['VX-3', 'VX-2'] : ['VX-2', 'VX-3'];
      await send(world, by(`POST ${path}/order`, { item: [{ id: first, before: second }] }));
      expect(await jsonOf(world, `GET ${path}`)).toMatchObject(ids('VX-1', first!, second!));
    }
  });

  it('two requests that add at once both count', async () => {
    const world = await openWorld('fetch');
    for (const sent of [newItem(), newItem(), newItem(), newItem(), newCollection()]) await send(world, sent);
    const adding = ['VX-1', 'VX-2', 'VX-3', 'VX-4', 'VX-1', 'VX-2'].map((id) => world.send(by(`PUT ${path}/${id}`)));
    const arranging = world.send(by(`PUT ${path}?clear=false`, ids('VX-3', 'VX-2')));
    for (const { status } of await Promise.all([...adding, arranging])) expect(status).toBe(200);
    const { content } = await jsonOf<{ content: { id: string }[] }>(world, `GET ${path}`);
    expect(content.map(({ id }) => id).toSorted()).toEqual(['VX-1', 'VX-2', 'VX-3', 'VX-4']);
    expect(await counted(world)).toEqual([4, 4, 0]);
  });

  it('the counts follow the members', async () => {
    const world = await openWorld('fetch');
    for (const sent of [newItem(), newItem(), newCollection(), newCollection(), join('VX-1', 'VX-1')])
      await send(world, sent);
    await send(world, join('VX-1', 'VX-2', 'collection'));
    await send(world, join('VX-1', 'VX-2'));
    expect(await counted(world)).toEqual([3, 2, 1]);
    await send(world, by('DELETE /API/item/VX-1'));
    await send(world, by('DELETE /API/collection/VX-2'));
    expect(await counted(world)).toEqual([1, 1, 0]);
  });
});

async function counted({ service }: World) {
  const rows = await service.store.read("SELECT members, items, collections FROM collection WHERE id = 'VX-1'");
  return rows[0];
}
