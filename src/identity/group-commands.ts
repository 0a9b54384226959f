import { retryWhenChanged } from '../core/lib/retry-when-changed.ts';
import { type CommitPlan, systemActor } from '../core/store/contract.ts';
import { CommandError, type RoomCommand, type RoomCommands, tellPages } from '../room/command.ts';
import { groupNamed, leavingGroups, putGroupIn } from './groups/change.ts';
import { deleteGroups, type PutGroup, putNothing } from './groups/rules.ts';
import { findGroup, listGroups } from './groups/store.ts';
import type { MembershipChange } from './memberships/rules.ts';
import { childrenOf, membersOf, parentsOf } from './memberships/store.ts';
import { existingUser, type IdentityCommandContext } from './user-commands.ts';

const maxShown = 1_000;

/** Commands for groups. Like all commands they have the rights of an administrator. */
export const groupCommands = (): RoomCommands<IdentityCommandContext> => ({
  'group list': {
    usage: 'group list [--roles]',
    says: 'Lists the groups with their descriptions.',
    flags: ['--roles'],
    about: { '--roles': 'Lists the roles of the service instead.' },
    run: (line, context) =>
      tellPages(context, ['group', 'description'], 'There are no groups', async (page) => {
        const { groups } = await listGroups(context.store, { ...page, role: line.has('--roles') });
        return groups.map(({ name, description }) => [name, description ?? '']);
      }),
  },
  'group show': {
    usage: 'group show GROUP',
    says: 'Shows the members and the parents of a group.',
    words: ['GROUP'],
    run: async ({ words }, context) => {
      const { id, name, description } = await groupNamed(context, words[0]!);
      const all = { id, limit: maxShown };
      const [users, children, parents] = await Promise.all([
        membersOf(context.store, all),
        childrenOf(context.store, all),
        parentsOf(context.store, all),
      ]);
      context.tell(description ? `${name}: ${description}` : name);
      for (const [what, rows] of [
        ['users', users],
        ['groups in it', children],
        ['groups that it is in', parents],
      ] as const) {
        const more = rows.length === maxShown ? `, and perhaps more than these ${maxShown}` : '';
        context.tell(`${what}: ${rows.map((row) => row.name).join(', ') || 'none'}${more}`);
      }
    },
  },
  'group add': {
    usage: 'group add GROUP [--description TEXT]',
    says: 'Creates a group.',
    words: ['GROUP'],
    options: ['--description'],
    about: { '--description': 'What the group is for.' },
    run: async (line, context) => {
      const [name] = line.words as [string];
      const description = line.option('--description').at(-1);
      if (await findGroup(context.store, { name }))
        throw new CommandError(`Expected a name that no group has: "${name}"`);
      await put(context, { ...putNothing(name), description }, 'either');
      context.tell(`Created the group ${name}`);
    },
  },
  'group delete': {
    usage: 'group delete GROUP',
    says: 'Deletes a group. Its users stay.',
    words: ['GROUP'],
    run: async ({ words }, context) => {
      const [name] = words as [string];
      await retryWhenChanged(async () => {
        const { leaving, power } = await leavingGroups(context.store, [await groupNamed(context, name)]);
        await context.store.commit(deleteGroups(leaving, power, true), systemActor);
      });
      context.tell(`Deleted the group ${name}`);
    },
  },
  'group join': membership('join', 'Puts a user into a group or role.', 'is in', (user) => ({
    add: [user],
    remove: [],
  })),
  'group leave': membership('leave', 'Takes a user out of a group or role.', 'is not in', (user) => ({
    add: [],
    remove: [user],
  })),
});

function membership(
  word: string,
  says: string,
  isSo: string,
  users: (user: string) => MembershipChange,
): RoomCommand<IdentityCommandContext> {
  return {
    usage: `group ${word} GROUP USER`,
    says,
    words: ['GROUP', 'USER'],
    run: async ({ words }, context) => {
      const [group, userName] = words as [string, string];
      const user = await existingUser(context, userName);
      await put(context, { ...putNothing(group), users: users(user.name), adopts: true }, 'there');
      context.tell(`${user.name} ${isSo} ${group}`);
    },
  };
}

function put(context: IdentityCommandContext, command: PutGroup, expected: 'there' | 'either'): Promise<void> {
  const by = { administers: true, onlyActs: false };
  const writer = { commit: (work: CommitPlan) => context.store.commit(work, systemActor) };
  return putGroupIn(context.store, { command, expected, by, now: context.now }, writer);
}
