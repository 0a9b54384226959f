import { retryWhenChanged } from '../core/lib/retry-when-changed.ts';
import { type CommitPlan, systemActor } from '../core/store/contract.ts';
import { CommandError, type RoomCommand, type RoomCommands, tellPages } from '../room/command.ts';
import { groupNamed, leavingGroups, putGroupIn } from './groups/change.ts';
import { deleteGroups, type PutGroup, putNothing } from './groups/rules.ts';
import { findGroup, listGroups } from './groups/store.ts';
import type { MembershipChange } from './memberships/rules.ts';
import { childrenOf, membersOf, parentsOf } from './memberships/store.ts';
import { existingUser, type IdentityDesk } from './user-commands.ts';

const mostShown = 1_000;

/** Commands for groups. Like all commands they have the rights of an administrator. */
export const groupCommands: RoomCommands<IdentityDesk> = {
  'group list': {
    usage: 'group list [--roles]',
    says: 'Lists the groups with their descriptions.',
    flags: ['--roles'],
    about: { '--roles': 'Lists the roles of the service instead.' },
    run: (line, desk) =>
      tellPages(desk, ['group', 'description'], 'There are no groups', async (page) => {
        const { groups } = await listGroups(desk.store, { ...page, role: line.has('--roles') });
        return groups.map(({ name, description }) => [name, description ?? '']);
      }),
  },
  'group show': {
    usage: 'group show GROUP',
    says: 'Shows the members and the parents of a group.',
    words: ['GROUP'],
    run: async ({ words }, desk) => {
      const { id, name, description } = await groupNamed(desk, words[0]!);
      const all = { id, limit: mostShown };
      const [users, children, parents] = await Promise.all([
        membersOf(desk.store, all),
        childrenOf(desk.store, all),
        parentsOf(desk.store, all),
      ]);
      desk.tell(description ? `${name}: ${description}` : name);
      for (const [what, rows] of [
        ['users', users],
        ['groups in it', children],
        ['groups that it is in', parents],
      ] as const) {
        const more = rows.length === mostShown ? `, and perhaps more than these ${mostShown}` : '';
        desk.tell(`${what}: ${rows.map((row) => row.name).join(', ') || 'none'}${more}`);
      }
    },
  },
  'group add': {
    usage: 'group add GROUP [--description TEXT]',
    says: 'Creates a group.',
    words: ['GROUP'],
    options: ['--description'],
    about: { '--description': 'What the group is for.' },
    run: async (line, desk) => {
      const [name] = line.words as [string];
      const description = line.option('--description').at(-1);
      if (await findGroup(desk.store, { name })) throw new CommandError(`Expected a name that no group has: "${name}"`);
      await put(desk, { ...putNothing(name), description }, 'either');
      desk.tell(`Created the group ${name}`);
    },
  },
  'group delete': {
    usage: 'group delete GROUP',
    says: 'Deletes a group. Its users stay.',
    words: ['GROUP'],
    run: async ({ words }, desk) => {
      const [name] = words as [string];
      await retryWhenChanged(async () => {
        const { leaving, power } = await leavingGroups(desk.store, [await groupNamed(desk, name)]);
        await desk.store.commit(deleteGroups(leaving, power, true), systemActor);
      });
      desk.tell(`Deleted the group ${name}`);
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
};

function membership(
  word: string,
  says: string,
  isSo: string,
  users: (user: string) => MembershipChange,
): RoomCommand<IdentityDesk> {
  return {
    usage: `group ${word} GROUP USER`,
    says,
    words: ['GROUP', 'USER'],
    run: async ({ words }, desk) => {
      const [group, userName] = words as [string, string];
      const user = await existingUser(desk, userName);
      await put(desk, { ...putNothing(group), users: users(user.name) }, 'there');
      desk.tell(`${user.name} ${isSo} ${group}`);
    },
  };
}

function put(desk: IdentityDesk, command: PutGroup, expected: 'there' | 'either'): Promise<void> {
  const by = { administers: true, onlyActs: false };
  const writer = { commit: (work: CommitPlan) => desk.store.commit(work, systemActor) };
  return putGroupIn(desk.store, { command, expected, by, now: desk.now }, writer);
}
