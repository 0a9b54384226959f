import { beforeAll, describe, expect, it } from 'vitest';
import { item, openSharedAssets } from '../../support/assets.ts';
import { register, useFile } from '../../support/files.ts';
import { by, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { ann, ben, cat, givenTo, storageRows } from '../../support/world.ts';
import { ask, gives } from '../access/support.ts';

/** All read the item. ann has the roles of files and shapes, cat that of shapes, ben none; the shape "web" is closed to cat. */
describe('criteria of files and shapes', () => {
  const world = openSharedAssets();

  beforeAll(async () => {
    await storageRows(world(), { uri: 'file:///nowhere/' });
    for (const sent of [
      ...givenTo('access'),
      ...['ann', 'ben', 'cat'].map((name) => by(`PUT /API/group/_item_search/user/${name}`)),
      by('PUT /API/group/_file_read/user/ann'),
      by('DELETE /API/group/_item_shape_read/user/ben'),
      { ...register('secret/path.mov', { state: 'CLOSED' }), as: admin },
      item({ title: 'Harbour' }),
      by('PUT /API/shape-tag/web', {}),
      by('PUT /API/shape-tag/raw', {}),
      by('POST /API/item/VX-1/shape/create?tag=web', { mimeType: ['video/mp4'] }),
      by('POST /API/item/VX-1/shape/create?tag=raw', { mimeType: ['video/raw'] }),
      ...['ann', 'ben', 'cat'].map((user) => gives(admin, 'item/VX-1', { permission: 'READ', user })),
      gives(admin, 'item/VX-1', { permission: 'NONE', user: 'cat', operation: { shape: { tag: 'web' } } }),
    ])
      await send(world(), sent);
    const [[id]] = (await world().service.store.read('SELECT id FROM shape ORDER BY serial')) as unknown as [[string]];
    await useFile(world(), 'VX-1', `VX-1 ${id} VX-900`);
  });

  const hits = async (as: Credentials, document: object, place = 'item') => {
    const { body } = await send(world(), ask(as, `PUT /API/${place}`, document));
    return (JSON.parse(body) as { hits: number }).hits;
  };
  const named = (name: string, value: string) => ({ field: [{ name, value: [{ value }] }] });

  it.each([
    ['a path', { file: named('path', 'secret/*') }],
    ['a path as text', { file: { text: [{ value: 'secret' }] } }],
    ['a field with a target', { field: [{ name: 'path', target: 'file', value: [{ value: 'secret/*' }] }] }],
    ['files of shapes', { shape: { file: named('path', 'secret/*') } }],
    [
      'a NOT in a NOT',
      { operator: [{ operation: 'NOT', operator: [{ operation: 'NOT', file: named('path', 's*') }] }] },
    ],
  ])('of files need the role of their GET: %s', async (_, document) => {
    expect(await hits(ann, document)).toBe(1);
    expect(await hits(cat, document)).toBe(0);
    expect(await hits(ben, document)).toBe(0);
  });

  it('of files say nothing under a NOT to one without the role', async () => {
    const not = (path: string) => ({ operator: [{ operation: 'NOT', file: named('path', path) }] });
    expect(await hits(ann, not('secret/*'))).toBe(0);
    expect([await hits(cat, not('secret/*')), await hits(cat, not('other/*'))]).toEqual([1, 1]);
  });

  it('of shapes need the role of their GET, and ask the entries of each shape', async () => {
    for (const [as, web, raw] of [
      [ann, 1, 1],
      [cat, 0, 1],
      [ben, 0, 0],
    ] as const) {
      expect([await hits(as, { shape: named('tag', 'web') }), await hits(as, { shape: named('tag', 'raw') })]).toEqual([
        web,
        raw,
      ]);
    }
  });

  it('leave a closed shape out of searches of shapes, too', async () => {
    expect(await hits(ann, {}, 'search/shape')).toBe(2);
    expect(await hits(cat, {}, 'search/shape')).toBe(1);
    expect(await hits(cat, named('mimeType', 'video/mp*'), 'search/shape')).toBe(0);
  });
});
