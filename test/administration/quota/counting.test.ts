import { beforeEach, describe, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { upload } from '../../support/files.ts';
import { shapeAt } from '../../support/media.ts';
import { asking, done } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { librarian, type RoomWorld, worldOf } from '../../support/world.ts';

const asked = asking(librarian);

const ask = (request: string, body?: object) =>
  asked(request, body === undefined ? undefined : JSON.stringify(body), admin);

interface Rule {
  readonly id: string;
  readonly resource: readonly { readonly usage: number }[];
}

/** VX-100 has shapes with the files `a` and `low` on different storages, VX-101 one; one file has no item. */
describe('what a quota rule counts', () => {
  let world: RoomWorld;
  let low: Awaited<ReturnType<typeof shapeAt>>;
  beforeEach(async () => {
    world = await worldOf('placement');
    await done(world, ask('PUT /API/shape-tag/low', {}));
    await shapeAt(world, 'a', { bytes: '1' });
    low = await shapeAt(world, 'low', { tag: 'low', storage: 'VX-2', bytes: '22' });
    await shapeAt(world, 'other', { item: 'VX-101', tag: 'low', bytes: '4444' });
    await done(world, upload('loose', '8'.repeat(8)));
  });

  const resource = [
    { name: 'item', limit: 9 },
    { name: 'storage', limit: 9 },
  ];
  const made = (criteria: object) => done<Rule>(world, ask('POST /API/quota/', { ...criteria, resource }));
  const usageOf = ({ resource: each }: Rule) => each.map(({ usage }) => usage);
  const counted = async (criteria: object) => usageOf(await made(criteria));

  it('items are counted once, where one file of one shape satisfies both tag and storage', async () => {
    expect((await counted({}))[0]).toBe(2);
    expect((await counted({ tag: 'low' }))[0]).toBe(2);
    expect((await counted({ storage: 'VX-1' }))[0]).toBe(2);
    expect((await counted({ tag: 'low', storage: 'VX-1' }))[0]).toBe(1);
    expect((await counted({ tag: 'low', storage: 'VX-3' }))[0]).toBe(0);
  });

  it('bytes are those of files, and of files without an item where no criterion is about items', async () => {
    expect((await counted({}))[1]).toBe(15);
    expect((await counted({ storage: 'VX-1' }))[1]).toBe(13);
    expect((await counted({ tag: 'low' }))[1]).toBe(6);
    expect((await counted({ tag: 'low', storage: 'VX-1' }))[1]).toBe(4);
    const { id } = await done<{ id: string }>(world, ask('POST /API/collection'));
    await done(world, ask(`PUT /API/collection/${id}/VX-100`));
    expect(await counted({ collection: id })).toEqual([1, 3]);
  });

  it('every state counts but those of files that are gone or going; placeholders count as items', async () => {
    const { id } = await made({ storage: 'VX-2' });
    const usage = async () => usageOf(await done<Rule>(world, ask(`GET /API/quota/${id}`)));
    for (const [state, expected] of [
      ['OPEN', [1, 2]],
      ['LOST', [0, 0]],
      ['TO_APPEAR', [1, 2]],
      ['MISSING', [0, 0]],
      ['ARCHIVED', [1, 2]],
      ['TO_BE_DELETED', [0, 0]],
    ] as const) {
      await done(world, ask(`PUT /API/file/${low.fileId}/state/${state}`));
      expect(await usage(), state).toEqual(expected);
    }
    await done(world, ask('POST /API/storage/VX-3/file?path=soon&state=TO_APPEAR'));
    expect(await counted({ storage: 'VX-3' })).toEqual([0, 0]);
    await done(world, ask('POST /API/import/placeholder?container=1'));
    expect((await counted({}))[0]).toBe(3);
    await done(world, ask('DELETE /API/item/VX-101'));
    expect((await counted({}))[0]).toBe(2);
  });

  it('a file that several items share counts once', async () => {
    const { shapeId, componentId } = await shapeAt(world, 'third', { item: 'VX-101', tag: 'low', bytes: '' });
    const before = await counted({ tag: 'low' });
    const place = `/API/item/VX-101/shape/${shapeId}/component/${componentId}`;
    await done(world, ask(`PUT ${place}/file/${low.fileId}?allowReimport=true`));
    expect(before).toEqual([2, 6]);
    expect(await counted({ tag: 'low' })).toEqual(before);
    expect(await counted({ storage: 'VX-2' })).toEqual([2, 2]);
  });

  it('the rule of a user or a storage that is gone stays, and counts nothing', async () => {
    await prepare(world, [newUser(['anna', 'p'], ['_import'])]);
    await prepare(world, [{ as: ['anna', 'p'], request: 'POST /API/import/placeholder' }]);
    const rules = [await made({ user: 'anna' }), await made({ storage: 'VX-1' })];
    expect(rules.map(usageOf)).toEqual([
      [1, 0],
      [2, 13],
    ]);
    await prepare(world, [ask('DELETE /API/user/anna?hard=true'), ask('DELETE /API/storage/VX-1')]);
    await world.service.tick();
    for (const { id } of rules) {
      expect(usageOf(await done<Rule>(world, ask(`GET /API/quota/${id}`))), id).toEqual([0, 0]);
    }
  });

  it('sums of bytes have 64 bits', async () => {
    for (const path of ['one', 'two']) {
      await done(world, ask('POST /API/storage/VX-3/file', { path, state: 'CLOSED', size: 3_000_000_000_000_000 }));
    }
    expect(await counted({ storage: 'VX-3' })).toEqual([0, 6_000_000_000_000_000]);
  });
});
