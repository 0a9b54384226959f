import { getTableColumns, sql } from 'drizzle-orm';
import { dueWhile } from '../core/store/due.ts';
import { rowExists } from '../core/store/guard.ts';
import { deleteBy, putInto, rowBy, updateBy } from '../core/store/rows.ts';
import { query, value } from '../core/store/statement.ts';
import { autoImportRule, storage } from './tables.ts';

export const findAutoImport = rowBy(autoImportRule, 'storageId');

export type AutoImportRow = NonNullable<Awaited<ReturnType<typeof findAutoImport>>>;

export const hotFoldersDue = dueWhile(sql`SELECT 1 FROM auto_import_rule WHERE enabled = 1`);

/** Rules in the order of the storages' creation. */
export const listAutoImports = query((db) =>
  db
    .select(getTableColumns(autoImportRule))
    .from(autoImportRule)
    .innerJoin(storage, sql`${storage.id} = ${autoImportRule.storageId} AND ${storage.deletedAt} IS NULL`)
    .orderBy(storage.serial)
    .limit(value('limit'))
    .offset(value('offset')),
);

export const putAutoImport = putInto(autoImportRule, 'storageId');

export const removeAutoImport = deleteBy(autoImportRule, 'storageId');

export const hasAutoImport = rowExists(autoImportRule, 'storageId');

export const switchAutoImport = updateBy(autoImportRule, 'storageId', 'enabled');
