import { eq, sql } from 'drizzle-orm';
import { mustExist } from '../../store/guard.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { exportTemplate } from './tables.ts';

const value = sql.placeholder;

export const findTemplate = query((db) =>
  db
    .select()
    .from(exportTemplate)
    .where(eq(exportTemplate.name, value('name'))),
).first;

export type TemplateRow = NonNullable<Awaited<ReturnType<typeof findTemplate>>>;

export const templateMustExist = mustExist(exportTemplate.name);

export const templateNames = query((db) =>
  db
    .select({ name: exportTemplate.name })
    .from(exportTemplate)
    .orderBy(exportTemplate.name)
    .limit(value('limit'))
    .offset(value('offset')),
);

export const putExportTemplate = statement<TemplateRow>(
  sql`INSERT INTO ${writes('export_template')} (name, form, document)
    VALUES (${value('name')}, ${value('form')}, ${value('document')})
    ON CONFLICT (name) DO UPDATE SET form = excluded.form, document = excluded.document`,
);

export const removeTemplate = statement<{ name: string }>(
  sql`DELETE FROM ${writes('export_template')} WHERE name = ${value('name')}`,
);
