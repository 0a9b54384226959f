import { noKeyValues } from '../../identity/key-values/store.ts';
import {
  changePassword,
  checkPassword,
  createUser,
  letRunAs,
  noSuchUser,
  switchUser,
} from '../../identity/users/rules.ts';
import { findUser } from '../../identity/users/store.ts';
import { systemClock } from '../../lib/clock.ts';
import { randomText, systemRandom } from '../../lib/random.ts';
import type { Service } from '../../service.ts';
import { systemActor } from '../../store/contract.ts';
import { tell } from '../output.ts';
import { type Command, CommandError, type Given } from './command.ts';
import { readPassword } from './password-input.ts';
import { withService } from './session.ts';

const madeUpLength = 20;

/** Written for whoever has the database: no credentials are asked for. A running server sees the change at once. */
export const userCommands: readonly (readonly [string, Command])[] = [
  [
    'user add',
    {
      usage: 'user add NAME [--admin] [--generate]',
      says: 'Creates a user. The password is read from the input, or made up with --generate.',
      words: ['NAME'],
      flags: ['--admin', '--generate'],
      run: (given) =>
        onUsers(given, async (service, name) => {
          const password = await choosePassword(given);
          const command = {
            name,
            realName: null,
            password: await service.rooms.identity.passwords.hash(password),
            aliases: [],
            groups: given.has('--admin') ? ['_administrator'] : [],
            metadata: noKeyValues,
          };
          const id = await service.store.nextId('user');
          await service.store.commit(createUser(command, id, systemClock.now()), systemActor);
          tell(`Created ${name}`);
          showMadeUp(given, password);
        }),
    },
  ],
  [
    'user password',
    {
      usage: 'user password NAME [--generate]',
      says: 'Sets the password of a user.',
      words: ['NAME'],
      flags: ['--generate'],
      run: (given) =>
        onUsers(given, async (service, name) => {
          const user = await existingUser(service, name);
          const password = await choosePassword(given);
          await service.store.commit(
            changePassword(user, await service.rooms.identity.passwords.hash(password)),
            systemActor,
          );
          tell(`Changed the password of ${user.name}`);
          showMadeUp(given, password);
        }),
    },
  ],
  ['user disable', switching('disable', 'Shuts a user out at once.', false)],
  ['user enable', switching('enable', 'Lets a disabled user in again.', true)],
  [
    'user run-as',
    {
      usage: 'user run-as NAME on|off',
      says: 'Lets an account act for others (header RunAs), beside the role _runas that it needs for that; or no more.',
      words: ['NAME', 'on|off'],
      run: (given) =>
        onUsers(given, async (service, name) => {
          const word = given.words[1]!;
          if (word !== 'on' && word !== 'off') throw new CommandError(`Expected "on" or "off": "${word.slice(0, 80)}"`);
          const user = await existingUser(service, name);
          await service.store.commit(letRunAs(user, word === 'on'), systemActor);
          tell(`${user.name} may ${word === 'on' ? '' : 'not '}act for others`);
        }),
    },
  ],
];

function switching(word: string, says: string, enabled: boolean): Command {
  return {
    usage: `user ${word} NAME`,
    says,
    words: ['NAME'],
    run: (given) =>
      onUsers(given, async (service, name) => {
        const user = await existingUser(service, name);
        await service.store.commit(switchUser(user, enabled), systemActor);
        tell(`${user.name} is ${enabled ? 'enabled' : 'disabled'}`);
      }),
  };
}

export function onUsers(given: Given, work: (service: Service, name: string) => Promise<void>): Promise<void> {
  return withService(given.settings(), async (service) => {
    // A command must not migrate under a server of another version.
    await service.store.checkSchema();
    await work(service, given.words[0]!);
  });
}

export async function existingUser(service: Service, name: string) {
  const user = await findUser(service.store, { name });
  if (!user) throw noSuchUser(name);
  return user;
}

async function choosePassword(given: Given): Promise<string> {
  if (given.has('--generate')) return randomText(systemRandom, madeUpLength);
  const password = await readPassword();
  checkPassword(password, given.settings(), 'password');
  return password;
}

/** Once it is the password: before that, nobody should write it down. */
function showMadeUp(given: Given, password: string): void {
  if (given.has('--generate')) tell(`Password, shown only now: ${password}`);
}
