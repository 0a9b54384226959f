import { sql } from 'drizzle-orm';
import { query } from '../../../store/statement.ts';
import { file } from '../../tables.ts';

const value = sql.placeholder;

/** The files behind a serial. Those that wait for their deletion are none. */
export const filesAfter = query((db) =>
  db
    .select({ id: file.id, serial: file.serial, path: file.path, size: file.size })
    .from(file)
    .where(sql`${file.storageId} = ${value('id')} AND ${file.serial} > ${value('after')} AND state <> 'TO_BE_DELETED'`)
    .orderBy(file.serial)
    .limit(value('limit')),
);

export const filesAmong = query((db) =>
  db
    .select({ id: file.id })
    .from(file)
    .where(sql`${file.id} IN (SELECT value FROM json_each(${value('ids')}))`),
);
