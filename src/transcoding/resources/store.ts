import { and, eq, sql } from 'drizzle-orm';
import { serialOf } from '../../media/public-reading.ts';
import type { Statement } from '../../store/contract.ts';
import { mustExist } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement, type Reader } from '../../store/statement.ts';
import { resource } from '../tables.ts';

const value = sql.placeholder;

export const findResource = prepareLookup((db) =>
  db
    .select()
    .from(resource)
    .where(and(eq(resource.type, value('type')), eq(resource.id, value('id')))),
);

export type TranscodingResourceRow = NonNullable<Awaited<ReturnType<typeof findResource>>>;

export const listResources = prepareQuery((db) =>
  db
    .select()
    .from(resource)
    .where(eq(resource.type, value('type')))
    .orderBy(resource.serial)
    .limit(value('limit'))
    .offset(value('offset')),
);

const oldest = prepareLookup((db) =>
  db.select({ id: resource.id }).from(resource).where(eq(resource.type, 'thumbnail')).orderBy(resource.serial).limit(1),
);

/** The resource that addresses of pictures name: the oldest one. */
export const thumbnailPlace = async (reader: Reader): Promise<string | undefined> => (await oldest(reader, {}))?.id;

export const resourceMustExist = mustExist(resource.id);

const insertRow = prepareStatement(
  sql`INSERT INTO resource (id, serial, type, document, created_at)
    VALUES (${value('id')}, ${value('serial')}, ${value('type')}, ${value('document')}, ${value('createdAt')})`,
);

export const insertResource = (row: Omit<TranscodingResourceRow, 'serial'>): Statement =>
  insertRow({ ...row, serial: serialOf(row.id) });

/** Inserts the first resource of the service itself, unless a concurrent instance has done so. */
export const insertFirst = prepareStatement(
  sql`INSERT INTO resource (id, serial, type, document, created_at)
    SELECT ${value('id')}, ${value('serial')}, 'thumbnail', ${value('document')}, ${value('createdAt')}
    WHERE NOT EXISTS (SELECT 1 FROM resource WHERE type = 'thumbnail')`,
);

export const writeResource = prepareStatement<{ id: string; document: string }>(
  sql`UPDATE resource SET document = ${value('document')} WHERE id = ${value('id')}`,
);

export const removeResource = prepareStatement<{ id: string }>(sql`DELETE FROM resource WHERE id = ${value('id')}`);
