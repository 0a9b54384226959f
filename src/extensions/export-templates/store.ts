import { mustExist } from '../../core/store/guard.ts';
import { deleteBy, putInto, rowBy } from '../../core/store/rows.ts';
import { query, value } from '../../core/store/statement.ts';
import { exportTemplate } from './tables.ts';

export const findTemplate = rowBy(exportTemplate, 'name');

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

export const putExportTemplate = putInto(exportTemplate, 'name');

export const removeTemplate = deleteBy(exportTemplate, 'name');
