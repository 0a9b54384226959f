import { sql } from 'drizzle-orm';
import { dueWhile } from '../../store/due.ts';
import { guard } from '../../store/guard.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { autoImportRule, storage } from '../tables.ts';

const value = sql.placeholder;

export const findAutoImport = query((db) =>
  db
    .select()
    .from(autoImportRule)
    .where(sql`${autoImportRule.storageId} = ${value('id')}`),
).first;

export type AutoImportRow = NonNullable<Awaited<ReturnType<typeof findAutoImport>>>;

export const hotFoldersDue = dueWhile(sql`SELECT 1 FROM auto_import_rule WHERE enabled = 1`);

/** Rules in the order of the storages' creation. */
export const listAutoImports = query((db) =>
  db
    .select({ storageId: autoImportRule.storageId, enabled: autoImportRule.enabled, document: autoImportRule.document })
    .from(autoImportRule)
    .innerJoin(storage, sql`${storage.id} = ${autoImportRule.storageId} AND ${storage.deletedAt} IS NULL`)
    .orderBy(storage.serial)
    .limit(value('limit'))
    .offset(value('offset')),
);

export const putAutoImport = statement<AutoImportRow>(
  sql`INSERT INTO ${writes('auto_import_rule')} (storage_id, enabled, document)
    VALUES (${value('storageId')}, ${value('enabled')}, ${value('document')})
    ON CONFLICT (storage_id) DO UPDATE SET enabled = excluded.enabled, document = excluded.document`,
);

export const removeAutoImport = statement<{ id: string }>(
  sql`DELETE FROM ${writes('auto_import_rule')} WHERE storage_id = ${value('id')}`,
);

export const hasAutoImport = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM auto_import_rule WHERE storage_id = ${value('id')})`,
);

export const switchAutoImport = statement<{ id: string; enabled: number }>(
  sql`UPDATE ${writes('auto_import_rule')} SET enabled = ${value('enabled')} WHERE storage_id = ${value('id')}`,
);
