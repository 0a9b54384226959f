import { mustExist } from '../../../core/store/guard.ts';
import { deleteBy, putInto, rowBy, rowsAmong } from '../../../core/store/rows.ts';
import { query, value } from '../../../core/store/statement.ts';
import { shapeTag } from '../tables.ts';

export const findTag = rowBy(shapeTag, 'name');

export type TagRow = NonNullable<Awaited<ReturnType<typeof findTag>>>;

export const tagMustExist = mustExist(shapeTag.name);

export const listTags = query((db) =>
  db
    .select({ name: shapeTag.name })
    .from(shapeTag)
    .orderBy(shapeTag.name)
    .limit(value('limit'))
    .offset(value('offset')),
);

/** Existing tags among the names. `names`: JSON array. */
export const knownTags = rowsAmong(shapeTag, 'name', 'names', 'name');

export const putTag = putInto(shapeTag, 'name');

export const removeTagRow = deleteBy(shapeTag, 'name');

/** The shape tag of originals, which each database has from its first start. */
export const firstTag = `INSERT INTO "shape_tag" ("name", "form", "document") VALUES ('original', 'json', '{}')`;
