import { existing } from '../core/lib/checks.ts';
import { randomText } from '../core/lib/random.ts';
import { systemActor } from '../core/store/contract.ts';
import {
  type CommandContext,
  CommandError,
  type CommandLine,
  type RoomCommand,
  type RoomCommands,
  tellPages,
} from '../room/command.ts';
import { noKeyValues } from '../room/entities/key-values/store.ts';
import type { Passwords } from './passwords/passwords.ts';
import { removeFactors } from './second-factor/rules.ts';
import { type IdentitySettings, soundPasswordLength } from './settings.ts';
import type { IssueToken } from './tokens/issue.ts';
import { lifetimeOf, revokeAll } from './tokens/rules.ts';
import { changePassword, checkPassword, createUser, letRunAs, noSuchUser, soundly, switchUser } from './users/rules.ts';
import { findLogin, findUser, listUsers, relationsOfUser } from './users/store.ts';

/** Interface of this room for its commands and for tests. */
interface IdentityProvided {
  readonly passwords: Passwords;
  readonly issueToken: IssueToken;
}

export type IdentityCommandContext = CommandContext<IdentityProvided, IdentitySettings>;

const madeUpLength = 20;
const aboutShort = `Takes a password of fewer than ${soundPasswordLength} characters, down to PORTICO_MIN_PASSWORD_LENGTH.`;

/** A running server sees the change at once. */
export const userCommands = (): RoomCommands<IdentityCommandContext> => ({
  'user list': {
    usage: 'user list [--disabled]',
    says: 'Lists the users with their state and groups.',
    flags: ['--disabled'],
    about: { '--disabled': 'Lists only the users who are disabled.' },
    run: (line, context) =>
      tellPages(context, ['user', 'state', 'groups'], 'There are no such users', async (page) => {
        const { users } = await listUsers(context.store, {
          ...page,
          ...(line.has('--disabled') && { enabled: false }),
        });
        const { groups } = await relationsOfUser(
          context.store,
          users.map(({ id }) => id),
        );
        return users.map(({ id, name, enabled }) => {
          const names = (groups.get(id) ?? []).map((group) => group.name);
          return [name, enabled === 1 ? 'enabled' : 'disabled', names.join(', ')];
        });
      }),
  },
  'user add': {
    usage: 'user add NAME [--admin] [--generate] [--short]',
    says: 'Creates a user. The password is read from standard input, or generated with --generate.',
    words: ['NAME'],
    flags: ['--admin', '--generate', '--short'],
    about: {
      '--admin': 'Puts the user into _administrator.',
      '--generate': 'Makes a password up and prints it once.',
      '--short': aboutShort,
    },
    run: async (line, context) => {
      const name = line.words[0]!;
      const password = await choosePassword(line, context);
      const command = {
        name,
        realName: null,
        password: await context.provides.passwords.hash(password),
        aliases: [],
        groups: line.has('--admin') ? ['_administrator'] : [],
        metadata: noKeyValues,
      };
      const id = await context.store.nextId('user');
      await context.store.commit(createUser(command, id, context.now()), systemActor);
      context.tell(`Created ${name}`);
      showMadeUp(line, context, password);
    },
  },
  'user password': {
    usage: 'user password NAME [--generate] [--short]',
    says: 'Sets the password of a user.',
    words: ['NAME'],
    flags: ['--generate', '--short'],
    about: { '--generate': 'Makes a password up and prints it once.', '--short': aboutShort },
    run: async (line, context) => {
      const name = line.words[0]!;
      const user = await existingUser(context, name);
      const password = await choosePassword(line, context);
      await context.store.commit(changePassword(user, await context.provides.passwords.hash(password)), systemActor);
      context.tell(`Changed the password of ${user.name}`);
      showMadeUp(line, context, password);
    },
  },
  'user disable': switching('disable', 'Shuts a user out at once.', false),
  'user enable': switching('enable', 'Lets a disabled user in again.', true),
  'user forget-factors': {
    usage: 'user forget-factors NAME',
    says: 'Removes the second factors and recovery codes of a user who has lost them.',
    words: ['NAME'],
    run: async (line, context) => {
      const user = await existingUser(context, line.words[0]!);
      await context.store.commit(removeFactors(user), systemActor);
      context.tell(`Removed the second factors of ${user.name}`);
    },
  },
  'user run-as': {
    usage: 'user run-as NAME on|off',
    says: 'Allows or forbids an account to act for others (header RunAs). It also needs the role _runas.',
    words: ['NAME', 'on|off'],
    run: async (line, context) => {
      const name = line.words[0]!;
      const word = line.words[1]!;
      if (word !== 'on' && word !== 'off') throw new CommandError(`Expected "on" or "off": "${word.slice(0, 80)}"`);
      const user = await existingUser(context, name);
      await context.store.commit(letRunAs(user, word === 'on'), systemActor);
      context.tell(`${user.name} may ${word === 'on' ? '' : 'not '}act for others`);
    },
  },
});

