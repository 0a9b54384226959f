import { expect, it } from 'vitest';
import type { ActionCall } from '../../../src/spi/index.ts';
import type { World } from '../../support/matrix.ts';
import { openWorld as openEntry } from '../../support/matrix.ts';
import { openWorld, receiving, told } from '../../support/receiver.ts';
import { admin } from '../../support/service.ts';
import { withBeans } from './support.ts';

const entry = { name: 'fetch', open: (options?: object) => openEntry('fetch', options) } as const;
const file = { storageId: 'VX-3', fileId: 'VX-88', itemId: 'VX-7', shapeTag: ['original', 'lowres'] };
const ingest = { user: 'ingest' };

async function register(world: World, action: object): Promise<void> {
  const body = { action, trigger: { storage: { filename: '' } } };
  const { status, body: answer } = await world.send({ as: admin, request: 'POST /API/storage/notification', body });
  expect(status, answer).toBe(200);
  await world.clock.advance(1);
}
const url = (address: string) => ({ http: { url: address, contentType: 'application/json' } });

it('takes the first valid answer, of the oldest notification first, whatever its attribute says', async () => {
  const world = await openWorld(entry);
  const receivers = [await receiving(), await receiving(), await receiving(), await receiving()];
  const [first, second, third, fourth] = receivers;
  first!.script({ body: 'no.dots.here' });
  second!.script({ status: 500, body: 'broken' });
  third!.script({ body: ' harbour_VX-88\r\n' });
  fourth!.script({ body: 'too-late' });
  for (const { address } of receivers) await register(world, url(address));
  expect(await world.service.rooms.notifications.filename(file, ingest)).toBe('harbour_VX-88');
  expect(receivers.map(({ received }) => received.length)).toEqual([1, 1, 1, 0]);
  const { action, storageId, fileId } = told(first!.received[0]!);
  expect([action, storageId, fileId]).toEqual(['FILENAME', 'VX-3', 'VX-88']);
});

it.each(['', 'a/b', '../x', 'a b', 'ä', 'x\0y', '<name>x</name>', 'a.mxf', 'x'.repeat(300)])(
  'leaves a file its own name when the answer is %j',
  async (body) => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    receiver.script({ body });
    await register(world, url(receiver.address));
    expect(await world.service.rooms.notifications.filename(file, ingest)).toBeUndefined();
  },
);

it('leaves a file its own name when nobody is asked, or nobody answers in time', async () => {
  const world = await openWorld(entry, { synchronousSeconds: 2 });
  expect(await world.service.rooms.notifications.filename(file, ingest)).toBeUndefined();
  const receiver = await receiving();
  receiver.script({ after: new Promise(() => undefined) });
  await register(world, url(receiver.address));
  const naming = world.service.rooms.notifications.filename(file, ingest);
  await receiver.until(1);
  await world.clock.advance(2_000);
  expect(await naming).toBeUndefined();
});

it('asks an in-process action, too', async () => {
  const calls: ActionCall[] = [];
  const names = {
    perform(call: ActionCall) {
      calls.push(call);
      return { answer: 'delivered', text: `named-${call.data[0]![1]}` } as const;
    },
  };
  const world = await openWorld(entry, {}, { security: withBeans({ Names: names }) });
  await register(world, { ejb: { bean: 'Names', method: 'next', data: [{ key: 'prefix', value: 'x1' }] } });
  expect(await world.service.rooms.notifications.filename(file, ingest)).toBe('named-x1');
  expect(calls[0]!.texts).toEqual({ bean: 'Names', method: 'next' });
});
