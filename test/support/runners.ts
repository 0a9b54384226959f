import { newUser } from './cast.ts';
import type { Entry, World } from './matrix.ts';
import { prepare } from './scenario.ts';
import type { Credentials } from './service.ts';
import { switchTo } from './ways.ts';

const known = (name: string): Credentials => [name, `password of ${name}`];
export const [alice, portal, boss, plain, roleOnly, optionOnly] = [
  'alice',
  'portal',
  'boss',
  'plain',
  'role-only',
  'option-only',
].map(known) as [Credentials, Credentials, Credentials, Credentials, Credentials, Credentials];

/** Who may act for others, and who lacks one of the two things that it takes. */
export const runners = [
  newUser(alice, ['_group_write'], { alias: ['al'] }),
  newUser(known('jörg')),
  newUser(known('gone')),
  newUser(portal, ['_runas', '_user_read'], { alias: ['door'] }),
  newUser(boss, ['_administrator']),
  newUser(plain),
  newUser(roleOnly, ['_runas'], { runAs: false }),
  newUser(optionOnly, [], { runAs: true }),
];

export const acting = (as: Credentials, name: string, request = 'GET /API/whoami') => ({
  as,
  request,
  headers: { runas: name },
});

/** With these people, one of whom is disabled. */
export async function openRunners(open: Entry['open']): Promise<World> {
  const world = await open();
  await prepareRunners(world);
  return world;
}

export async function prepareRunners(world: World): Promise<void> {
  await prepare(world, runners);
  await switchTo(world, 'gone', false);
}
