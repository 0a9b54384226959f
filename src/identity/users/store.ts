import { asc, eq, sql } from 'drizzle-orm';
import type { ServiceError } from '../../core/lib/errors.ts';
import { groupBy } from '../../core/lib/group-by.ts';
import type { Statement } from '../../core/store/contract.ts';
import { expectVersion, guard, mustExist } from '../../core/store/guard.ts';
import { updateBy } from '../../core/store/rows.ts';
import { counter } from '../../core/store/schema.ts';
import { query, type Reader, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { deleted, inserted, triggers, updated } from '../../core/store/triggers-sql.ts';
import { forgetEntity } from '../../room/entities/changes.ts';
import { idsOfPage, preparePageCheck } from '../../room/entities/key-values/store.ts';
import type { UserState } from '../../security/subject.ts';
import { foldedName } from '../names.ts';
import { group, groupUser, login, user } from '../tables.ts';

const profile = {
  id: user.id,
  name: user.name,
  realName: user.realName,
  enabled: user.enabled,
  version: user.version,
  runAs: user.runAs,
};

/** Finds a user by name or alias. */
export const findUser = query((db) =>
  db
    .select(profile)
    .from(login)
    .innerJoin(user, eq(user.id, login.userId))
    .where(eq(login.name, value('name'))),
).first;

/** Users whose name or alias is the same in some case. */
const usersByFolded = query((db) =>
  db
    .select(profile)
    .from(user)
    .where(sql`${user.id} IN (SELECT ${login.userId} FROM ${login} WHERE ${login.folded} = ${value('folded')})`)
    .orderBy(asc(user.name))
    .limit(value('limit')),
);

/** Users in an answer about one name. */
const maxAlike = 100;

/** Users of a name: the one who has it exactly, otherwise all who have it in another case. */
export async function usersAlike(reader: Reader, name: string): Promise<readonly UserRow[]> {
  // A text that no name has, and that not each database takes.
  if (name.includes('\0')) return [];
  const exact = await findUser(reader, { name });
  return exact ? [exact] : usersByFolded(reader, { folded: foldedName(name), limit: maxAlike });
}

/** Guard: nobody else has the name in any case. */
export const aloneByName = guard<{ id: string; folded: string }>(
  sql`NOT EXISTS (SELECT 1 FROM login WHERE folded = ${value('folded')} AND user_id <> ${value('id')})`,
);

export const userById = query((db) =>
  db
    .select(profile)
    .from(user)
    .where(eq(user.id, value('id'))),
).first;

/** Columns for authentication, read once for every request, whatever its credentials. */
export const loginColumns = {
  id: user.id,
  name: user.name,
  enabled: user.enabled,
  runAs: user.runAs,
  password: user.password,
  passwordVersion: user.passwordVersion,
  revocations: user.revocations,
  factors: user.factors,
  version: user.version,
  graph: sql<number>`(SELECT ${counter.value} FROM ${counter} WHERE ${counter.name} = 'group-graph')`,
};

export const findLogin = query((db) =>
  db
    .select(loginColumns)
    .from(login)
    .innerJoin(user, eq(user.id, login.userId))
    .where(eq(login.name, value('name'))),
).first;

export const findLoginById = query((db) =>
  db
    .select(loginColumns)
    .from(user)
    .where(eq(user.id, value('id'))),
).first;

const page = { limit: value('limit'), offset: value('offset') };

const pageOfAll = query((db) =>
  db.select(profile).from(user).orderBy(asc(user.name)).limit(page.limit).offset(page.offset),
);

const pageByState = query((db) =>
  db
    .select(profile)
    .from(user)
    .where(eq(user.enabled, value('enabled')))
    .orderBy(asc(user.name))
    .limit(page.limit)
    .offset(page.offset),
);

export const usersWithIds = query((db) =>
  db
    .select(profile)
    .from(user)
    .where(sql`${user.id} IN ${valuesOf('ids')}`),
);

const usersNamed = query((db) =>
  db
    .select(profile)
    .from(user)
    .where(sql`${user.name} IN ${valuesOf('names')}`)
    .orderBy(asc(user.name)),
);

const aliasesOf = query((db) =>
  db
    .select({ userId: login.userId, name: login.name })
    .from(login)
    .where(sql`${login.alias} = 1 AND ${login.userId} IN ${valuesOf('ids')}`)
    .orderBy(asc(login.name)),
);

const groupsOf = query((db) =>
  db
    .select({ userId: groupUser.userId, name: group.name, role: group.role })
    .from(groupUser)
    .innerJoin(group, eq(group.id, groupUser.groupId))
    .where(sql`${groupUser.userId} IN ${valuesOf('ids')}`)
    .orderBy(asc(group.name)),
);

const totals = query(
  sql`SELECT (SELECT value FROM ${counter} WHERE name = 'users'), (SELECT value FROM ${counter} WHERE name = 'users-disabled')`,
  { all: sql<number | null>``, disabled: sql<number | null>`` },
).first;

export type LoginRow = NonNullable<Awaited<ReturnType<typeof findLogin>>>;
export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/** The user of a login, as requests see it. */
export const stateOf = ({ id, name, enabled, runAs, passwordVersion, revocations, factors }: LoginRow): UserState => ({
  id,
  name,
  enabled: enabled === 1,
  mayRunAs: runAs === 1,
  passwordVersion,
  revocations,
  factors,
});

interface UserFilter {
  readonly names?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of users by name. The total comes from a counter, so that a request counts no rows. */
export async function listUsers(reader: Reader, filter: UserFilter): Promise<{ hits: number; users: UserRow[] }> {
  const { offset, limit, enabled, names } = filter;
  if (names) {
    const named = await usersNamed(reader, { names });
    const fitting = named.filter((row) => enabled === undefined || (row.enabled === 1) === enabled);
    return { hits: fitting.length, users: fitting.slice(offset, offset + limit) };
  }
  const counts = await totals(reader, {});
  const [all, disabled] = [counts?.all ?? 0, counts?.disabled ?? 0];
  if (enabled === undefined) return { hits: all, users: await pageOfAll(reader, { offset, limit }) };
  const users = await pageByState(reader, { enabled: enabled ? 1 : 0, offset, limit });
  return { hits: enabled ? all - disabled : disabled, users };
}

/** A page of users also shows the groups of each. */
export const checkUserPage = preparePageCheck(
  'user',
  sql`SELECT given.value, 0 FROM ${idsOfPage} CROSS JOIN group_user WHERE user_id = given.value`,
);

/** Aliases and groups of a page of users, with one query each. */
export async function relationsOfUser(reader: Reader, ids: readonly string[]) {
  const parameters = { ids };
  const [aliases, groups] = await Promise.all([aliasesOf(reader, parameters), groupsOf(reader, parameters)]);
  return {
    aliases: groupBy(aliases, (row) => row.userId),
    groups: groupBy(groups, (row) => row.userId),
  };
}

/** Names of the aliases and groups of one user. */
export async function namesAround(reader: Reader, { id }: UserRow): Promise<{ aliases: string[]; groups: string[] }> {
  const { aliases, groups } = await relationsOfUser(reader, [id]);
  const names = (rows: readonly { readonly name: string }[] = []) => rows.map(({ name }) => name);
  return { aliases: names(aliases.get(id)), groups: names(groups.get(id)) };
}

/** Constants of new users are part of the SQL text, since each bound value slows a commit. */
export const insertUser = statement((db) =>
  db.insert(user).values({
    id: value('id'),
    name: value('name'),
    realName: value('realName'),
    password: value('password'),
    passwordVersion: sql`1`,
    enabled: sql`1`,
    runAs: value('runAs'),
    version: sql`1`,
    createdAt: value('createdAt'),
    modifiedAt: value('createdAt'),
  }),
);

const insertLogin = (alias: 0 | 1) =>
  statement(
    sql`INSERT INTO ${writes('login')} (name, folded, user_id, alias)
      VALUES (${value('name')}, ${value('folded')}, ${value('userId')}, ${sql.raw(String(alias))})`,
  );
const [putName, putAlias] = [insertLogin(0), insertLogin(1)];

const userUnchanged = expectVersion(user.id, user.version);
const nextVersion = statement(sql`UPDATE ${writes('user')} SET version = version + 1 WHERE id = ${value('id')}`);

/** Increments the version. Fails if the user has changed since it was read. */
export const advanceUser = (row: UserRow, refusal: ServiceError): Statement[] => [
  userUnchanged(row.id, row.version, refusal),
  nextVersion({ id: row.id }),
];

export const userMustExist = mustExist(user.id);

/** Increments the version without comparing it, for changes that cannot conflict. */
export const moveUserOn = (row: UserRow, refusal: ServiceError): Statement[] => [
  userMustExist(row.id, refusal),
  nextVersion({ id: row.id }),
];

/** Ends what logins of the user left to be done, such as scheduled requests. */
export const countRevocation = statement(
  sql`UPDATE ${writes('user')} SET revocations = revocations + 1 WHERE id = ${value('id')}`,
);

/** For a commit with events about users. */
export const noteUsersModified = statement(
  sql`UPDATE ${writes('user')} SET modified_at = ${value('now')} WHERE name IN ${valuesOf('names')}`,
);

/** Finds the user whose real name may be that of a login: there is none, or a login wrote it. */
export const isNamedByLogin = query((db) =>
  db
    .select({ id: user.id })
    .from(user)
    .where(
      sql`${user.id} = ${value('id')} AND (${user.realNameSource} = 'login' OR coalesce(${user.realName}, '') = '')`,
    ),
).first;

const realNameBy = (source: 'login' | null) =>
  statement((db) =>
    db
      .update(user)
      .set({ realName: sql`${value('realName')}`, realNameSource: source === null ? null : sql`'login'` })
      .where(eq(user.id, value('id'))),
  );
export const updateRealName = realNameBy(null);
/** A later login may write the name again. */
export const realNameByLogin = realNameBy('login');

export const setRunAs = statement(
  sql`UPDATE ${writes('user')} SET run_as = ${value('runAs')}, version = version + 1 WHERE id = ${value('id')}`,
);

const removeAlias = statement((db) =>
  db
    .delete(login)
    .where(sql`${login.name} = ${value('name')} AND ${login.userId} = ${value('id')} AND ${login.alias} = 1`),
);
const renameLogin = statement(
  sql`UPDATE ${writes('login')} SET name = ${value('name')}, folded = ${value('folded')}
    WHERE user_id = ${value('id')} AND alias = 0`,
);
const renameUser = updateBy(user, 'id', 'name');

/** A name that was an alias of the same user is no longer one. */
export const rename = (id: string, name: string, refusal: ServiceError): Statement[] => [
  removeAlias({ id, name }),
  renameLogin({ id, name, folded: foldedName(name) }, refusal),
  renameUser({ id, name }, refusal),
];

export const addName = (id: string, name: string, refusal: () => ServiceError): Statement =>
  putName({ name, folded: foldedName(name), userId: id }, refusal);

export const addAlias = (id: string, name: string, refusal: ServiceError): Statement =>
  putAlias({ name, folded: foldedName(name), userId: id }, refusal);

export const dropAlias = (id: string, name: string): Statement => removeAlias({ id, name });

/** Without bound values: each slows a commit. */
const countBy = (by: 1 | -1, name: 'users' | 'users-disabled') =>
  statement(sql`UPDATE ${writes('counter')} ${sql.raw(`SET value = value + ${by} WHERE name = '${name}'`)}`);
export const oneUserMore = countBy(1, 'users');
const oneUserLess = countBy(-1, 'users');
const oneDisabledLess = countBy(-1, 'users-disabled');

export const updatePassword = statement((db) =>
  db
    .update(user)
    .set({
      password: sql`${value('password')}`,
      passwordVersion: sql`${user.passwordVersion} + 1`,
      version: sql`${user.version} + 1`,
    })
    .where(eq(user.id, value('id'))),
);

const countDisabled = statement(
  sql`UPDATE ${writes('counter')} SET value = value + ${value('by')} WHERE name = 'users-disabled'
    AND EXISTS (SELECT 1 FROM user WHERE id = ${value('id')} AND enabled = ${value('from')})`,
);

const switchUser = statement(
  sql`UPDATE ${writes('user')} SET enabled = 1 - enabled, version = version + 1
    WHERE id = ${value('id')} AND enabled = ${value('from')}`,
);

/** Changes nothing, the counter included, when the user is in that state already. */
export function setEnabled(id: string, enabled: boolean): Statement[] {
  const from = enabled ? 0 : 1;
  return [countDisabled({ id, from, by: enabled ? -1 : 1 }), switchUser({ id, from })];
}

const id = value('id');

const removals = [
  sql`DELETE FROM ${writes('login')} WHERE user_id = ${id}`,
  sql`DELETE FROM ${writes('user')} WHERE id = ${id}`,
].map((template) => statement(template));

/** A user who is in no group any more, and all that hangs on it. The row tells which counters it is in. */
export const removeUser = (row: UserRow): Statement[] => [
  ...forgetEntity('user', row.id),
  ...removals.map((removal) => removal({ id: row.id })),
  oneUserLess({}),
  ...(row.enabled === 1 ? [] : [oneDisabledLess({})]),
];

const losesTokens = 'new.password_version <> old.password_version OR new.enabled < old.enabled';
const tokensGone = [
  'DELETE FROM token WHERE user_id = new.id OR actor_id = new.id OR maker_id = new.id',
  'UPDATE user SET revocations = revocations + 1 WHERE id = new.id',
];

export const identitySchema = (): readonly string[] => [
  `INSERT INTO counter (name, value) VALUES ('users', 0), ('users-disabled', 0), ('groups', 0), ('group-graph', 0)`,
  ...triggers({
    // A trigger, so that no program that changes a user can forget it.
    user_ends_tokens: updated('user', 'password_version, enabled', tokensGone, losesTokens),
    second_factor_more: inserted('second_factor', 'UPDATE user SET factors = factors + 1 WHERE id = new.user_id'),
    // Recovery codes stand in for a factor, so none outlives the last one.
    second_factor_less: deleted('second_factor', [
      'UPDATE user SET factors = factors - 1 WHERE id = old.user_id',
      `DELETE FROM recovery_code WHERE user_id = old.user_id
        AND NOT EXISTS (SELECT 1 FROM second_factor WHERE user_id = old.user_id)`,
    ]),
  }),
];

export const preferencesWithin = guard(
  sql`(SELECT TOTAL(octet_length(key) + octet_length(value)) FROM key_value WHERE entity_type = 'user'
    AND entity_id = ${value('id')} AND key >= 'portico.ui.' AND key < 'portico.ui/') <= ${value('max')}`,
);
