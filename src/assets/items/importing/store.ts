import { sql } from 'drizzle-orm';
import { guard, mustExist, rowExists } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, putInto, rowBy, updateBy } from '../../../core/store/rows.ts';
import { query, type Reader, value } from '../../../core/store/statement.ts';
import { entityNamed } from '../../../room/entities/find.ts';
import type { EntityKind } from '../../../room/entity.ts';
import { importAccess, importSettings } from '../../access/public-reading.ts';
import type { ImportSettings, permissions } from '../documents.ts';

/** Grants to groups on new items of a user, sorted by group name. */
export const importAccessOf = query(
  sql`SELECT "group".name, permission FROM import_access CROSS JOIN "group" ON "group".id = group_id
    WHERE user_id = ${value('userId')} ORDER BY "group".name`,
  { name: sql<string>``, permission: sql<(typeof permissions)[number]>`` },
);

/** In the place of a user: the entries of all creators. */
export const everybody = '';

/** Grants to groups on a new item of a user, or of the service. A grant of the user goes before that of everybody. */
export const newItemAccess = query(
  sql`SELECT "group".name, permission FROM import_access AS entry CROSS JOIN "group" ON "group".id = group_id
    WHERE user_id IN (${value('userId')}, '') AND (user_id = ${value('userId')} OR NOT EXISTS (
      SELECT 1 FROM import_access WHERE user_id = ${value('userId')} AND group_id = entry.group_id))
    ORDER BY "group".name`,
  { name: sql<string>``, permission: sql<(typeof permissions)[number]>`` },
);

/** Whether any user or everybody gives something: most services have nothing of the kind. */
export const someItemAccess = query(sql`SELECT EXISTS (SELECT 1 FROM import_access)`, { some: sql<number>`` }).first;

export const putImportAccess = putInto(importAccess, ['userId', 'groupId']);
export const importAccessThere = rowExists(importAccess, 'userId', 'groupId');
export const removeImportAccess = deleteBy(importAccess, 'userId', 'groupId');

/** Limit of groups: each new item gets an entry per group. */
export const maxGroups = 50;

export const importAccessFits = guard<{ userId: string }>(
  sql`(SELECT count(*) FROM import_access WHERE user_id = ${value('userId')}) <= ${maxGroups}`,
);

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
