import { lifetimeOf, revokeAll } from '../../identity/tokens/rules.ts';
import { noSuchUser } from '../../identity/users/rules.ts';
import { findLogin } from '../../identity/users/store.ts';
import { systemActor } from '../../store/contract.ts';
import { tell } from '../output.ts';
import { type Command, CommandError, type Given } from './command.ts';
import { existingUser, onUsers } from './user.ts';

const day = 24 * 60 * 60;

/** For whoever has the database, as the commands about users are. */
export const tokenCommands: readonly (readonly [string, Command])[] = [
  [
    'token new',
    {
      usage: 'token new NAME [--seconds N] [--refresh]',
      says: 'Prints a token of a user, valid for a day or as long as said; with --refresh each use begins that anew.',
      words: ['NAME'],
      flags: ['--refresh'],
      options: ['--seconds'],
      run: (given) =>
        onUsers(given, async (service, name) => {
          const login = await findLogin(service.store, { name });
          if (!login) throw noSuchUser(name);
          if (login.enabled !== 1) throw new CommandError(`Expected a user who is enabled: "${login.name}"`);
          const lifetime = lifetimeOf(secondsOf(given), { usual: day * 1000, most: 0 }, true);
          const issue = { lifetime, autoRefresh: given.has('--refresh'), keyId: null };
          const { token, work } = service.rooms.identity.issueToken(login, issue);
          await service.store.commit(work, systemActor);
          tell(token);
        }),
    },
  ],
  [
    'token revoke',
    {
      usage: 'token revoke NAME',
      says: 'Ends every token of a user at once.',
      words: ['NAME'],
      run: (given) =>
        onUsers(given, async (service, name) => {
          const user = await existingUser(service, name);
          await service.store.commit(revokeAll(user), systemActor);
          tell(`Ended the tokens of ${user.name}`);
        }),
    },
  ],
];

function secondsOf(given: Given): number | undefined {
  const text = given.option('--seconds').at(-1);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new CommandError(`Expected a whole number of seconds after --seconds: "${text.slice(0, 80)}"`);
}
