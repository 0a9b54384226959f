import { eq, sql } from 'drizzle-orm';
import { mustExist } from '../../store/guard.ts';
import { query, statement, writes } from '../../store/statement.ts';
import { shapeTag } from '../tables.ts';

const value = sql.placeholder;

export const findTag = query((db) =>
  db
    .select()
    .from(shapeTag)
    .where(eq(shapeTag.name, value('name'))),
).first;

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
export const knownTags = query((db) =>
  db
    .select({ name: shapeTag.name })
    .from(shapeTag)
    .where(sql`${shapeTag.name} IN (SELECT value FROM json_each(${value('names')}))`),
);

export const putTag = statement<{ name: string; form: string; document: string }>(
  sql`INSERT INTO ${writes('shape_tag')} (name, form, document) VALUES (${value('name')}, ${value('form')}, ${value('document')})
    ON CONFLICT (name) DO UPDATE SET form = excluded.form, document = excluded.document`,
);

export const removeTagRow = statement<{ name: string }>(
  sql`DELETE FROM ${writes('shape_tag')} WHERE name = ${value('name')}`,
);

/** The shape tag of originals, which each database has from its first start. */
export const firstTag = `INSERT INTO "shape_tag" ("name", "form", "document") VALUES ('original', 'json', '{}')`;
