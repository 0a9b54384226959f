import { describe, expect, it, onTestFinished } from 'vitest';
import { openRemoteDatabase } from '../../../src/core/store/remote/remote-database.ts';
import { fieldsOf, item, newCollection } from '../../support/assets.ts';
import { testClock } from '../../support/clock.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { by, json, send } from '../../support/requests.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { sqldBinary, startSqld } from '../../support/sqld.ts';
import { ann, ben, givenTo } from '../../support/world.ts';
import { ask, gives, puts } from '../access/support.ts';

const clock = testClock();

const instance = (url: string): Promise<World> => openWorld('fetch', { clock, database: openRemoteDatabase(url) });

// The package `sqld` has no binary for some machines.
describe.skipIf(sqldBinary() === undefined)('two instances on one libsql-server', () => {
  it('changes that one instance answered are found by the next request to the other', {
    timeout: 60_000,
  }, async () => {
    const server = await startSqld();
    onTestFinished(() => server.stop());
    const [one, other] = [await instance(server.url), await instance(server.url)];
    for (const sent of givenTo('access')) await send(one, sent);
    for (const name of ['ann', 'ben']) await send(one, by(`PUT /API/group/_item_search/user/${name}`));
    await send(one, item({ title: 'Harbour' }, {}, ann));
    await send(one, newCollection('', ann));

    const found = async (world: World, word: string, as: Credentials) => {
      const { body } = await send(world, by('PUT /API/item', { text: [{ value: word }] }, json, as));
      return (JSON.parse(body) as { hits: number }).hits;
    };
    const seen = async (world: World) => [
      await found(world, 'harbour', ben),
      (await world.send(ask(ben, 'GET /API/item/VX-1'))).status,
    ];
    expect(await seen(other)).toEqual([0, 403]);
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const given = await send(here, gives(ann, 'item/VX-1', { user: 'ben', permission: 'READ' }));
      expect(await seen(there)).toEqual([1, 200]);
      const { id } = JSON.parse(given.body) as { id: string };
      await send(here, ask(ann, `DELETE /API/item/VX-1/access/${id}`));
      expect(await seen(there)).toEqual([0, 403]);
      await send(here, gives(ann, 'collection/VX-1', { group: 'crew', permission: 'READ' }));
      await send(here, puts('VX-1', 'VX-1', ann));
      expect(await seen(there)).toEqual([1, 200]);
      await send(here, ask(ann, 'DELETE /API/collection/VX-1/VX-1?type=item'));
      expect(await seen(there)).toEqual([0, 403]);
    }
    const timespan = [{ start: '-INF', end: '+INF', field: fieldsOf({ title: 'Lighthouse' }) }];
    await send(one, ask(ann, 'PUT /API/item/VX-1/metadata', { timespan }));
    expect([await found(other, 'lighthouse', ann), await found(other, 'harbour', ann)]).toEqual([1, 0]);
  });

  it('a shape that an entry closes is found by those alone whom it is open to', async () => {
    const server = await startSqld();
    onTestFinished(() => server.stop());
    const world = await instance(server.url);
    const closes = { permission: 'NONE', user: 'ben', operation: { shape: { tag: 'web' } } };
    for (const sent of [
      ...givenTo('access'),
      ...['ann', 'ben'].map((name) => by(`PUT /API/group/_item_search/user/${name}`)),
      item({ title: 'Harbour' }),
      ...['ann', 'ben'].map((user) => gives(admin, 'item/VX-1', { permission: 'READ', user })),
      by('PUT /API/shape-tag/web', {}),
      by('POST /API/item/VX-1/shape/create?tag=web', { mimeType: ['video/mp4'] }),
      gives(admin, 'item/VX-1', closes),
    ]) {
      await send(world, sent);
    }
    const document = { shape: { field: [{ name: 'tag', value: [{ value: 'web' }] }] } };
    const hits = async (as: Credentials) => {
      const { status, body } = await world.send(ask(as, 'PUT /API/item', document));
      return [status, (JSON.parse(body) as { hits?: number }).hits];
    };
    expect([await hits(ann), await hits(ben)]).toEqual([
      [200, 1],
      [200, 0],
    ]);
  });
});
