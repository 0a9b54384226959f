import { expect, it } from 'vitest';
import { newUser } from '../support/cast.ts';
import { openWorld } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { openBytesWorld } from './bytes/world.ts';

it('proposes addresses of this server that no storage has, to those who make storages', async () => {
  const all = ['memory:///in/', 'memory:///second/', 'memory:///third/'];
  const world = await openBytesWorld(
    { name: 'fetch', open: (options) => openWorld('fetch', options) },
    { scheme: (inner) => ({ ...inner, proposals: () => all }) },
  );
  await prepare(world, [newUser(['maker', 'p'], ['_storage_write']), newUser(['reader', 'p'], ['_storage_read'])]);
  const ask = (name: string) =>
    world.send({ as: [name, 'p'], request: 'GET /API/storage/proposal', headers: { accept: 'application/json' } });
  expect(JSON.parse((await ask('maker')).body)).toEqual({ method: all.slice(1).map((uri) => ({ uri })) });
  expect((await ask('reader')).status).toBe(403);
});
