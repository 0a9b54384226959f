import { systemActor } from '../../core/store/contract.ts';
import { CommandError, type CommandLine, type RoomCommands } from '../../room/command.ts';
import { lifetimeOf, revokeAll } from '../tokens/rules.ts';
import { noSuchUser } from '../users/rules.ts';
import { findLogin } from '../users/store.ts';
import type { IdentityDesk } from './desk.ts';
import { existingUser } from './users.ts';

const day = 24 * 60 * 60;

export const tokenCommands: RoomCommands<IdentityDesk> = {
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
    run: async (line, desk) => {
      const name = line.words[0]!;
      const login = await findLogin(desk.store, { name });
      if (!login) throw noSuchUser(name);
      if (login.enabled !== 1) throw new CommandError(`Expected a user who is enabled: "${login.name}"`);
      const lifetime = lifetimeOf(secondsOf(line), { usual: day * 1000, most: 0 }, true);
      const issue = { kind: 'token', lifetime, autoRefresh: line.has('--refresh'), keyId: null } as const;
      const { token, work } = desk.offers.issueToken(login, issue);
      await desk.store.commit(work, systemActor);
      desk.tell(token);
    },
  },
  'token revoke': {
    usage: 'token revoke NAME',
    says: 'Ends every token of a user at once.',
    words: ['NAME'],
    run: async (line, desk) => {
      const name = line.words[0]!;
      const user = await existingUser(desk, name);
      await desk.store.commit(revokeAll(user), systemActor);
      desk.tell(`Ended the tokens of ${user.name}`);
    },
  },
};

function secondsOf(line: CommandLine): number | undefined {
  const text = line.option('--seconds').at(-1);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new CommandError(`Expected a whole number of seconds after --seconds: "${text.slice(0, 80)}"`);
}
