import { beforeEach, expect, it } from 'vitest';
import { groupCommands } from '../../src/identity/group-commands.ts';
import { userCommands } from '../../src/identity/user-commands.ts';
import { alice, newGroup, newUser } from '../support/cast.ts';
import { openWorld, type World } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { admin, testSettings } from '../support/service.ts';
import { open, password, secondFactor, sessionOf, withApp, withPasskey } from './second-factor/support.ts';

const commands = { ...userCommands(), ...groupCommands() };
let world: World;
beforeEach(async () => {
  world = await openWorld('fetch');
  await prepare(world, [newUser(alice), newGroup('crew')]);
});

/** Runs a command and returns its output. */
async function portico(name: string, ...given: readonly string[]): Promise<string> {
  const told: string[] = [];
  const { store } = world.service;
  const desk = {
    ...{ store, provides: {}, settings: testSettings, random: {}, now: () => world.clock.now() },
    tell: (text: string) => void told.push(text),
    readPassword: () => Promise.reject(new Error('Expected no question for a password')),
  };
  const flags = given.filter((word) => word.startsWith('--') && !word.includes('='));
  const line = {
    words: given.filter((word) => !word.startsWith('--')),
    has: (flag: string) => flags.includes(flag),
    option: (option: string) =>
      given.filter((word) => word.startsWith(`${option}=`)).map((word) => word.slice(option.length + 1)),
  };
  await commands[name]!.run(line, desk as never);
  return told.join('\n');
}

it('user list tells of each user its state and groups', async () => {
  await portico('group join', 'crew', 'alice');
  expect(await portico('user list')).toBe(
    'user   state    groups\nadmin  enabled  _administrator\nalice  enabled  crew',
  );
  expect(await portico('user list', '--disabled')).toBe('There are no such users');
  await portico('user disable', 'alice');
  expect(await portico('user list', '--disabled')).toBe('user   state     groups\nalice  disabled  crew');
});

it('user list goes through all pages', async () => {
  const insert = `INSERT INTO user (id, name, real_name, password, password_version, enabled, run_as, version, created_at)
    SELECT 'VX-9' || value, 'u' || value, NULL, NULL, 1, 1, 0, 1, 0 FROM json_each(?)`;
  const numbers = JSON.stringify(Array.from({ length: 1_000 }, (_, number) => 1_000 + number));
  await world.service.store.commit({ changes: [{ sql: insert, args: [numbers] }], events: [] }, { user: 'test' });
  const lines = (await portico('user list')).split('\n');
  expect([lines.length, new Set(lines).size]).toEqual([1_003, 1_003]);
});

it('group commands make a group, change who is in it, and delete it', async () => {
  const before = (await world.events()).length;
  expect(await portico('group add', 'cast', '--description=who plays')).toBe('Created the group cast');
  expect(await portico('group list')).toBe('group  description\ncast   who plays\ncrew');
  expect(await portico('group list', '--roles')).toContain('\n_administrator');
  expect(await portico('group join', 'cast', 'alice')).toBe('alice is in cast');
  expect(await portico('group show', 'cast')).toBe(
    'cast: who plays\nusers: alice\ngroups in it: none\ngroups that it is in: none',
  );
  expect(await portico('group leave', 'cast', 'alice')).toBe('alice is not in cast');
  expect(await portico('group delete', 'cast')).toBe('Deleted the group cast');
  expect((await world.events()).slice(before).map(({ name, entity, user }) => [name, entity, user])).toEqual([
    ['group/create', 'cast', 'system'],
    ['group/modify', 'cast', 'system'],
    ['group/modify', 'cast', 'system'],
    ['group/delete', 'cast', 'system'],
  ]);
});

it('a role that group join gives counts with the next request', async () => {
  const request = { as: alice, request: 'GET /API/user' };
  expect((await world.send(request)).status).toBe(403);
  await portico('group join', '_user_read', 'alice');
  expect((await world.send(request)).status).toBe(200);
});

it.each([
  ['group add', ['crew'], 'Expected a name that no group has: "crew"'],
  ['group add', ['_crew'], 'role-fixed undefined _crew'],
  ['group join', ['nobody', 'alice'], 'Group nobody'],
  ['group join', ['crew', 'bob'], 'User bob'],
  ['group delete', ['_user'], 'role-fixed'],
  ['group leave', ['_administrator', 'admin'], 'Expected "admin" to keep the role _administrator'],
] as const)('%s %j is refused, and names what it is about', async (name, words, expected) => {
  const refusal = await portico(name, ...words).then(
    () => 'nothing',
    (error) => `${error.message} ${error.code} ${error.detail?.type} ${error.detail?.id} ${error.detail?.explanation}`,
  );
  expect(refusal).toContain(expected);
  expect((await world.send({ as: admin, request: 'GET /API/whoami' })).status).toBe(200);
});

it('user forget-factors: who has lost app, passkey and codes comes in by the password alone, and no session ends', async () => {
  const opened = await open();
  world = opened.world;
  const { cookie } = await withApp(opened);
  await withPasskey(opened, undefined, cookie);
  expect((await password(opened)).body).toMatchObject({ needs: 'second-factor' });
  const before = (await world.events()).length;
  expect(await portico('user forget-factors', 'alice')).toBe('Removed the second factors of alice');
  expect((await world.events()).slice(before)).toMatchObject([
    { name: 'user/modify', entity: 'alice', user: 'system' },
  ]);
  expect((await opened.ask(`GET ${secondFactor}`, undefined, { cookie })).body).toEqual({
    policy: 'optional',
    factor: [],
    recoveryCodes: 0,
  });
  await sessionOf(opened);
  await expect(portico('user forget-factors', 'nobody')).rejects.toMatchObject({ code: 'no-such-entity' });
});
