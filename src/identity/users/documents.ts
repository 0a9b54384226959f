import { inSlices } from '../../core/lib/turn.ts';
import type { Reader } from '../../core/store/statement.ts';
import { metadataOf } from '../../room/entities/key-values/rules.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import { runAsRole } from '../../security/run-as.ts';
import type { User } from '../documents.ts';
import { isRoleName } from '../names.ts';
import type { Readers } from '../parts.ts';
import type { IdentitySettings } from '../settings.ts';
import type { CreateUser } from './rules.ts';
import { checkUserPage, relationsOfUser, type UserRow } from './store.ts';

type PageSettings = Pick<IdentitySettings, 'site' | 'maxPageValues'>;

/** Rows as documents, with all that hangs on them: one read a kind for a whole page. */
export async function userDocuments(reader: Reader, rows: readonly UserRow[], site: string): Promise<User[]> {
  const ids = rows.map((row) => row.id);
  const [relations, metadata] = await Promise.all([relationsOfUser(reader, ids), keyValuesOf(reader, 'user', ids)]);
  return rows.map((row) =>
    wholeUser(row, {
      id: row.id,
      site,
      runAs: row.runAs === 1,
      alias: relations.aliases.get(row.id)?.map((alias) => alias.name),
      pairs: metadata.get(row.id),
      groups: relations.groups.get(row.id)?.map(({ name, role }) => ({ groupName: name, role: role === 1 })),
    }),
  );
}

/** A user that was made a moment ago: nothing need be read to know it. */
export function createdDocument(command: CreateUser, id: string, site: string): User {
  const { name, realName, aliases, groups, metadata } = command;
  return wholeUser(
    { name, realName, enabled: 1 },
    {
      id,
      site,
      runAs: command.runAs ?? groups.includes(runAsRole),
      alias: aliases.length > 0 ? aliases : undefined,
      pairs: metadata.pairs.map(([key, value]) => ({ key, value })),
      groups: groups.length > 0 ? groups.map((groupName) => ({ groupName, role: isRoleName(groupName) })) : undefined,
    },
  );
}

interface Hanging {
  readonly id: string;
  readonly site: string;
  readonly runAs: boolean;
  readonly alias: readonly string[] | undefined;
  readonly pairs: Parameters<typeof metadataOf>[0];
  readonly groups: readonly { readonly groupName: string; readonly role: boolean }[] | undefined;
}

/** Each property by its name: to spread the brief one costs several times as much, and lists have many users. */
function wholeUser(row: BriefRow, { id, site, runAs, alias, pairs, groups }: Hanging): User {
  const { userName, realName, disabled } = briefUser(row);
  return {
    userName,
    realName,
    disabled,
    id,
    origin: site,
    runAs: runAs || undefined,
    alias,
    metadata: metadataOf(pairs),
    groupList: groups && { group: groups },
  };
}

type BriefRow = Pick<UserRow, 'name' | 'realName' | 'enabled'>;

/** A user as a member of something. */
export function briefUser(row: BriefRow) {
  return {
    userName: row.name,
    realName: row.realName ?? undefined,
    disabled: row.enabled === 1 ? undefined : true,
  };
}

/** A page of a list. */
export async function listedUsers(
  { here, threads }: Readers,
  rows: readonly UserRow[],
  settings: PageSettings,
): Promise<User[]> {
  const ids = rows.map((row) => row.id);
  if (await checkUserPage.isLight(here, ids)) return userDocuments(here, rows, settings.site);
  await checkUserPage(threads, ids, settings.maxPageValues);
  return inSlices(rows, (slice) => userDocuments(threads, slice, settings.site));
}
