import { beforeAll, describe, expect, it } from 'vitest';
import { field, item, openSharedAssets } from '../../support/assets.ts';
import { newUser } from '../../support/cast.ts';
import { register, useFile } from '../../support/files.ts';
import type { World } from '../../support/matrix.ts';
import { by, json, plain, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { givenTo, owner, storageRows, stranger } from '../../support/world.ts';

const archivist: Credentials = ['archivist', 'password of archivist'];

/** VX-1 and VX-3 are files of an item of the owner, VX-2 of an item of the stranger. */
describe('files by what they belong to', () => {
  let world: World;
  const opened = openSharedAssets();

  beforeAll(async () => {
    world = opened();
    await storageRows(world, { uri: 'file:///nowhere/' });
    const file = (path: string) => ({ ...register(path, { state: 'CLOSED' }), as: admin });
    const setUp = [
      ...givenTo('assets'),
      newUser(archivist, ['_file_read', '_item_read', '_item_search', '_item_shape_read']),
      field('x_tag', 'string-exact'),
      ...['a.mov', 'b.mov', 'a.xml'].map(file),
      item({ title: 'Harbour', x_tag: 'sea' }, {}, owner),
      item({ title: 'Harbour', x_tag: 'sea' }, {}, stranger),
      by('PUT /API/shape-tag/web', {}),
      by('POST /API/item/VX-1/shape/create?tag=web', { mimeType: ['video/mp4'] }),
      by('POST /API/item/VX-2/shape/create?tag=web', { mimeType: ['video/mp4'] }),
      by('POST /API/item/VX-1/access', { permission: 'READ', user: archivist[0] }),
    ];
    for (const sent of setUp) await send(world, sent);
    const shapes = await world.service.store.read('SELECT item_id, id FROM shape ORDER BY serial');
    const [one, other] = shapes.map(([itemId, id]) => `${itemId} ${id} VX-900`);
    await useFile(world, 'VX-1', one!);
    await useFile(world, 'VX-2', other!);
    await useFile(world, 'VX-3', one!);
  });

  const ids = async (document: object, as = admin) => {
    const answer = await send(world, by('PUT /API/search/file', document, { ...json, ...plain }, as));
    return answer.body.split('\r\n').filter((id) => id !== '');
  };
  const sea = { field: [{ name: 'x_tag', value: [{ value: 'sea' }] }] };
  const web = { field: [{ name: 'tag', value: [{ value: 'web' }] }] };

  it('files are found by items and shapes that have them, alone and together', async () => {
    expect(await ids({ item: sea })).toEqual(['VX-1', 'VX-2', 'VX-3']);
    expect(await ids({ shape: web, field: [{ name: 'extension', value: [{ value: 'mov' }] }] })).toEqual([
      'VX-1',
      'VX-2',
    ]);
    expect(
      await ids({ field: [{ name: 'title', target: 'item', value: [{ value: 'harb*' }] }], text: ['xml'] }),
    ).toEqual(['VX-3']);
    expect(await ids({ operator: [{ operation: 'NOT', item: sea }] })).toEqual([]);
  });

  it('an item that the caller may not read leads to no file', async () => {
    expect(await ids({}, archivist)).toHaveLength(3);
    expect(await ids({ item: sea }, archivist)).toEqual(['VX-1', 'VX-3']);
    expect(await ids({ shape: web }, archivist)).toEqual(['VX-1', 'VX-3']);
    expect(await ids({ item: { shape: web } }, archivist)).toEqual(['VX-1', 'VX-3']);
  });

  it('items and shapes by the text of their files', async () => {
    const found = await send(world, by('PUT /API/item', { file: { text: ['A.XML'] } }, plain));
    expect(found.body).toBe('VX-1\r\n');
  });

  it('a saved search of files answers under an address of its own', async () => {
    const kept = await world.send(by('PUT /API/search/file?save=true&number=1', { item: sea }));
    expect(kept.status).toBe(303);
    const address = kept.headers.get('location')!;
    const again = await send(world, by(`GET ${address}`));
    expect(JSON.parse(again.body)).toMatchObject({ hits: 3, file: [{ id: 'VX-1' }] });
  });
});
