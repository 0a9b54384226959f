import { describe, expect, it } from 'vitest';
import { openWorld } from '../../support/matrix.ts';
import { admin, type ServiceOptions } from '../../support/service.ts';
import { byToken, json, newToken, sendWell } from '../../support/ways.ts';
import { gone, isGone, maker, openShares, other, type Read } from './support.ts';

const open = (options: ServiceOptions = {}) =>
  openShares((more) => openWorld('fetch', { ...more, ...options }), options);

describe('the secret of a share', () => {
  it('is told again to its maker, with the address that guests have', async () => {
    const at = await open();
    const { id, token, keepsToken } = await at.share(`item/${await at.item('First')}`);
    expect([keepsToken, await at.told(`GET /share/${id}/token`)]).toEqual([true, { token }]);
    const { headers } = await at.send(`GET /share/${id}/token`);
    expect(headers.get('cache-control')).toContain('no-store');
  });

  it('is neither read in the database nor opened in another row by who writes there', async () => {
    const at = await open();
    const item = await at.item('First');
    const [one, two] = [await at.share(`item/${item}`), await at.share(`item/${item}`)];
    const { store } = at.world.service;
    const rows = JSON.stringify(await store.read('SELECT * FROM share'));
    expect(rows).not.toContain(one.token);
    const move = 'UPDATE share SET sealed = (SELECT sealed FROM share WHERE id = ?) WHERE id = ?';
    await store.commit({ changes: [{ sql: move, args: [one.id, two.id] }], events: [] }, { user: 'test' });
    expect((await at.send(`GET /share/${two.id}/token`)).status).toBe(404);
    const take = `UPDATE share SET user_id = (SELECT id FROM user WHERE name = 'other'), caller = (SELECT json_object('account',
      json_object('id', id, 'revocations', revocations)) FROM user WHERE name = 'other') WHERE id = ?`;
    await at.told(`POST /item/${item}/access`, { user: 'other', permission: 'READ' });
    await store.commit({ changes: [{ sql: take, args: [one.id] }], events: [] }, { user: 'test' });
    expect((await at.send(`GET /share/${one.id}/token`, undefined, other)).status).toBe(404);
  });

  it('is told to no other user with _share_read, to no administrator, and to none who acts for the maker', async () => {
    const at = await open();
    const { id, token } = await at.share(`item/${await at.item('First')}`);
    const request = `GET /API/share/${id}/token`;
    const asked = byToken(await newToken(at.world, { as: admin }), { accept: 'text/plain' });
    const lent = await sendWell(at.world, { ...asked, request: 'GET /API/user/maker/token' });
    for (const how of [
      { as: other, headers: json },
      { as: admin, headers: json },
      { as: admin, headers: { ...json, runas: 'maker' } },
      byToken(lent.body, json),
    ]) {
      const { status, body } = await at.world.send({ ...how, request });
      expect([status, body.includes(token)]).toEqual([404, false]);
    }
    const moved = { ...json, 'content-type': 'application/json' };
    expect((await at.world.send({ as: admin, headers: moved, request: `POST /API/share/${id}/token` })).status).toBe(
      404,
    );
    expect((await at.enter(token)).status).toBe(200);
  });

  it.each<readonly [string, (at: Awaited<ReturnType<typeof open>>, item: string) => Promise<unknown>, number]>([
    ['whose logins were revoked', (at) => at.told('DELETE /user/maker/tokens', undefined, admin), 404],
    ['who may no longer share', (at) => at.told('DELETE /group/_share_write/user/maker', undefined, admin), 404],
    ['who may no longer ask', (at) => at.told('DELETE /group/_share_read/user/maker', undefined, admin), 403],
  ])('is told to no maker %s', async (_who, revoke, status) => {
    const at = await open();
    const item = await at.item('First');
    const { id } = await at.share(`item/${item}`);
    await revoke(at, item);
    expect((await at.send(`GET /share/${id}/token`)).status).toBe(status);
  });

  it('is not told to the thief of a token once it is revoked', async () => {
    const at = await open();
    const { id } = await at.share(`item/${await at.item('First')}`);
    const how = byToken(await newToken(at.world, { as: maker }), json);
    const request = `GET /API/share/${id}/token`;
    expect((await at.world.send({ ...how, request })).status).toBe(200);
    await at.told('DELETE /user/maker/tokens', undefined, admin);
    expect((await at.world.send({ ...how, request })).status).toBe(401);
  });

  it('is another one with a new address: the old one ends, and guests who came by it are out', async () => {
    const at = await open();
    const item = await at.item('First');
    const { id, token: before } = await at.share(`item/${item}`, { title: 'T' });
    const guest = await at.guest(before);
    const from = await at.world.sequence();
    const { token } = (await at.told(`POST /share/${id}/token`)) as Read;
    expect((await at.world.events(from)).map(({ name }) => name)).toEqual(['share/modify']);
    expect([isGone(await at.enter(before)), isGone(await at.get(guest))]).toEqual([gone, gone]);
    expect((await at.enter(token)).status).toBe(200);
    expect(await at.told(`GET /share/${id}/token`)).toEqual({ token });
    expect(await at.told(`GET /share/${id}`)).toMatchObject({ title: 'T', used: 2 });
  });

  it('is kept by no service without a secret key, whose maker gives the share a new address', async () => {
    const at = await open({ secretKey: null });
    const { id, keepsToken } = await at.share(`item/${await at.item('First')}`);
    expect([keepsToken, (await at.send(`GET /share/${id}/token`)).status]).toEqual([false, 404]);
    const { token } = await at.told(`POST /share/${id}/token`);
    expect((await at.enter(token)).status).toBe(200);
  });
});
