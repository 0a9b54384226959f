import { sql } from 'drizzle-orm';
import type { AccessControl } from '../../../../core/documents/index.ts';
import { mustExist } from '../../../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../../../core/store/rows.ts';
import { query, type Reader, value } from '../../../../core/store/statement.ts';
import { findUser, groupsNamed } from '../../../../identity/public-reading.ts';
import { entityNamed } from '../../../../room/entities/find.ts';
import type { EntityKind } from '../../../../room/entity.ts';
import { importSettings } from '../../../access/public-reading.ts';
import type { ImportSettings } from './documents.ts';

const findProfile = rowBy(importSettings, 'id', 'id', 'document', 'userId');
export type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

export const profilesInOrder = query(
  sql`SELECT id FROM import_settings ORDER BY serial LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  { id: sql<string>`` },
);

const profileMustExist = mustExist(importSettings.id);

export const insertProfile = insertInto(importSettings);

export const changeProfile = updateBy(importSettings, 'id', 'document');

export const removeProfile = deleteBy(importSettings, 'id');

export const profileKind = (reader: Reader): EntityKind<ProfileRow> => ({
  type: 'import-settings',
  noun: 'ImportSettings',
  find: (id) => findProfile(reader, { id }),
  mustExist: profileMustExist,
});

export const settingsOf = (document: string): ImportSettings => JSON.parse(document) as ImportSettings;

/** Finds a profile by id or external id; 404 if there is none. */
export const profileNamed = (reader: Reader, name: string): Promise<ProfileRow> =>
  entityNamed(reader, profileKind(reader), name);

/** Entries of a profile, without those of deleted users and groups. */
export async function stillThere(reader: Reader, entries: readonly AccessControl[]): Promise<readonly AccessControl[]> {
  if (entries.length === 0) return [];
  const names = JSON.stringify(entries.flatMap(({ group }) => group ?? []));
  const groups = new Set((await groupsNamed(reader, { names })).map(({ name }) => name));
  const existing: AccessControl[] = [];
  for (const entry of entries) {
    const isThere = entry.group === undefined ? await findUser(reader, { name: entry.user! }) : groups.has(entry.group);
    if (isThere) existing.push(entry);
  }
  return existing;
}
