import { expect, it } from 'vitest';
import { readStored } from '../../src/administration/notifications/documents/notification.ts';
import { unmask } from '../../src/administration/notifications/secrets/masking.ts';
import { openSecret } from '../../src/administration/notifications/secrets/sealing.ts';
import { newNotification, notificationDocument, onCreate, onModify } from '../administration/notifications/support.ts';
import { describeMatrix, type Sent, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

const base = '/API/group/notification';
const secret = 'canary-7f3a';
const address = `https://ann:${secret}@hooks.example/in?x=1`;
const masked = 'https://***:***@hooks.example/in?x=1';
const withUrl = (url: string, trigger: object = onCreate): object => notificationDocument(trigger, { url });
const put = (url: string, trigger?: object): Sent => ({
  as: admin,
  request: `PUT ${base}/VX-1`,
  body: withUrl(url, trigger),
  headers: { accept: 'application/json' },
});

/** The address that a delivery would be made to. */
async function opened(world: World): Promise<string | undefined> {
  const [row] = await world.service.store.read(`SELECT document, sealed FROM notification WHERE id = 'VX-1'`);
  const [document, sealed] = row as [string, string | null];
  const stored = readStored(document);
  if (sealed === null) return stored.action.http?.url;
  return unmask(stored, await openSecret(world.service.rooms.notifications.vault, sealed, 'VX-1')).action.http?.url;
}

async function everything(world: World): Promise<string> {
  const { store } = world.service;
  const tables = await store.read(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`);
  const rows = await Promise.all(tables.flat().map((table) => store.read(`SELECT * FROM "${table}"`)));
  return JSON.stringify(rows);
}

describeMatrix('credentials of a notification', (entry) => {
  it('are found in no answer, no table and no log line', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate, { url: address })]);
    const answers = [await world.send(put(masked, onModify)), await world.send(put(address))];
    for (const target of ['', '/VX-1', '/VX-1/health']) {
      for (const accept of ['application/json', 'application/xml']) {
        answers.push(await world.send({ as: admin, request: `GET ${base}${target}`, headers: { accept } }));
      }
    }
    for (const { status, body } of answers) expect([status, body]).toEqual([200, expect.not.stringContaining(secret)]);
    expect(answers[0]!.body).toContain(masked);
    expect([await everything(world), world.printed.join('\n')].filter((text) => text.includes(secret))).toEqual([]);
    expect(await opened(world)).toBe(address);
  });

  it('are not told by a refusal, also where the address is none', async () => {
    const world = await entry.open();
    for (const url of [
      `https://ann:${secret}@`,
      `ftp://ann:${secret}@a.example/`,
      `ann:${secret}@a.example`,
      `https://ann:${secret}@a.example:99999/`,
    ]) {
      const { status, body } = await world.send({ ...newNotification(onCreate, { url }) });
      expect([url, status, body]).toEqual([url, 400, expect.not.stringContaining(secret)]);
    }
  });

  it('stay when a document comes back with the mask that it was read with', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate, { url: address }), put(masked, onModify)]);
    expect(await opened(world)).toBe(address);
    await prepare(world, [put('https://***:***@hooks.example/other')]);
    expect(await opened(world)).toBe(`https://ann:${secret}@hooks.example/other`);
  });

  it.each([
    'https://***:***@evil.example/in?x=1',
    'https://***:***@hooks.example.evil.example/in?x=1',
    'https://***:***@hooks.example:444/in?x=1',
    'http://***:***@hooks.example/in?x=1',
    'https:\\\\***:***@evil.example\\in',
  ])('cannot be had by sending the mask with an address of one’s own: %s', async (url) => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate, { url: address })]);
    const { status, body } = await world.send(put(url));
    expect([status, body]).toEqual([400, expect.stringContaining('somebody else')]);
    expect(await opened(world)).toBe(address);
  });

  it.each([
    ['https://bob:***@hooks.example/in?x=1', `https://bob:${secret}@hooks.example/in?x=1`],
    ['https://bob:%2A%2A%2A@hooks.example/in', `https://bob:${secret}@hooks.example/in`],
    ['https://***:new@hooks.example/in', 'https://ann:new@hooks.example/in'],
    ['https://%2A%2A%2A:%2A%2A%2A@hooks.example/in', `https://ann:${secret}@hooks.example/in`],
  ])('stay in the part that is still the mask: %s', async (url, after) => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate, { url: address })]);
    const { status, body } = await world.send(put(url));
    expect([status, body]).toEqual([200, expect.stringContaining('https://***:***@hooks.example/in')]);
    expect(await opened(world)).toBe(after);
  });

  it.each([
    'https://bob:***@evil.example/in',
    'https://***:new@evil.example/in',
    'https://bob:%2A%2A%2A@hooks.example:444/in',
  ])('cannot be had by half a mask with an address of one’s own: %s', async (url) => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate, { url: address })]);
    const { status, body } = await world.send(put(url));
    expect([status, body]).toEqual([400, expect.stringContaining('somebody else')]);
    expect(await opened(world)).toBe(address);
  });

  it.each(['https://bob:***@a.example/', 'https://***:b@a.example/', 'https://bob:%2A%2A%2A@a.example/'])(
    'are not half a mask where nothing is stored: %s',
    async (url) => {
      const world = await entry.open();
      const nothing = [400, expect.stringContaining('nothing is stored')];
      const created = await world.send(newNotification(onCreate, { url }));
      expect([created.status, created.body]).toEqual(nothing);
      await prepare(world, [newNotification(onCreate, { url: 'https://a.example/' })]);
      const answer = await world.send(put(url));
      expect([answer.status, answer.body]).toEqual(nothing);
    },
  );

  it('are not half a mask where that half is not stored', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate, { url: 'https://token@hooks.example/in' })]);
    const { status, body } = await world.send(put('https://bob:***@hooks.example/in'));
    expect([status, body]).toEqual([400, expect.stringContaining('nothing is stored')]);
    expect(await opened(world)).toBe('https://token@hooks.example/in');
  });

  it('are not the mask itself where nothing is stored', async () => {
    const world = await entry.open();
    const created = await world.send(newNotification(onCreate, { url: masked }));
    expect([created.status, created.body]).toEqual([400, expect.stringContaining('nothing is stored')]);
    await prepare(world, [newNotification(onCreate)]);
    expect((await world.send(put('http://***:***@hooks.example/in'))).status).toBe(400);
  });

  it('go when an address without any takes their place', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate, { url: address }), put('https://hooks.example/in?x=1')]);
    const [row] = await world.service.store.read('SELECT sealed FROM notification');
    expect([row, await opened(world)]).toEqual([[null], 'https://hooks.example/in?x=1']);
    expect((await world.send(put(masked))).status).toBe(400);
  });

  it('cannot be moved to another notification in the database', async () => {
    const world = await entry.open();
    await prepare(world, [newNotification(onCreate, { url: address })]);
    const [[sealed]] = (await world.service.store.read('SELECT sealed FROM notification')) as [[string]];
    await expect(openSecret(world.service.rooms.notifications.vault, sealed, 'VX-2')).rejects.toThrow(
      'belongs elsewhere',
    );
  });

  it('are refused where there is no key, and what has none is taken', async () => {
    const world = await entry.open({ secretKey: null });
    const { status, body } = await world.send(newNotification(onCreate, { url: address }));
    expect([status, body]).toEqual([403, expect.stringContaining('PORTICO_SECRET_KEY')]);
    expect((await world.send(newNotification(onCreate))).status).toBe(200);
    expect((await world.send({ as: admin, request: `POST ${base}/VX-2/secret` })).status).toBe(403);
  });
});
