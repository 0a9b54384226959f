import { expect, it } from 'vitest';
import { mailOf, mailSettings } from '../../administration/notifications/mail/support.ts';
import { openWorld } from '../../support/matrix.ts';
import { by, done, jsonOf, rowsOf } from '../../support/requests.ts';
import { prepare } from '../../support/scenario.ts';
import { openProvider, patch, user } from './support.ts';

async function opened(settings: object = mailSettings(25)) {
  const { world, ask } = await openProvider((options) => openWorld('fetch', options), { settings });
  const emails = (...values: readonly string[]) => ({ emails: values.map((value) => ({ value, type: 'work' })) });
  const { json } = await ask('POST /Users', user('ann', emails('ann@example.com')));
  const id = json.id as string;
  return {
    ...{ world, ask, id },
    mail: async (name = 'ann') => {
      const { address, confirmed } = await jsonOf(world, `GET /API/user/${name}/mail`);
      return [address, confirmed];
    },
    put: async (...values: readonly string[]) => (await ask(`PUT /Users/${id}`, user('ann', emails(...values)))).status,
  };
}

it('a user whom a provider brings gets mail at the address of the provider, and follows it', async () => {
  const { world, ask, id, mail, put } = await opened();
  expect(await mail()).toEqual(['ann@example.com', true]);
  const before = await world.sequence();
  expect(await put('ann@example.com')).toBe(200);
  expect(await world.events(before)).toEqual([]);
  expect(await put('ann@example.org', 'ann@home.example')).toBe(200);
  expect(await mail()).toEqual(['ann@example.org', true]);
  const primary = {
    op: 'replace',
    path: 'emails',
    value: [{ value: 'a@b.example' }, { value: 'c@d.example', primary: true }],
  };
  const renamed = { op: 'replace', path: 'userName', value: 'anna' };
  expect((await ask(`PATCH /Users/${id}`, patch(primary, renamed))).status).toBe(200);
  expect(await mail('anna')).toEqual(['c@d.example', true]);
  const named = await rowsOf(world, 'subscription');
  expect(named.filter(({ selector }) => selector === 'mention anna').length).toBeGreaterThan(0);
  expect(named.filter(({ selector }) => selector === 'mention ann')).toEqual([]);
  const none = { op: 'remove', path: 'emails' };
  expect((await ask(`PATCH /Users/${id}`, patch(none))).status).toBe(200);
  expect([await mail('anna'), await rowsOf(world, 'mailbox')]).toEqual([[undefined, undefined], []]);
  expect((await ask(`PATCH /Users/${id}`, patch(primary))).status).toBe(200);
  expect(await mail('anna')).toEqual(['c@d.example', true]);
});

it('another address of a user stays, and so does the end of mail', async () => {
  const { world, mail, put } = await opened();
  await prepare(world, [mailOf('ann', { address: 'ann@chosen.example' })]);
  expect([await put('ann@example.org'), await mail()]).toEqual([200, ['ann@chosen.example', true]]);
  await prepare(world, [by('DELETE /API/user/ann/mail')]);
  expect([await put('ann@example.net'), await mail()]).toEqual([200, [undefined, undefined]]);
});

it('a text that is no address brings no mail, and a service without a server of mail keeps none', async () => {
  const { mail, put } = await opened();
  expect([await put('no address'), await mail()]).toEqual([200, [undefined, undefined]]);
  const without = await opened({});
  expect(await rowsOf(without.world, 'mailbox')).toEqual([]);
});

it('attack: a provider leads mail of an administrator nowhere', async () => {
  const { world, ask, mail } = await opened();
  const { id } = (await rowsOf(world, 'user')).find(({ name }) => name === 'admin')!;
  const stolen = { op: 'add', path: 'emails', value: [{ value: 'mallory@example.com' }] };
  expect((await ask(`PATCH /Users/${id}`, patch(stolen))).status).toBe(403);
  expect(await mail('admin')).toEqual([undefined, undefined]);
  expect(await done(world, by('GET /API/user/admin'))).toMatchObject({ userName: 'admin' });
});
