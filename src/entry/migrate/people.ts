import type { GroupDocument, GroupListDocument, UserDocument } from '../../types.ts';
import { Refused, Unanswered } from './calls.ts';
import { carry, type Difference, type Migration, makeEmpty, type Parts } from './carry.ts';
import { entriesOf, many } from './original.ts';
import { at, type Path } from './places.ts';

type Group = Partial<GroupDocument>;
type User = Partial<UserDocument>;

const pageOfPeople = 500;

export const isRole = ({ role, groupName = '' }: Group): boolean =>
  String(role) === 'true' || groupName.startsWith('_');

/** Users that every service has of its own. */
const ownUsers = new Set(['admin', 'system']);

export const groupsOf = ({ original, report }: Migration): AsyncGenerator<Group> =>
  entriesOf<Group>({
    size: pageOfPeople,
    idOf: ({ groupName = '' }) => groupName,
    broken: (position, error) => report.unread('group', position, error),
    short: (expected, found) => report.short('group', expected, found),
    async read(page) {
      return original.list<Group>(original.pagePath(at`/group`, page), 'group');
    },
  });

export const usersOf = ({ original, report }: Migration): AsyncGenerator<User> =>
  entriesOf<User>({
    size: pageOfPeople,
    idOf: ({ userName = '' }) => userName,
    broken: (position, error) => report.unread('user', position, error),
    short: (expected, found) => report.short('user', expected, found),
    async read(page) {
      return original.list<User>(original.pagePath(at`/user`, page), 'user');
    },
  });

const namesIn = (list: GroupListDocument | null | undefined): readonly string[] =>
  many(list?.group).flatMap(({ groupName }) => groupName ?? []);

/** Names of the service for which the caller writes, in a list with those to remove. */
const listed = (names: readonly string[], gone: ReadonlySet<string>): GroupListDocument => ({
  group: [
    ...names.map((groupName) => ({ groupName })),
    ...goneNames(gone, 'group').map((groupName) => ({ groupName, remove: true })),
  ],
});

const goneNames = (gone: ReadonlySet<string>, kind: string): readonly string[] =>
  [...gone].filter((key) => key.startsWith(`${kind}/`)).map((key) => key.slice(kind.length + 1));

/** A part for each group, so that a later run finds which one was left. */
const groupParts = (names: readonly string[]): Parts =>
  Object.fromEntries(names.map((name) => [`group/${name}`, name]));
const namesOf = (parts: Parts): string[] =>
  Object.entries(parts).flatMap(([key, value]) => (key.startsWith('group/') ? [value as string] : []));

/** Groups with their roles and parents, then users with their groups. Passwords do not come. */
export async function carryPeople(migration: Migration): Promise<void> {
  const { original, target, report } = migration;
  const groups: Group[] = [];
  for await (const group of groupsOf(migration)) if (!isRole(group)) groups.push(group);
  const roles = namesIn(await target.read<GroupListDocument>(at`/group?role=true`));
  const possible = new Set([...roles, ...groups.flatMap(({ groupName }) => groupName ?? [])]);
  const possibleNames = (names: readonly string[], member: string): string[] =>
    [...new Set(names)].filter((name) => {
      if (!possible.has(name)) report.remark(`There is no role or group "${name}" here`, member);
      return possible.has(name);
    });

  // Groups may be in groups that come later.
  const names = groups.map(({ groupName = '' }) => groupName);
  await makeEmpty(migration, 'group', names, groupPath);
  await carry<Group>(migration, {
    kind: 'group',
    entries: groups,
    idOf: ({ groupName = '' }) => groupName,
    async partsOf({ groupName: name = '' }) {
      const document = await original.api.read<Group>(groupPath(name));
      if (document.groupName !== name) throw new Unanswered(`Expected the group "${name}": found another document`);
      const { description, metadata, parentGroupList } = document;
      return { own: { description, metadata }, ...groupParts(possibleNames(namesIn(parentGroupList), name)) };
    },
    async put({ groupName: name = '' }, { parts, gone }) {
      const own = parts['own'] as Group;
      await target.write('PUT', groupPath(name), { ...own, parentGroupList: listed(namesOf(parts), gone) });
      return name;
    },
  });

  await carry<User>(migration, {
    kind: 'user',
    entries: othersOf(migration, usersOf(migration)),
    idOf: ({ userName = '' }) => userName,
    async partsOf(entry) {
      const { userName: name = '' } = entry;
      // Lists of old releases are without groups.
      const user = entry.groupList ? entry : await original.api.read<User>(userPath(name));
      if (user.userName !== name) throw new Unanswered(`Expected the user "${name}": found another document`);
      const { realName, alias, metadata } = user;
      const disabled = String(user.disabled) === 'true';
      return {
        own: { realName, alias: many(alias).toSorted(), metadata, disabled },
        ...groupParts(possibleNames(namesIn(user.groupList), name)),
      };
    },
    async put({ userName: name = '' }, difference) {
      await putUser(migration, name, difference);
      return name;
    },
  });
  for await (const name of withoutPassword(migration)) report.withoutPassword.add(name);
}

const groupPath = (name: string): Path => at`/group/${name}`;
const userPath = (name: string): Path => at`/user/${name}`;

async function* othersOf({ report }: Migration, users: AsyncIterable<User>): AsyncGenerator<User> {
  for await (const user of users) {
    const { userName = '', realName, alias, groupList } = user;
    if (!ownUsers.has(userName)) yield user;
    else if (realName || many(alias).length + many(groupList?.group).filter((group) => !isRole(group)).length > 0)
      report.remark('Users of the service keep the names and groups that they have here', userName);
  }
}

async function putUser({ target }: Migration, userName: string, { parts, gone, isKnown }: Difference): Promise<void> {
  const { disabled, ...own } = parts['own'] as User;
  const current = await target.find<User>(userPath(userName));
  const document = { userName, ...own, groupList: listed(namesOf(parts), gone) };
  if (current) await target.write('PUT', userPath(userName), document);
  else await target.write('POST', at`/user`, document);
  if (disabled && !current?.disabled) await target.write('DELETE', userPath(userName));
  if (!disabled && current?.disabled && isKnown) await target.write('PUT', at`${userPath(userName)}/enable`);
}

/** Users who may log in, and have no password. */
async function* withoutPassword({ target, journal }: Migration): AsyncGenerator<string> {
  for (const name of journal.oldIds('user')) {
    const user = await target.find<User>(userPath(name));
    if (user && !user.disabled && !(await hasPassword(target, name))) yield name;
  }
}

/** Writes a login link for each user who has no password. Its holder chooses one. */
export async function makeLinks(migration: Migration, page: string): Promise<void> {
  const { target, folder } = migration;
  const lines: string[] = [];
  for await (const name of withoutPassword(migration)) {
    const link = await target.write<string>('POST', at`${userPath(name)}/link`);
    lines.push(`${name}\t${page}first#link=${link}\n`);
  }
  await folder.write('links.txt', lines.join(''));
}

async function hasPassword(target: Migration['target'], name: string): Promise<boolean> {
  try {
    await target.bytes(at`${userPath(name)}/password/salt`, 'application/octet-stream');
    return true;
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    return false;
  }
}
