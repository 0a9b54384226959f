import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { ask } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { stranger, worldOf } from '../../support/world.ts';
import { files, made, told } from './support.ts';

it('tells the shapes and items of a file: whole to those who may read them, else only that they use it', async () => {
  const world = await worldOf('shapes');
  await prepare(world, files(1));
  await prepare(world, [newUser(['reader', 'p'], ['_file_read'])]);
  const { id } = await made(world, { tag: ['lowres'], videoComponent: [{ codec: 'h264', file: [{ id: 'VX-1' }] }] });
  const list = await told<{ hits: number; shape: object[] }>(world, 'GET /API/file/VX-1/shape?scheme=memory');
  expect(list).toMatchObject({
    hits: 1,
    shape: [
      {
        id,
        tag: ['lowres'],
        videoComponent: [{ codec: 'h264', file: [{ id: 'VX-1', uri: [expect.any(String)] }] }],
        item: [{ id: 'VX-1' }],
      },
    ],
  });
  expect(await told(world, 'GET /API/storage/VX-1/file/VX-1/item')).toMatchObject({ hits: 1, item: [{ id: 'VX-1' }] });
  const asReader = async (request: string) =>
    JSON.parse((await world.send(ask(request, undefined, ['reader', 'p']))).body);
  expect(await asReader('GET /API/storage/file/VX-1/shape')).toEqual({
    hits: 1,
    shape: [{ id, item: [{ id: 'VX-1' }] }],
  });
  expect(await asReader('GET /API/file/VX-1/item')).toMatchObject({ hits: 0, item: [] });
  expect((await world.send(ask('GET /API/file/VX-1/item', undefined, stranger))).status).toBe(403);
});
