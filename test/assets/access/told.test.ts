import { expect, it } from 'vitest';
import { openAssets, send } from '../asset-support.ts';
import { ann, ask, ben, gives, item, people } from './support.ts';

const http = { http: { url: 'http://hooks.example/in' } };
const watching = { action: http, trigger: { metadata: { modify: '' } } };

it('access: a notification of one item is parked with a reason once whose it is may not read the item', async () => {
  const world = await openAssets();
  for (const sent of people) await send(world, sent);
  const watch = ask(ben, 'POST /API/item/VX-1/notification', watching);
  for (const sent of [item(ann), gives(ann, 'item/VX-1', { user: 'ben', permission: 'READ' }), watch])
    await send(world, sent);
  const write = async (title: string) => {
    const timespan = [{ start: '-INF', end: '+INF', field: [{ name: 'title', value: [{ value: title }] }] }];
    await send(world, ask(ann, 'PUT /API/item/VX-1/metadata', { timespan }));
    // The receiver does not answer, so the event before waits for its next attempt.
    await world.clock.advance(600_000);
    await world.service.tick(1000);
    const [row = []] = await world.service.store.read(
      'SELECT state, error, says FROM attempt ORDER BY id DESC LIMIT 1',
    );
    return row;
  };
  expect((await write('one'))[1]).not.toBe('unreadable');
  const { body } = await world.send(ask(ann, 'GET /API/item/VX-1/access'));
  const entry = (JSON.parse(body) as { access: { id: string; permission: string }[] }).access.find(
    ({ permission }) => permission === 'READ',
  )!;
  await send(world, ask(ann, `DELETE /API/item/VX-1/access/${entry.id}`));
  expect(await write('two')).toEqual([
    'parked',
    'unreadable',
    'Expected a user who may read the item VX-1: ben may not any more',
  ]);
  // It goes on by itself when the right is there again.
  await send(world, gives(ann, 'item/VX-1', { user: 'ben', permission: 'READ' }));
  expect((await write('three'))[1]).not.toBe('unreadable');
});
