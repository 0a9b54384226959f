import { and, eq, sql } from 'drizzle-orm';
import type { Statement } from '../../../core/store/contract.ts';
import { mustExist } from '../../../core/store/guard.ts';
import { deleteBy, insertInto, updateBy } from '../../../core/store/rows.ts';
import { query, type Reader, statement, value, writes } from '../../../core/store/statement.ts';
import { serialOf } from '../../../storage/public-reading.ts';
import { resource } from '../tables.ts';

export const findResource = query((db) =>
  db
    .select()
    .from(resource)
    .where(and(eq(resource.type, value('type')), eq(resource.id, value('id')))),
).first;

export type TranscodingResourceRow = NonNullable<Awaited<ReturnType<typeof findResource>>>;

export const listResources = query((db) =>
  db
    .select()
    .from(resource)
    .where(eq(resource.type, value('type')))
    .orderBy(resource.serial)
    .limit(value('limit'))
    .offset(value('offset')),
);

const oldest = query((db) =>
  db.select({ id: resource.id }).from(resource).where(eq(resource.type, 'thumbnail')).orderBy(resource.serial).limit(1),
).first;

/** The resource that addresses of pictures name: the oldest one. */
export const thumbnailPlace = async (reader: Reader): Promise<string | undefined> => (await oldest(reader, {}))?.id;

export const resourceMustExist = mustExist(resource.id);

const insertRow = insertInto(resource);

export const insertResource = (row: Omit<TranscodingResourceRow, 'serial'>): Statement =>
  insertRow({ ...row, serial: serialOf(row.id) });

/** Inserts the first resource of the service itself, unless a concurrent instance has done so. */
export const insertFirst = statement(
  sql`INSERT INTO ${writes('resource')} (id, serial, type, document, created_at)
    SELECT ${value('id')}, ${value('serial')}, 'thumbnail', ${value('document')}, ${value('createdAt')}
    WHERE NOT EXISTS (SELECT 1 FROM resource WHERE type = 'thumbnail')`,
);

export const writeResource = updateBy(resource, 'id', 'document');

export const removeResource = deleteBy(resource, 'id');
