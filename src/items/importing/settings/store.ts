import { sql } from 'drizzle-orm';
import { importSettings } from '../../../access/public-reading.ts';
import type { AccessControl } from '../../../documents/index.ts';
import { noSuchEntity } from '../../../entities/find.ts';
import { findUser, groupsNamed } from '../../../identity/public-reading.ts';
import { mustExist } from '../../../store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../../store/rows.ts';
import { query, type Reader, value } from '../../../store/statement.ts';
import type { ImportSettings } from './documents.ts';

export const findProfile = rowBy(importSettings, 'id', 'document', 'userId');

export const profilesInOrder = query(
  sql`SELECT id FROM import_settings ORDER BY serial LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  { id: sql<string>`` },
);

export const profileMustExist = mustExist(importSettings.id);

export const insertProfile = insertInto(importSettings);

export const changeProfile = updateBy(importSettings, 'id', 'document');

export const removeProfile = deleteBy(importSettings, 'id');

export const noSuchProfile = (id: string) => noSuchEntity({ noun: 'ImportSettings' }, id);

/** Finds the row of a profile; 404 if there is none. */
export async function profileRow(reader: Reader, id: string) {
  const row = await findProfile(reader, { id });
  if (row) return { ...row, id };
  throw noSuchProfile(id);
}

export type ProfileRow = Awaited<ReturnType<typeof profileRow>>;

export const settingsOf = (document: string): ImportSettings => JSON.parse(document) as ImportSettings;

/** Finds a profile by id; 404 if there is none. */
export const profileNamed = async (reader: Reader, id: string): Promise<ImportSettings> =>
  settingsOf((await profileRow(reader, id)).document);

/** Entries of a profile, without those of deleted users and groups. */
export async function stillThere(reader: Reader, entries: readonly AccessControl[]): Promise<readonly AccessControl[]> {
  if (entries.length === 0) return [];
  const names = JSON.stringify(entries.flatMap(({ group }) => group ?? []));
  const groups = new Set((await groupsNamed(reader, { names })).map(({ name }) => name));
  const kept: AccessControl[] = [];
  for (const entry of entries) {
    const isThere = entry.group === undefined ? await findUser(reader, { name: entry.user! }) : groups.has(entry.group);
    if (isThere) kept.push(entry);
  }
  return kept;
}