function switching(word: string, says: string, enabled: boolean): RoomCommand<IdentityCommandContext> {
  return {
    usage: `user ${word} NAME`,
    says,
    words: ['NAME'],
    run: async (line, context) => {
      const name = line.words[0]!;
      const user = await existingUser(context, name);
      await context.store.commit(switchUser(user, enabled), systemActor);
      context.tell(`${user.name} is ${enabled ? 'enabled' : 'disabled'}`);
    },
  };
}

export async function existingUser(context: IdentityCommandContext, name: string) {
  const user = existing(await findUser(context.store, { name }), noSuchUser, name);
  return user;
}

async function choosePassword(line: CommandLine, context: IdentityCommandContext): Promise<string> {
  if (line.has('--generate')) return randomText(context.random, madeUpLength);
  const password = await context.readPassword();
  checkPassword(password, line.has('--short') ? context.settings : soundly(context.settings), 'password');
  return password;
}

/** Shown only after it is stored, so that it is certainly the password. */
function showMadeUp(line: CommandLine, context: IdentityCommandContext, password: string): void {
  if (line.has('--generate')) context.tell(`Password, shown only now: ${password}`);
}

const day = 24 * 60 * 60;

export const tokenCommands = (): RoomCommands<IdentityCommandContext> => ({
  'token new': {
    usage: 'token new NAME [--seconds N] [--refresh]',
    says: 'Prints a token of a user, valid for a day or --seconds. With --refresh each use restarts that time.',
    words: ['NAME'],
    flags: ['--refresh'],
    options: ['--seconds'],
    about: {
      '--seconds': 'How long the token is valid.',
      '--refresh': 'Each use of the token begins this time again.',
    },
    run: async (line, context) => {
      const name = line.words[0]!;
      const login = existing(await findLogin(context.store, { name }), noSuchUser, name);
      if (login.enabled !== 1) throw new CommandError(`Expected a user who is enabled: "${login.name}"`);
      const lifetime = lifetimeOf(secondsOf(line), { defaultValue: day * 1000, max: 0 }, true);
      const from = { way: 'command' } as const;
      const issue = { kind: 'token', lifetime, autoRefresh: line.has('--refresh'), keyId: null, from } as const;
      const { token, work } = context.provides.issueToken(login, issue);
      await context.store.commit(work, systemActor);
      context.tell(token);
    },
  },
  'token revoke': {
    usage: 'token revoke NAME',
    says: 'Ends every token of a user at once.',
    words: ['NAME'],
    run: async (line, context) => {
      const name = line.words[0]!;
      const user = await existingUser(context, name);
      await context.store.commit(revokeAll(user), systemActor);
      context.tell(`Ended the tokens of ${user.name}`);
    },
  },
});

function secondsOf(line: CommandLine): number | undefined {
  const text = line.option('--seconds').at(-1);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new CommandError(`Expected a whole number of seconds after --seconds: "${text.slice(0, 80)}"`);
}
