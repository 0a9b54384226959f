import { eq, sql } from 'drizzle-orm';
import { query, statement, writes } from '../../store/statement.ts';
import { shapeTagScript } from '../tables.ts';

const value = sql.placeholder;

export const findScript = query((db) =>
  db
    .select({ script: shapeTagScript.script })
    .from(shapeTagScript)
    .where(eq(shapeTagScript.tag, value('tag'))),
).first;

export const putScript = statement<{ tag: string; script: string }>(
  sql`INSERT INTO ${writes('shape_tag_script')} (tag, script) VALUES (${value('tag')}, ${value('script')})
    ON CONFLICT (tag) DO UPDATE SET script = excluded.script`,
);

export const removeScript = statement<{ tag: string }>(
  sql`DELETE FROM ${writes('shape_tag_script')} WHERE tag = ${value('tag')}`,
);

/** A tag of the release. One of an older release is replaced. */
export const putTemplate = statement<{ name: string; document: string }>(
  sql`INSERT INTO ${writes('shape_tag')} (name, form, document) VALUES (${value('name')}, 'json', ${value('document')})
    ON CONFLICT (name) DO UPDATE SET form = excluded.form, document = excluded.document`,
);

/** A tag that clients expect. One that is there stays as it is. */
export const putUsual = statement<{ name: string; document: string }>(
  sql`INSERT INTO ${writes('shape_tag')} (name, form, document) VALUES (${value('name')}, 'json', ${value('document')})
    ON CONFLICT (name) DO NOTHING`,
);
