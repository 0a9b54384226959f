import { isNull, sql } from 'drizzle-orm';
import { prepareQuery } from '../../../store/statement.ts';
import { storage, storageMethod } from '../../tables.ts';

const value = sql.placeholder;

/** The methods of live storages that have one of these addresses. `uris`: JSON, a list. */
export const methodsAt = prepareQuery((db) =>
  db
    .select({ storageId: storageMethod.storageId, uri: storageMethod.uri })
    .from(storageMethod)
    .innerJoin(storage, sql`${storage.id} = ${storageMethod.storageId}`)
    .where(
      sql`${storageMethod.uri} IN (SELECT value FROM json_each(${value('uris')})) AND ${isNull(storage.deletedAt)}`,
    ),
);
