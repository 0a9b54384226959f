import { beforeAll, describe, expect, it } from 'vitest';
import { item, join, newCollection, openSharedAssets } from '../../support/assets.ts';
import { newUser } from '../../support/cast.ts';
import { by, json, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';

const alice: Credentials = ['alice', 'p'];
const roles = [
  ...['_item_read', '_item_search', '_metadata_read', '_collection_read', '_collection_write', '_event_read'],
  ...['_library_read', '_library_write', '_metadata_write', '_item_write'],
];
const text = (name: string, ...values: readonly string[]) => ({ name, value: values.map((value) => ({ value })) });
const timed = (content: object) => ({ timespan: [{ start: '-INF', end: '+INF', ...content }] });

/**
 * alice reads the item VX-1 and the collection VX-1 around it, and may not read the field x_closed and the group Closed.
 * The collection has both, and items inherit them. VX-2 refers to a group of VX-1 with a closed field in it.
 */
describe('a field that its definition closes', () => {
  const world = openSharedAssets();
  const told = async (as: Credentials, request: string, body?: object) =>
    (await send(world(), by(request, body, json, as))).body;

  beforeAll(async () => {
    const group = { group: [{ name: 'Closed', field: [text('x_inside', 'quartz')] }] };
    const shared = { name: 'Shared', field: [text('x_closed', 'quartz'), text('x_open', 'harbour')] };
    for (const sent of [
      newUser(alice, roles),
      by('PUT /API/metadata-field/x_closed', { type: 'string', inheritance: 'true', defaultValue: 'quartz' }),
      ...['x_inside', 'x_open'].map((name) =>
        by(`PUT /API/metadata-field/${name}`, { type: 'string', inheritance: 'true' }),
      ),
      by('PUT /API/metadata-field/field-group/Closed', { inheritance: 'true', field: [{ name: 'x_inside' }] }),
      by('PUT /API/metadata-field/field-group/Shared', { field: [{ name: 'x_closed' }, { name: 'x_open' }] }),
      by('POST /API/metadata-field/x_closed/access', { user: 'admin', permission: 'READ' }),
      by('POST /API/metadata-field/field-group/Closed/access', { user: 'admin', permission: 'READ' }),
      item({ title: 'own' }),
      newCollection('?name=c'),
      join('VX-1', 'VX-1'),
      by(
        'PUT /API/collection/VX-1/metadata',
        timed({ field: [text('x_closed', 'quartz'), text('x_open', 'pier')], ...group }),
      ),
      item({ title: 'source' }, { group: [shared] }),
      item({ title: 'referring' }),
      ...['item/VX-1', 'item/VX-3', 'collection/VX-1'].map((place) =>
        by(`POST /API/${place}/access`, { user: 'alice', permission: 'ALL' }),
      ),
    ])
      await send(world(), sent);
    const source = JSON.parse(await told(admin, 'GET /API/item/VX-2/metadata?group=Shared')) as {
      item: { metadata: { timespan: { group: { uuid: string; field: { name: string; uuid: string }[] }[] }[] } }[];
    };
    const [{ uuid, field }] = source.item[0]!.metadata.timespan[0]!.group as [
      { uuid: string; field: { name: string; uuid: string }[] },
    ];
    const { uuid: reference } = field.find(({ name }) => name === 'x_closed')!;
    await send(
      world(),
      by(
        'PUT /API/item/VX-3/metadata',
        timed({ field: [{ name: 'x_open', reference }], group: [{ name: 'Shared', reference: uuid }] }),
      ),
    );
  });

  const query = { text: [{ value: 'quartz' }] };
  it.each<[door: string, request: string, body?: object]>([
    ['metadata of an item', 'GET /API/item/VX-1/metadata'],
    ['a field by its name', 'GET /API/item/VX-1/metadata?field=x_closed'],
    ['the short form', 'GET /API/item/VX-1/metadata?terse=true'],
    ['the answer of a change', 'PUT /API/item/VX-1/metadata', timed({ field: [text('title', 'again')] })],
    ['an item', 'GET /API/item/VX-1?content=metadata'],
    ['a list of items', 'GET /API/item?content=metadata&number=1&sort=created'],
    ['hits of a search', 'PUT /API/item?content=metadata', { text: [{ value: 'again' }] }],
    ['hits of both kinds', 'PUT /API/search?content=metadata', {}],
    ['items of a collection', 'GET /API/collection/VX-1/item?content=metadata'],
    ['metadata of a collection', 'GET /API/collection/VX-1/metadata'],
    ['a collection', 'GET /API/collection/VX-1?content=metadata'],
    ['a facet', 'PUT /API/item', { facet: [{ field: 'x_closed' }, { field: 'x_inside' }] }],
    ['a group that is referred to', 'GET /API/item/VX-3/metadata?group=Shared'],
    ['a field that is referred to', 'GET /API/item/VX-3/metadata?field=x_open'],
    ['a default value', 'GET /API/item/VX-3/metadata?field=x_closed&defaultValue=true'],
    ['events', 'GET /API/event?number=1000'],
  ])('is not told by %s', async (_door, request, body) => {
    expect(await told(admin, request, body)).toContain('quartz');
    expect(await told(alice, request, body)).not.toContain('quartz');
  });

  it.each<[door: string, body: object]>([
    ['a text', query],
    ['a highlight', { ...query, highlight: { field: ['x_closed', 'x_inside'] } }],
    ['a value', { field: [{ name: 'x_closed', value: [{ value: 'quartz' }] }] }],
    [
      'a value in a group',
      { group: [{ name: 'Closed', field: [{ name: 'x_inside', value: [{ value: 'quartz' }] }] }] },
    ],
  ])('finds nothing by %s', async (_door, body) => {
    const hits = async (as: Credentials) => {
      const { status, body: answer } = await world().send(by('PUT /API/item', body, json, as));
      return status === 200 ? (JSON.parse(answer) as { hits: number }).hits : status;
    };
    expect(await hits(admin)).toBeGreaterThan(0);
    expect([0, 400, 403]).toContain(await hits(alice));
  });
});

/** mallory may read VX-1 and VX-2, write VX-3, and has collections of their own. */
describe('an attack by somebody who describes items of others by a collection of their own', () => {
  const world = openSharedAssets();
  const mallory: Credentials = ['mallory', 'p'];
  const told = async (as: Credentials, request: string, body?: object) => {
    const answer = await world().send(by(request, body, json, as));
    expect(answer.status, answer.body).toBe(200);
    return answer.body;
  };
  const forged = { field: [{ name: 'x_forged', value: [{ value: 'forged' }] }] };
  const madeBy = async (path: string, as = mallory) =>
    (JSON.parse(await told(as, `POST /API/collection?name=${path}`)) as { id: string }).id;

  beforeAll(async () => {
    for (const sent of [
      newUser(mallory, roles),
      by('PUT /API/metadata-field/x_forged', { type: 'string', inheritance: 'true' }),
      ...['one', 'two', 'three'].map((title) => item({ title })),
      ...['READ', 'READ', 'WRITE'].map((permission, at) =>
        by(`POST /API/item/VX-${at + 1}/access`, { user: mallory[0], permission }),
      ),
    ])
      await send(world(), sent);
    const own = await madeBy('own');
    await told(mallory, `PUT /API/collection/${own}/VX-1`);
    await told(mallory, `PUT /API/collection/${own}/VX-3`);
    const others = await madeBy('others', admin);
    await told(admin, `PUT /API/collection/${others}/VX-2`);
    await told(admin, `POST /API/collection/${others}/access`, { user: mallory[0], permission: 'READ' });
    await told(mallory, `PUT /API/collection/${own}/${others}?type=collection`);
    await told(mallory, `PUT /API/collection/${own}/metadata`, timed({ field: [text('x_forged', 'forged')] }));
  });

  it.each([
    ['an item that may be read', 'VX-1', 0],
    ['an item below a collection that may be read', 'VX-2', 0],
    ['an item that may be written, which is no attack', 'VX-3', 1],
  ])('%s', async (_case, id, count) => {
    const shown = await told(admin, `GET /API/item/${id}/metadata`);
    expect(shown.split('forged').length - 1, shown).toBe(count === 0 ? 0 : 2);
    const { item: hits = [] } = JSON.parse(await told(admin, 'PUT /API/item?fresh=true', forged)) as {
      item?: readonly { id: string }[];
    };
    expect(hits.filter((hit) => hit.id === id).length).toBe(count);
  });
});
