import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Statement } from '../../../src/core/store/contract.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { releaseFields, releaseRoles } from '../../support/declared.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { openService, type TestService, withService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/store.ts';

const drop = (sql: string): Statement => ({ sql, args: [] });
const text = { accept: 'text/plain' };
const nothing = `Created 0 roles and 0 metadata fields\r\n`;

async function contents(world: TestService) {
  const roles = await world.service.store.read(`SELECT id, name FROM "group" WHERE role = 1 ORDER BY name`);
  const fields = await world.service.store.read('SELECT name, type, system FROM metadata_field ORDER BY name');
  return { roles, fields };
}

const again: readonly Scenario[] = [
  {
    name: 'changes nothing when it is run again',
    request: 'POST /APIinit',
    headers: text,
    status: 200,
    says: { exact: nothing },
  },
  { name: 'minds no trailing slash', request: 'POST /APIinit/', status: 200, says: { exact: nothing } },
];

describeMatrix('POST /APIinit', (entry) => {
  itHolds(entry, again);

  it('creates what is missing and leaves the rest alone, also many times at once', async () => {
    const world = await entry.open();
    const { store } = world.service;
    const complete = await contents(world);
    const changes = [
      drop(`DELETE FROM "group" WHERE name LIKE '_item%'`),
      drop(`DELETE FROM metadata_field WHERE name = 'title'`),
    ];
    await store.commit({ changes, events: [] }, { user: 'test' });
    const missing = complete.roles.length - (await contents(world)).roles.length;
    expect(missing).toBeGreaterThan(5);
    const events = await world.events();
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.send({ request: 'POST /APIinit' })));
    expect(answers.map(({ status }) => status)).toEqual(new Array(8).fill(200));
    expect(answers.map(({ body }) => body)).toContain(`Created ${missing} roles and 1 metadata fields\r\n`);
    const { roles, fields } = await contents(world);
    expect(roles.map(([, name]) => name)).toEqual(complete.roles.map(([, name]) => name));
    expect(fields).toEqual(complete.fields);
    expect(await world.events()).toEqual(events);
    expect((await world.send({ request: 'POST /APIinit' })).body).toBe(nothing);
  });

  it('tells the self-test what is missing until then', async () => {
    const world = await entry.open();
    await world.service.store.commit(
      { changes: [drop(`DELETE FROM "group" WHERE name = '_export'`)], events: [] },
      { user: 'test' },
    );
    const selfTest = async () =>
      JSON.parse(
        (await world.send({ request: 'GET /APInoauth/selftest/database', headers: { accept: 'application/json' } }))
          .body,
      );
    expect(await selfTest()).toMatchObject({
      status: 'warning',
      message: [expect.stringContaining('Have you run initialization')],
      // A client's login page looks for these words.
      test: [{ name: 'roles', message: [expect.stringContaining('did APIInit run?')] }],
    });
    await world.send({ request: 'POST /APIinit' });
    expect(await selfTest()).toMatchObject({ status: 'ok' });
  });
});

describe('the first start', () => {
  it('brings the roles and fields of the release, and admin with its role', async () => {
    const world = await withService();
    const { roles, fields } = await contents(world);
    expect(roles.map(([, name]) => name)).toEqual([...releaseRoles]);
    expect(fields).toHaveLength(releaseFields.length);
    expect(await world.events()).toMatchObject([
      { name: 'user/create', entity: 'admin', user: 'system' },
      {
        name: 'group/modify',
        entity: '_administrator',
        payload: { mode: 'ADD', affectedUser: 'admin' },
        user: 'system',
      },
    ]);
    expect(world.madeUpPassword, 'it was given in the settings').toBeUndefined();
  });

  it('makes up a password where none is given, tells it once, and it works', async () => {
    const world = await withService({ settings: { adminPassword: undefined } });
    expect(world.madeUpPassword).toMatch(/^[A-Za-z2-9]{20}$/);
    const authorization = `Basic ${btoa(`admin:${world.madeUpPassword}`)}`;
    const answer = await world.service.fetch(new Request('http://x/API/whoami', { headers: { authorization } }));
    expect(answer.status).toBe(200);
    expect(JSON.stringify(world.lines)).not.toContain(world.madeUpPassword);
    expect(await world.service.start()).toEqual({ madeUpPassword: undefined });
  });

  it('happens once: starting again changes no password and makes no event', async () => {
    const world = await withService();
    const before = await world.service.store.read('SELECT * FROM user');
    await world.service.start();
    expect(await world.service.store.read('SELECT * FROM user')).toEqual(before);
    expect(await world.events()).toHaveLength(2);
  });

  it('refuses a database that needs migrations when it may not run them', async () => {
    const database = await openDatabase('memory:');
    const world = await withService({ database, settings: { migrate: false }, start: false });
    await expect(world.service.start()).rejects.toThrow('run "portico migrate" first');
  });
});

describe('two services that start on one database at the same time', () => {
  it('both start, and there is one admin', async () => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory.remove());
    const url = `file:${join(directory.path, 'portico.db')}`;
    const worlds = await Promise.all(
      [1, 2].map(async () =>
        openService({ database: await openDatabase(url), start: false, settings: { adminPassword: undefined } }),
      ),
    );
    const started = await Promise.all(worlds.map(({ service }) => service.start()));
    const made = started.map(({ madeUpPassword }) => madeUpPassword).filter((password) => password !== undefined);
    expect(made, 'one of them tells the password').toHaveLength(1);
    for (const { service } of worlds) {
      const authorization = `Basic ${btoa(`admin:${made[0]}`)}`;
      const answer = await service.fetch(
        new Request('http://x/API/user', { headers: { authorization, accept: 'application/json' } }),
      );
      expect([answer.status, ((await answer.json()) as { hits: number }).hits]).toEqual([200, 1]);
    }
    const { roles } = await contents(worlds[0]!);
    expect(new Set(roles.map(([id]) => id)).size).toBe(releaseRoles.length);
    for (const world of worlds) await world.close();
  });
});
