import { sql } from 'drizzle-orm';
import { dueWhile } from '../../store/due.ts';
import { prepareGuard } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement } from '../../store/statement.ts';
import { autoImportRule, storage } from '../tables.ts';

const value = sql.placeholder;

export const findAutoImport = prepareLookup((db) =>
  db
    .select()
    .from(autoImportRule)
    .where(sql`${autoImportRule.storageId} = ${value('id')}`),
);

export type AutoImportRow = NonNullable<Awaited<ReturnType<typeof findAutoImport>>>;

export const hotFoldersDue = dueWhile(sql`SELECT 1 FROM auto_import_rule WHERE enabled = 1`);

/** Rules in the order of the storages' creation. */
export const listAutoImports = prepareQuery((db) =>
  db
    .select({ storageId: autoImportRule.storageId, enabled: autoImportRule.enabled, document: autoImportRule.document })
    .from(autoImportRule)
    .innerJoin(storage, sql`${storage.id} = ${autoImportRule.storageId} AND ${storage.deletedAt} IS NULL`)
    .orderBy(storage.serial)
    .limit(value('limit'))
    .offset(value('offset')),
);

export const putAutoImport = prepareStatement<AutoImportRow>(
  sql`INSERT INTO auto_import_rule (storage_id, enabled, document)
    VALUES (${value('storageId')}, ${value('enabled')}, ${value('document')})
    ON CONFLICT (storage_id) DO UPDATE SET enabled = excluded.enabled, document = excluded.document`,
);

export const removeAutoImport = prepareStatement<{ id: string }>(
  sql`DELETE FROM auto_import_rule WHERE storage_id = ${value('id')}`,
);

export const hasAutoImport = prepareGuard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM auto_import_rule WHERE storage_id = ${value('id')})`,
);

export const switchAutoImport = prepareStatement<{ id: string; enabled: number }>(
  sql`UPDATE auto_import_rule SET enabled = ${value('enabled')} WHERE storage_id = ${value('id')}`,
);
