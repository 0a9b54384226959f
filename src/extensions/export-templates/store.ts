import { eq, sql } from 'drizzle-orm';
import { mustExist } from '../../store/guard.ts';
import { prepareLookup, prepareQuery, prepareStatement } from '../../store/statement.ts';
import { exportTemplate } from './tables.ts';

const value = sql.placeholder;

export const findTemplate = prepareLookup((db) =>
  db
    .select()
    .from(exportTemplate)
    .where(eq(exportTemplate.name, value('name'))),
);

export type TemplateRow = NonNullable<Awaited<ReturnType<typeof findTemplate>>>;

export const templateMustExist = mustExist(exportTemplate.name);

export const templateNames = prepareQuery((db) =>
  db
    .select({ name: exportTemplate.name })
    .from(exportTemplate)
    .orderBy(exportTemplate.name)
    .limit(value('limit'))
    .offset(value('offset')),
);

export const putExportTemplate = prepareStatement<TemplateRow>(
  sql`INSERT INTO export_template (name, form, document)
    VALUES (${value('name')}, ${value('form')}, ${value('document')})
    ON CONFLICT (name) DO UPDATE SET form = excluded.form, document = excluded.document`,
);

export const removeTemplate = prepareStatement<{ name: string }>(
  sql`DELETE FROM export_template WHERE name = ${value('name')}`,
);
