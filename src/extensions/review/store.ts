import { desc, eq, getTableColumns } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { JoinedRows } from '../../assets/search/public.ts';
import { expectVersion, guard, mustExist } from '../../core/store/guard.ts';
import { insertInto, updateBy } from '../../core/store/rows.ts';
import { eachOf, query, sql, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { deleted, goesWith, triggers } from '../../core/store/triggers-sql.ts';
import { user } from '../../identity/public-reading.ts';
import { annotation } from './tables.ts';

const ofUser = (column: 'name' | 'real_name', id: SQLiteColumn) =>
  sql<string | null>`(SELECT ${sql.identifier(column)} FROM user WHERE user.id = ${id})`;

/** Users have their names of now, and those whom a realm alone knows the names that they had. */
const columns = {
  ...getTableColumns(annotation),
  user: sql<string>`coalesce(${ofUser('name', annotation.userId)}, ${annotation.user})`,
  assignee: sql<string | null>`coalesce(${ofUser('name', annotation.assigneeId)}, ${annotation.assignee})`,
};

export const findAnnotation = query((db) =>
  db
    .select(columns)
    .from(annotation)
    .where(eq(annotation.id, value('id'))),
).first;

export type AnnotationRow = NonNullable<Awaited<ReturnType<typeof findAnnotation>>>;

/** State of the annotation that one replies to, or else its own. */
const threadState = sql`coalesce((SELECT above.state FROM annotation AS above WHERE above.id = annotation.parent), state)`;

/** Empty values fit every annotation. */
const fittingBy = (state: typeof threadState) => sql`item_id = ${value('itemId')}
  AND (${value('state')} = '' OR ${state} = ${value('state')})
  AND (${value('assignee')} = '' OR ${columns.assignee} = ${value('assignee')})
  AND (${value('version')} < 0 OR essence_version = ${value('version')})
  AND (${value('guest')} = '' OR annotation.user_id = ${value('guest')} OR EXISTS
    (SELECT 1 FROM annotation AS above WHERE above.id = annotation.parent AND above.user_id = ${value('guest')}))`;

const fitting = fittingBy(sql`state`);

/** Annotations of an item, oldest first. */
export const annotationsOfItem = query((db) =>
  db
    .select(columns)
    .from(annotation)
    .where(fitting)
    .orderBy(annotation.serial)
    .limit(value('limit'))
    .offset(value('offset')),
);

/** Users who may log in, by their names from one on. `begin`: how a name, or a word of a real name, begins, or another form of it. */
export const usersBeginning = query(
  sql`SELECT id, name, real_name FROM user WHERE enabled = 1 AND name > ${value('after')}
      AND (name LIKE ${value('begin')} ESCAPE '\\' OR real_name LIKE ${value('begin')} ESCAPE '\\'
        OR real_name LIKE '% ' || ${value('begin')} ESCAPE '\\'
        OR real_name LIKE ${value('other')} ESCAPE '\\' OR real_name LIKE '% ' || ${value('other')} ESCAPE '\\')
    ORDER BY name LIMIT ${value('limit')}`,
  { id: user.id, name: user.name, realName: user.realName },
);

export const realNamesOf = query(
  sql`SELECT name, real_name FROM user WHERE name IN ${valuesOf('names')} AND real_name <> ''`,
  { name: user.name, realName: user.realName },
);

const { id, itemId, parent, start, end, rectangle, text, state, essenceVersion, assignee, createdAt } = columns;

/** Open annotations of items that are assigned to a user, or may name one, newest first. `pattern`: of a text with the name. */
export const annotationsNaming = query((db) =>
  db
    .select({ id, itemId, parent, start, text, user: columns.user, assignee, createdAt })
    .from(annotation)
    .where(
      sql`item_id IN ${valuesOf('itemIds')} AND state <> 'done' AND (assignee_id = ${value('userId')}
        OR ${assignee} = ${value('name')} OR text LIKE ${value('pattern')} ESCAPE '\\')`,
    )
    .orderBy(desc(annotation.serial))
    .limit(value('max')),
);

export type NamingRow = Awaited<ReturnType<typeof annotationsNaming>>[number];

/** Annotations of an item without their drawings, oldest first. A reply has the state of its comment. `timed`: 1 for those with a time alone. */
export const markersOfItem = query((db) =>
  db
    .select({
      ...{ id, parent, start, end, rectangle, text, state, essenceVersion, user: columns.user, assignee, createdAt },
      realName: ofUser('real_name', annotation.userId),
      assigneeRealName: ofUser('real_name', annotation.assigneeId),
    })
    .from(annotation)
    .where(sql`${fittingBy(threadState)} AND (${value('timed')} = 0 OR start IS NOT NULL)`)
    .orderBy(annotation.serial)
    .limit(value('max')),
);

export type MarkerRow = Awaited<ReturnType<typeof markersOfItem>>[number];

export const countAnnotations = query(sql`SELECT count(*) FROM annotation WHERE ${fitting}`, {
  count: sql<number>``,
}).first;

/** Annotations of an item by the addresses that they have here, or had where they come from. */
export const importedAnnotations = query(
  sql`SELECT each.value, annotation.id FROM ${eachOf('addresses')} AS each
      CROSS JOIN annotation ON annotation.id = replace(each.value, ${value('here')}, '') WHERE item_id = ${value('itemId')}
    UNION SELECT origin, id FROM annotation
      WHERE item_id = ${value('itemId')} AND origin IS NOT NULL AND origin IN ${valuesOf('addresses')}`,
  { address: sql<string>``, id },
);

export const parentsAmong = query(sql`SELECT id, item_id, parent FROM annotation WHERE id IN ${valuesOf('ids')}`, {
  id,
  itemId,
  parent,
});

export const insertAnnotation = insertInto(annotation);

export const updateAnnotation = updateBy(
  annotation,
  'id',
  ...(['parent', 'start', 'end', 'rectangle', 'drawing', 'text', 'state', 'essenceVersion'] as const),
  ...(['assigneeId', 'assignee', 'changedAt', 'version', 'members'] as const),
);

export const annotationMustExist = mustExist(annotation.id);
export const annotationUnchanged = expectVersion(annotation.id, annotation.version);

/** Guard: the item has fewer annotations than the limit. */
export const annotationsFit = guard<{ itemId: string; max: number }>(
  sql`(SELECT count(*) FROM annotation WHERE item_id = ${value('itemId')}) < ${value('max')}`,
);

/** Guard: nobody else has replied. */
export const repliesAreOf = guard<{ id: string; userId: string }>(
  sql`NOT EXISTS (SELECT 1 FROM annotation WHERE parent = ${value('id')} AND user_id <> ${value('userId')})`,
);

/** Guard: nobody has replied. */
export const hasNoReply = guard<{ id: string }>(
  sql`NOT EXISTS (SELECT 1 FROM annotation WHERE parent = ${value('id')})`,
);

/** Deletes an annotation with its replies. */
export const deleteAnnotations = statement<{ id: string }>(
  sql`DELETE FROM ${writes('annotation')} WHERE id = ${value('id')} OR parent = ${value('id')}`,
);

/** Writes the words of a text, by which searches find it. */
export const writeAnnotationWords = statement<{ serial: number; words: string }>(
  sql`INSERT OR REPLACE INTO ${writes('annotation_text')} (rowid, words) VALUES (${value('serial')}, ${value('words')})`,
);

/** Present name of a user, or the stored name of one who is unknown or gone. */
const nameOf = (id: string, name: string) => ({
  type: 'text' as const,
  value: `coalesce((SELECT user.name FROM user WHERE user.id = row.${id}), row.${name})`,
  narrows: `(row.${id} = (SELECT user.id FROM user WHERE user.name = ?) OR row.${name} = ?)`,
});

/** Annotations as searches of items ask about them. */
export const annotationRows: JoinedRows = {
  table: 'annotation',
  textIndex: 'annotation_text',
  fields: {
    text: { type: 'words', value: 'row.text' },
    state: { type: 'text', value: 'row.state', narrows: 'row.state = ?' },
    user: nameOf('user_id', 'user'),
    assignedTo: nameOf('assignee_id', 'assignee'),
    version: { type: 'whole', value: 'row.essence_version' },
    created: { type: 'date', value: 'row.created_at' },
    parent: { type: 'text', value: 'row.parent' },
  },
};

/** Annotations are deleted with their item, and their words with them. */
export const annotationSchema = (): readonly string[] =>
  triggers({
    annotation_item_gone: deleted('item', goesWith({ annotation: 'item_id' })),
    annotation_gone: deleted('annotation', goesWith({ annotation_text: { rowid: 'OLD.serial' } })),
  });

/**
 * Comments of guests and the replies to them, on a page of items. Guests of a share write few comments: these are counted
 * by their author, and not among all that the items have.
 */
export const commentsOnItems = query(
  sql`SELECT item_id, count(*) FROM (
      SELECT id, item_id FROM annotation WHERE user_id = ${value('guest')}
      UNION
      SELECT reply.id, reply.item_id FROM annotation AS own CROSS JOIN annotation AS reply ON reply.parent = own.id
        WHERE own.user_id = ${value('guest')}
      LIMIT 20000
    ) WHERE item_id IN ${valuesOf('ids')} GROUP BY item_id`,
  { itemId: sql<string>``, count: sql<number>`` },
);
