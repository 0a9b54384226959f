import { describe, expect, it } from 'vitest';
import { ask, done } from '../../support/requests.ts';
import { exported, itemWith, openExports, urisOf } from '../../support/transfers.ts';
import { exporter } from '../../support/world.ts';
import { fakeTranscoder } from '../transcoding/fake-transcoder.ts';

const out = encodeURIComponent('memory:///out/web/');

describe('an export by somebody to whom a part of the item is closed', () => {
  const key = 'originalFilename';
  async function opened(metadata: object = {}) {
    const world = await openExports({}, { transcoders: [fakeTranscoder()] });
    await done(world, ask('PUT /API/shape-tag/lowres', {}));
    const item = await itemWith(world, 'in/a.mov', { metadata });
    await itemWith(world, 'in/b.mov', { item, tag: 'lowres' });
    const closes = (permission: string, operation?: object, priority = 0) =>
      done(world, ask(`POST /API/item/${item}/access`, { permission, user: exporter[0], operation, priority }));
    await closes('READ');
    return { world, item, closes };
  }

  it('has no name in it that is a closed field', async () => {
    const { world, item, closes } = await opened();
    const state = JSON.stringify({
      c: [['VX-9', 'ann', 0]],
      s: [[0, [[key, 0, ['secret.mov']]]]],
    });
    await world.service.store.commit(
      {
        changes: [
          { sql: `DELETE FROM metadata_state WHERE owner_id = ?`, args: [item] },
          {
            sql: `INSERT INTO metadata_state (owner_type, owner_id, version, newest, changed_at, doc)
              VALUES ('item', ?, 1, 0, 0, ?)`,
            args: [item, state],
          },
        ],
        events: [],
      },
      { user: 'test' },
    );
    const path = `/item/${item}/export?uri=${out}&useOriginalFilename=true`;
    expect(urisOf(await exported(world, path))).toEqual(['memory:///out/web/secret.mov']);
    await closes('NONE', { metadata: { field: key } }, 1);
    expect(urisOf(await exported(world, path, exporter))).toEqual(['memory:///out/web/a.mov']);
  });

  it('has no name in it that a closed shape has', async () => {
    const { world, item, closes } = await opened({ metadata: { field: [{ key, value: 'secret.mov' }] } });
    const path = `/item/${item}/export?uri=${out}&tag=lowres&useOriginalFilename=true`;
    expect(urisOf(await exported(world, path))).toEqual(['memory:///out/web/secret.mov']);
    await closes('NONE', { shape: { tag: 'original' } }, 1);
    expect(urisOf(await exported(world, path, exporter))).toEqual(['memory:///out/web/b.mov']);
  });

  it.each<[what: string, operation: object]>([
    ['a closed shape', { shape: { tag: 'lowres' } }],
    ['a shape whose addresses are closed', { uri: {} }],
  ])('has no file of %s', async (_what, operation) => {
    const { world, item, closes } = await opened();
    const path = `/item/${item}/export?uri=${out}&tag=lowres`;
    expect(urisOf(await exported(world, path, exporter))).toEqual(['memory:///out/web/b.mov']);
    await closes('NONE', operation, 1);
    expect(urisOf(await exported(world, path, exporter))).toEqual([]);
  });

  it('tells of no closed shape that its version waits for an approval', async () => {
    const { world, item, closes } = await opened();
    await done(world, ask('PUT /API/configuration/properties', { key: 'approvedShapeTags', value: 'lowres' }));
    const order = ask(`POST /API/item/${item}/export?uri=${out}&tag=lowres`, undefined, exporter);
    const before = await world.send(order);
    expect([before.status, before.body.includes('was not reviewed')]).toEqual([403, true]);
    await closes('NONE', { shape: { tag: 'lowres' } }, 1);
    expect((await world.send(order)).status).toBe(200);
  });

  it('tells no media type of a closed shape', async () => {
    const { world, item, closes } = await opened({ mimeType: ['image/x-secret'] });
    const path = `POST /API/item/${item}/export?uri=${out}&tag=original&start=1`;
    expect((await world.send(ask(path))).body).toContain('image/x-secret');
    await closes('NONE', { shape: { tag: 'original' } }, 1);
    expect((await world.send(ask(path, undefined, exporter))).body).not.toContain('image/x-secret');
  });
});
