import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/core/store/store.ts';
import { backup, prepareRestored, restore } from '../../src/entry/native/backup.ts';
import { openDatabase } from '../../src/entry/native/open-database.ts';
import { alice, newUser } from '../support/cast.ts';
import { openWorld } from '../support/matrix.ts';
import { testRandom } from '../support/random.ts';
import { prepare } from '../support/scenario.ts';
import { storeSettings, temporaryDirectory } from '../support/store.ts';
import { browserAt, byToken, cookieOf, logIn, newKey, newToken, setPassword, who, whoIs } from '../support/ways.ts';

it('a restored database gives no id again that was given behind its backup, also none that was free', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory.path, 'portico.db');
  const open = async (file = path) => openStore(await openDatabase(`file:${file}`), storeSettings({ serialBlock: 8 }));
  const [first, second] = [await open(), await open()];
  await first.migrate();
  expect([await first.nextId('User'), await second.nextId('User')]).toEqual(['VX-1', 'VX-9']);
  await first.close();
  await second.close();
  // A file that was closed stays locked until its statements are collected.
  const copy = join(directory.path, 'copy.db');
  await copyFile(path, copy);
  await copyFile(`${path}-wal`, `${copy}-wal`).catch(() => undefined);
  prepareRestored(copy);
  const restored = await open(copy);
  expect(await restored.nextId('User')).toBe('VX-1000010');
  await restored.close();
  await directory.remove();
});

it('an attack: a session or token that a new password ended, or a used link, is good again after no restore', async () => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory.remove());
  const path = (name: string) => join(directory.path, name);
  const open = async (file: string, seed: number) =>
    openWorld('fetch', { database: await openDatabase(`file:${path(file)}`), random: testRandom(seed) });
  const first = await open('portico.db', 1);
  await prepare(first, [newUser(alice)]);
  const enter = (world: typeof first, text: string) =>
    browserAt(world)({ request: 'POST /APInoauth/session', body: text, headers: { 'content-type': 'text/plain' } });
  const link = () => first.service.rooms.identity.makeLink('alice');
  const [used, unused] = [await link(), await link()];
  const byLink = cookieOf(await enter(first, used));
  const cookies = [byLink, await logIn(browserAt(first), alice), await logIn(browserAt(first), alice, '?stay=true')];
  const [token, kept] = [
    await newToken(first, { as: alice }),
    await newToken(first, { as: alice }, '?autoRefresh=true'),
  ];
  const key = await newKey(first, 'alice');
  for (const cookie of cookies) expect(await who(browserAt(first), cookie)).toBe('alice');
  for (const text of [token, kept]) expect(await whoIs(first, byToken(text))).toBe('alice');

  await backup(path('portico.db'), path('copy.db'));
  await setPassword(first, 'alice', 'another');
  await restore(path('copy.db'), path('restored.db'), { force: false });

  const restored = await open('restored.db', 2);
  const events = await restored.sequence();
  for (const cookie of cookies) expect(await who(browserAt(restored), cookie)).toBe('401');
  for (const text of [token, kept]) expect(await whoIs(restored, byToken(text))).toBe('401 unknown-token');
  for (const text of [used, unused]) expect((await enter(restored, text)).status).toBe(401);
  // The password and the key of the backup are what is left of the ways in.
  expect([await whoIs(restored, { as: alice }), await whoIs(restored, { as: key.pair })]).toEqual(['alice', 'alice']);
  expect(await whoIs(restored, { as: ['alice', 'another'] })).toMatch(/^401/);
  expect(await restored.events(events)).toEqual([]);
});
