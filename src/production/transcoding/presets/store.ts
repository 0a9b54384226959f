import { sql } from 'drizzle-orm';
import { deleteBy, putInto, rowBy } from '../../../core/store/rows.ts';
import { statement, value, writes } from '../../../core/store/statement.ts';
import { shapeTagScript } from '../tables.ts';

export const findScript = rowBy(shapeTagScript, 'tag', 'script');

export const putScript = putInto(shapeTagScript, 'tag');

export const removeScript = deleteBy(shapeTagScript, 'tag');

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
