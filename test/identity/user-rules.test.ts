import { describe, expect, it } from 'vitest';
import { createFirstAdministrator, initialise } from '../../src/administration/operations/initialise.ts';
import { ServiceError } from '../../src/core/lib/errors.ts';
import { systemActor } from '../../src/core/store/contract.ts';
import { deleteUser } from '../../src/identity/users/deletion-routes.ts';
import { changePassword, checkPassword, createUser, switchUser } from '../../src/identity/users/rules.ts';
import { findUser, listUsers } from '../../src/identity/users/store.ts';
import { noKeyValues } from '../../src/room/entities/key-values/store.ts';
import { testClock } from '../support/clock.ts';
import { releaseRoles } from '../support/declared.ts';
import { type TestService, withService } from '../support/service.ts';
import { memoryStore } from '../support/store.ts';

const actor = { user: 'somebody' };
const bob = { name: 'bob', realName: null, password: null, aliases: [], groups: [], metadata: noKeyValues };

async function hitsOf({ service }: TestService, enabled: boolean): Promise<number> {
  return (await listUsers(service.store, { enabled, offset: 0, limit: 10 })).hits;
}

describe('a change of a user', () => {
  it('says what was changed, and nothing where nothing was', async () => {
    const world = await withService();
    const { store } = world.service;
    const found = async () => (await findUser(store, { name: 'admin' }))!;
    const before = (await world.events()).length;
    await store.commit(changePassword(await found(), 'a hash'), actor);
    await store.commit(switchUser(await found(), true), actor);
    await store.commit(switchUser(await found(), false), actor);
    await store.commit(switchUser(await found(), false), actor);
    expect((await world.events()).slice(before)).toMatchObject([
      { name: 'user/modify', entity: 'admin', payload: { user: 'admin', changed: ['password'] }, user: 'somebody' },
      { name: 'user/modify', entity: 'admin', payload: { user: 'admin', changed: ['enabled'] } },
    ]);
    expect(JSON.stringify(await world.events())).not.toContain('a hash');
  });

  it('counts nobody twice, however often somebody is disabled from what was read before', async () => {
    const world = await withService();
    const { store } = world.service;
    const stale = (await findUser(store, { name: 'admin' }))!;
    for (let i = 0; i < 3; i++) await store.commit(switchUser(stale, false), actor);
    expect([await hitsOf(world, true), await hitsOf(world, false)]).toEqual([0, 1]);
    for (let i = 0; i < 3; i++) await store.commit(switchUser(stale, true), actor);
    expect([await hitsOf(world, true), await hitsOf(world, false)]).toEqual([1, 0]);
  });
});

it('deleting a user takes along what others keep of it, in the same commit', async () => {
  const { service } = await withService();
  const { store } = service;
  await store.commit(createUser(bob, 'VX-9', 0), actor);
  const row = (await findUser(store, { name: 'bob' }))!;
  const kept = { sql: `INSERT INTO counter (name, value) VALUES ('kept', 1)`, args: [] };
  await store.commit({ changes: [kept], events: [] }, actor);
  const forgotten = { sql: `DELETE FROM counter WHERE name = 'kept'`, args: [] };
  const broken = { sql: 'INSERT INTO guard (broken) VALUES (1)', args: [], refusal: new ServiceError('busy') };
  await expect(store.commit(deleteUser(row, [], [forgotten, broken]), actor)).rejects.toThrow('busy');
  expect(await store.read(`SELECT value FROM counter WHERE name = 'kept'`)).toEqual([[1]]);
  await store.commit(deleteUser(row, [], [forgotten]), actor);
  expect(await store.read(`SELECT value FROM counter WHERE name = 'kept'`)).toEqual([]);
});

describe('checkPassword', () => {
  it.each([
    ['', false],
    ['x', false],
    ['xx', true],
    ['x'.repeat(8), true],
    ['x'.repeat(9), false],
    ['x\tx', false],
  ])('of "%s" with 2 to 8 characters: %s', (password, good) => {
    const check = () => checkPassword(password, { minPasswordLength: 2, maxPasswordLength: 8 }, 'place');
    if (good) expect(check).not.toThrow();
    else expect(check).toThrow('Expected 2 to 8 characters');
  });
});

describe('the first administrator', () => {
  it('is made only where there is nobody at all', async () => {
    const store = await memoryStore();
    await initialise({ store, clock: testClock(), roles: releaseRoles, fields: [] }, systemActor);
    await store.commit(createUser(bob, 'VX-1', 0), actor);
    expect(await createFirstAdministrator(store, testClock(), async () => 'a hash')).toBe(false);
    expect(await findUser(store, { name: 'admin' })).toBeUndefined();
    await store.close();
  });
});
