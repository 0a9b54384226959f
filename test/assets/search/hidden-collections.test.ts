import { beforeAll, describe, expect, it } from 'vitest';
import { item, newCollection, openSharedAssets } from '../../support/assets.ts';
import { by, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { ann, ben, givenTo } from '../../support/world.ts';
import { ask, gives, puts } from '../access/support.ts';

/** VX-1 is open to ben and has an open item and collection, VX-2 is closed and has the same item; VX-4 is above VX-1. */
const world = openSharedAssets();

beforeAll(async () => {
  const box = newCollection('?name=box');
  const reads = (place: string) =>
    gives(admin, place, { permission: 'READ', user: 'ben', appliesTo: [{ value: 'self' }] });
  for (const sent of [
    ...givenTo('access'),
    by('PUT /API/group/_item_search/user/ben'),
    ...[box, box, box, box, box],
    ...[item({ title: 'Harbour' }), item({ title: 'Harbour' })],
    ...[puts('VX-1', 'VX-1'), puts('VX-2', 'VX-1'), puts('VX-1', 'VX-2')],
    ...[puts('VX-3', 'VX-1', admin, 'collection'), puts('VX-5', 'VX-1', admin, 'collection')],
    puts('VX-1', 'VX-4', admin, 'collection'),
    ...['item/VX-1', 'collection/VX-1', 'collection/VX-3'].map(reads),
  ])
    await send(world(), sent);
});

async function found(as: Credentials, place: 'item' | 'collection', name: string, ...values: readonly string[]) {
  const field = [{ name, ...(values.length > 0 && { value: values.map((value) => ({ value })) }) }];
  const { body } = await send(world(), ask(as, `PUT /API/${place}`, { field }));
  const { hits } = JSON.parse(body) as { readonly hits: number };
  return hits;
}

describe('collections and members that a caller may not read', () => {
  it.each([
    ['item', '__collection', 'VX-2'],
    ['item', '__collection', 'VX-2*'],
    ['item', '__ancestor_collection', 'VX-2'],
    ['item', '__ancestor_collection', 'VX-4'],
    ['item', '__ancestor_collection', '*4'],
    ['item', '__collection_size', '2'],
    ['item', '__ancestor_collection_size', '3'],
    ['collection', '__parent_collection', 'VX-4'],
    ['collection', '__ancestor_collection', 'VX-4'],
    ['collection', '__items_size', '2'],
    ['collection', '__child_collection_size', '2'],
  ] as const)('are not told by a search of %s by %s %s', async (place, name, value) => {
    expect(await found(ben, place, name, value)).toBe(0);
    expect(await found(admin, place, name, value)).toBeGreaterThan(0);
  });

  it('leave those that the caller may read: they are found and counted', async () => {
    expect(await found(ben, 'item', '__collection', 'VX-1')).toBe(1);
    expect(await found(ben, 'item', '__ancestor_collection', 'VX-1')).toBe(1);
    expect(await found(ben, 'item', '__collection_size', '1')).toBe(1);
    expect(await found(ben, 'collection', '__items_size', '1')).toBe(1);
    expect(await found(ben, 'collection', '__child_collection_size', '1')).toBe(1);
    expect(await found(ben, 'collection', '__parent_collection', 'VX-1')).toBe(1);
  });

  it.each([
    [
      'item/VX-1/metadata',
      ['__collection_size=1', '__collection=VX-1', '__ancestor_collection_size=1', '__ancestor_collection=VX-1'],
    ],
    [
      'collection/VX-1/metadata',
      ['__parent_collection_size=0', '__child_collection_size=1', '__items_size=1', '__ancestor_collection_size=0'],
    ],
  ])('are not told by GET of %s', async (place, wanted) => {
    const told = async (as: Credentials) => {
      const { body } = await send(world(), ask(as, `GET /API/${place}`));
      const values = /"name":"(__\w*(?:collection|items)\w*)","value":\[\{"value":"([^"]*)"/g;
      return Array.from(body.matchAll(values), ([, name, value]) => `${name}=${value}`);
    };
    expect((await told(ben)).toSorted()).toEqual(wanted.toSorted());
    expect((await told(admin)).join()).toMatch(/VX-4/);
  });

  it('are not named by the list of the entries of a user, page by page', async () => {
    await send(world(), gives(admin, 'item/VX-2', { permission: 'READ', user: 'ann' }));
    await send(world(), gives(admin, 'item/VX-1', { permission: 'READ', user: 'ann' }));
    const told = async (as: Credentials, page = '') =>
      (await send(world(), ask(as, `GET /API/user/ann/access${page}`))).body.match(/\/(?:item|collection)\/VX-\d+/g) ??
      [];
    expect(await told(ann)).toEqual(['/item/VX-1', '/item/VX-2']);
    expect(await told(ben)).toEqual(['/item/VX-1']);
    expect(await told(ben, '?number=1&first=2')).toEqual([]);
    expect(await told(admin)).toEqual(['/item/VX-1', '/item/VX-2']);
  });
});
