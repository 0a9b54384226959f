import type { JoinedRows } from '../../assets/search/public.ts';
import { expectVersion, guard, mustExist } from '../../core/store/guard.ts';
import { insertInto, updateBy } from '../../core/store/rows.ts';
import { eachOf, query, sql, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { user } from '../../identity/public-reading.ts';
import { annotation } from './tables.ts';

const columns = {
  id: annotation.id,
  serial: annotation.serial,
  itemId: annotation.itemId,
  parent: annotation.parent,
  start: annotation.start,
  end: annotation.end,
  rectangle: annotation.rectangle,
  drawing: annotation.drawing,
  text: annotation.text,
  state: annotation.state,
  essenceVersion: annotation.essenceVersion,
  userId: annotation.userId,
  user: annotation.user,
  assigneeId: annotation.assigneeId,
  assignee: annotation.assignee,
  createdAt: annotation.createdAt,
  changedAt: annotation.changedAt,
  version: annotation.version,
  members: annotation.members,
  origin: annotation.origin,
};

/** Users have their names of now, and those whom a realm alone knows the names that they had. */
const selected = sql`annotation.id, serial, item_id, parent, start, "end", rectangle, drawing, text, state, essence_version,
  user_id, coalesce(author.name, annotation.user), assignee_id, coalesce(assigned.name, assignee), annotation.created_at,
  changed_at, annotation.version, members, origin`;
const named = sql`annotation LEFT JOIN user AS author ON author.id = annotation.user_id
  LEFT JOIN user AS assigned ON assigned.id = assignee_id`;

export const findAnnotation = query(
  sql`SELECT ${selected} FROM ${named} WHERE annotation.id = ${value('id')}`,
  columns,
).first;

export type AnnotationRow = NonNullable<Awaited<ReturnType<typeof findAnnotation>>>;

/** State of the annotation that one replies to, or else its own. */
const threadState = sql`coalesce((SELECT above.state FROM annotation AS above WHERE above.id = annotation.parent), state)`;

/** Empty values fit every annotation. */
const fittingBy = (state: typeof threadState) => sql`item_id = ${value('itemId')}
  AND (${value('state')} = '' OR ${state} = ${value('state')})
  AND (${value('assignee')} = '' OR coalesce(assigned.name, assignee) = ${value('assignee')})
  AND (${value('version')} < 0 OR essence_version = ${value('version')})
  AND (${value('guest')} = '' OR annotation.user_id = ${value('guest')} OR EXISTS
    (SELECT 1 FROM annotation AS above WHERE above.id = annotation.parent AND above.user_id = ${value('guest')}))`;

const fitting = fittingBy(sql`state`);

/** Annotations of an item, oldest first. */
export const annotationsOfItem = query(
  sql`SELECT ${selected} FROM ${named} WHERE ${fitting}
    ORDER BY serial LIMIT ${value('limit')} OFFSET ${value('offset')}`,
  columns,
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

/** Open annotations of items that are assigned to a user, or may name one, newest first. `pattern`: of a text with the name. */
export const annotationsNaming = query(
  sql`SELECT annotation.id, item_id, parent, start, text, coalesce(author.name, annotation.user),
      coalesce(assigned.name, assignee), annotation.created_at FROM ${named}
    WHERE item_id IN ${valuesOf('itemIds')} AND state <> 'done' AND (assignee_id = ${value('userId')}
      OR coalesce(assigned.name, assignee) = ${value('name')} OR text LIKE ${value('pattern')} ESCAPE '\\')
    ORDER BY serial DESC LIMIT ${value('max')}`,
  {
    id: annotation.id,
    itemId: annotation.itemId,
    parent: annotation.parent,
    start: annotation.start,
    text: annotation.text,
    user: annotation.user,
    assignee: annotation.assignee,
    createdAt: annotation.createdAt,
  },
);

export type NamingRow = Awaited<ReturnType<typeof annotationsNaming>>[number];

const markerColumns = {
  id: annotation.id,
  parent: annotation.parent,
  start: annotation.start,
  end: annotation.end,
  rectangle: annotation.rectangle,
  text: annotation.text,
  state: annotation.state,
  essenceVersion: annotation.essenceVersion,
  user: annotation.user,
  assignee: annotation.assignee,
  createdAt: annotation.createdAt,
  realName: user.realName,
  assigneeRealName: user.realName,
};

/** Annotations of an item without their drawings, oldest first. A reply has the state of its comment. `timed`: 1 for those with a time alone. */
export const markersOfItem = query(
  sql`SELECT annotation.id, parent, start, "end", rectangle, text, state, essence_version,
      coalesce(author.name, annotation.user), coalesce(assigned.name, assignee), annotation.created_at,
      author.real_name, assigned.real_name
    FROM ${named} WHERE ${fittingBy(threadState)} AND (${value('timed')} = 0 OR start IS NOT NULL)
    ORDER BY serial LIMIT ${value('max')}`,
  markerColumns,
);

export type MarkerRow = Awaited<ReturnType<typeof markersOfItem>>[number];

export const countAnnotations = query(sql`SELECT count(*) FROM ${named} WHERE ${fitting}`, {
  count: sql<number>``,
}).first;

/** Annotations of an item by the addresses that they have here, or had where they come from. */
export const importedAnnotations = query(
  sql`SELECT each.value, annotation.id FROM ${eachOf('addresses')} AS each
      CROSS JOIN annotation ON annotation.id = replace(each.value, ${value('here')}, '') WHERE item_id = ${value('itemId')}
    UNION SELECT origin, id FROM annotation
      WHERE item_id = ${value('itemId')} AND origin IS NOT NULL AND origin IN ${valuesOf('addresses')}`,
  { address: sql<string>``, id: annotation.id },
);

export const parentsAmong = query(sql`SELECT id, item_id, parent FROM annotation WHERE id IN ${valuesOf('ids')}`, {
  id: annotation.id,
  itemId: annotation.itemId,
  parent: annotation.parent,
});

export const insertAnnotation = insertInto(annotation);

export const updateAnnotation = updateBy(
  annotation,
  'id',
  'parent',
  'start',
  'end',
  'rectangle',
  'drawing',
  'text',
  'state',
  'essenceVersion',
  'assigneeId',
  'assignee',
  'changedAt',
  'version',
  'members',
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
export const annotationSchema = (): readonly string[] => [
  `CREATE TRIGGER "annotation_item_gone" AFTER DELETE ON "item" BEGIN
       DELETE FROM "annotation" WHERE "item_id" = OLD."id";
     END`,
  `CREATE TRIGGER "annotation_gone" AFTER DELETE ON "annotation" BEGIN
       DELETE FROM "annotation_text" WHERE rowid = OLD."serial";
     END`,
];

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
