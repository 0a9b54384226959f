import { describe, expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import type { World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { byToken, json, newToken, sendWell, setPassword, switchTo } from '../../support/ways.ts';
import { worldOf } from '../../support/world.ts';

describe('a passkey that a stolen login made brings no bytes', () => {
  const maker: Credentials = ['maker', 'password of maker'];
  const revoked = 'DELETE /API/user/maker/tokens';

  it.each<readonly [string, (world: World) => Promise<unknown>]>([
    ['once all tokens of the user are revoked', (world) => sendWell(world, { as: admin, request: revoked })],
    [
      'once this token is revoked by itself',
      async (world) => {
        const [[id] = []] = await world.service.store.read('SELECT id FROM token', []);
        await sendWell(world, { as: admin, request: `${revoked}/${id}` });
      },
    ],
    ['once the user is disabled', (world) => switchTo(world, 'maker', false)],
    ['once the user has another password', (world) => setPassword(world, 'maker', 'another password')],
  ])('%s', async (_what, end) => {
    const world = await worldOf('imports');
    await prepare(world, [newUser(maker, ['_import'])]);
    const how = byToken(await newToken(world, { as: maker }), json);
    const made = await sendWell(world, { ...how, request: 'POST /API/import/raw-passkey?filename=a.txt' });
    const { data } = JSON.parse(made.body) as { data: readonly { value: string }[] };
    await end(world);
    const headers = { ...json, 'content-type': 'application/octet-stream' };
    const request = `POST /APInoauth/import/raw?passkey=${data[0]!.value}`;
    expect((await world.send({ headers, body: 'bytes of a thief', request })).status).toBe(401);
  });
});
