import { expect, it } from 'vitest';
import { by, fetchEntry, mediaOptions } from './storages-support.ts';

const storageAt = (uri: string) =>
  by('POST /API/storage', { type: 'LOCAL', capacity: 1000, scanInterval: -1, method: [{ uri }] });

it('a storage inside the folder of another one is told by the self-test and the log, and one beside it is not', async () => {
  const world = await fetchEntry.open(mediaOptions());
  const check = async () => JSON.parse((await world.send(by('GET /API/selftest/storages'))).body);
  for (const uri of ['memory:///in/', 'memory:///in-2/', 'memory:///out']) await world.send(storageAt(uri));
  expect(await check()).toMatchObject({ name: 'storages', status: 'ok' });

  for (const uri of ['memory:///in/hot/', 'memory:///out/'])
    expect((await world.send(storageAt(uri))).status).toBe(200);
  const sentence = (inner: string, outer: string) =>
    `Expected folders of storages apart from each other: that of ${inner} lies in that of ${outer}, so each of its files is in both`;
  expect(await check()).toMatchObject({
    status: 'warning',
    message: [sentence('VX-4', 'VX-1'), sentence('VX-5', 'VX-3'), sentence('VX-3', 'VX-5')],
  });

  await world.send(by('DELETE /API/storage/VX-4'));
  await world.send(by('DELETE /API/storage/VX-5'));
  expect(await check()).toMatchObject({ status: 'ok' });
});
