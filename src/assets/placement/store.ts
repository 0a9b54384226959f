import { sql } from 'drizzle-orm';
import type { Statement } from '../../core/store/contract.ts';
import { type DueTime, dueWhile, earliestDue } from '../../core/store/due.ts';
import { guard, rowExists } from '../../core/store/guard.ts';
import { deleteBy, insertInto, updateBy } from '../../core/store/rows.ts';
import { eachOf, query, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { file } from '../../storage/public-reading.ts';
import { collectionMember, libraryItem } from '../containment/tables.ts';
import { collectionsAbove } from '../containment/walks-sql.ts';
import { component, shape, shapeTagged } from '../shapes/public.ts';
import { placingCopy, placingDue, placingWalk } from './tables.ts';

/** Values of a JSON array. */

/** Storages that components wait for, and that have room for another of the `max` copies. */
const openStorages = (max: number) => sql`SELECT 1 FROM storage
  WHERE deleted_at IS NULL AND EXISTS (SELECT 1 FROM placing_due WHERE placing_due.storage_id = storage.id)
    AND (SELECT count(*) FROM placing_copy WHERE storage_id = storage.id AND rest_until IS NULL) < ${max}`;
export const placementsDue = (max: number): DueTime =>
  earliestDue(
    sql`SELECT min(due) FROM placing_due`,
    dueWhile(sql`SELECT 1 FROM placing_walk`),
    sql`CASE WHEN EXISTS (SELECT 1 FROM placing_due WHERE storage_id IS NOT NULL) THEN ${dueWhile(openStorages(max))} END`,
  );

/** Due components, the longest waiting first. */
export const nextDueFile = query((db) =>
  db
    .select({ serial: placingDue.serial, componentId: placingDue.componentId })
    .from(placingDue)
    .where(sql`${placingDue.due} <= ${value('now')}`)
    .orderBy(placingDue.due, placingDue.serial)
    .limit(value('limit')),
);

export type DueRow = Awaited<ReturnType<typeof nextDueFile>>[number];

/** Components that wait for running copies to a storage. */
export const waitingFor = query((db) =>
  db
    .select({ serial: placingDue.serial, componentId: placingDue.componentId })
    .from(placingDue)
    .where(sql`${placingDue.storageId} = ${value('id')}`)
    .orderBy(placingDue.serial)
    .limit(value('limit')),
);

/** Storages that components wait for, with the number of running copies. */
export const waitedFor = query(
  sql`SELECT id, (SELECT count(*) FROM placing_copy WHERE storage_id = storage.id AND rest_until IS NULL) FROM storage
    WHERE deleted_at IS NULL AND EXISTS (SELECT 1 FROM placing_due WHERE placing_due.storage_id = storage.id)`,
  { id: placingCopy.storageId, running: sql<number>`` },
);

/** Number of due components, up to a limit. */
export const dueCount = query(
  sql`SELECT (SELECT count(*) FROM (SELECT 1 FROM placing_due LIMIT ${value('limit')})),
    (SELECT count(*) FROM placing_walk)`,
  { waiting: sql<number>``, walks: sql<number>`` },
);

export const runningCopies = query(
  sql`SELECT storage_id, count(*) FROM placing_copy WHERE rest_until IS NULL GROUP BY storage_id`,
  { id: placingCopy.storageId, count: sql<number>`` },
);

/** Shape and item of components. `ids`: JSON array of components. */
export const placesOf = query(
  sql`SELECT component.id, shape.id, shape.item_id FROM ${eachOf('ids')} AS given
    CROSS JOIN component ON component.id = given.value CROSS JOIN shape ON shape.id = component.shape_id`,
  { componentId: component.id, shapeId: shape.id, itemId: shape.itemId },
);

/** Collections of items, including those above them. Rules reach only members whose adder had ALL on them. */
export const collectionsOfItems = query(
  sql`WITH RECURSIVE
    ${collectionsAbove(sql`SELECT value AS root, 'item' AS type, value AS id FROM ${eachOf('items')}`, 'passes')}
    SELECT root, up.id, EXISTS (SELECT 1 FROM collection_member WHERE collection_id = up.id
      AND member_type = 'item' AND member_id = root) FROM up`,
  { itemId: shape.itemId, collectionId: collectionMember.collectionId, isDirect: sql<number>`` },
);

/** Libraries of items, if rules refer to them. */
export const ruledLibraries = query(
  sql`SELECT item_id, library_id FROM ${eachOf('items')} AS given
    CROSS JOIN library_item ON item_id = given.value AND passes = 1
    WHERE EXISTS (SELECT 1 FROM storage_rule WHERE entity_type = 'LIBRARY' AND entity_id = library_id)`,
  { itemId: libraryItem.itemId, libraryId: libraryItem.libraryId },
);

/** Complete files of components, oldest first. `ids`: JSON array of components. */
export const copiesOf = query(
  sql`SELECT component_id, file.id, file.storage_id, file.size, file.hash, file.state = 'ARCHIVED',
      EXISTS (SELECT 1 FROM file_job WHERE file_job.file_id = file.id AND rest_until IS NULL),
      (SELECT MAX(rest_until) FROM file_job WHERE file_job.file_id = file.id),
      EXISTS (SELECT 1 FROM file_job CROSS JOIN job ON job.id = file_job.job_id AND job.type = 'MOVE_FILE'
        WHERE file_job.file_id = file.id AND rest_until IS NULL AND job.status NOT IN ('HOLD', 'WAITING'))
    FROM ${eachOf('ids')} AS given CROSS JOIN file_use ON component_id = given.value
    CROSS JOIN file ON file.id = file_use.file_id AND file.state IN ('CLOSED', 'BEING_READ', 'ARCHIVED')
    CROSS JOIN storage ON storage.id = file.storage_id AND deleted_at IS NULL
    ORDER BY file.serial`,
  {
    componentId: component.id,
    fileId: file.id,
    storageId: file.storageId,
    size: file.size,
    hash: file.hash,
    isArchived: sql<number>``,
    isInJob: sql<number>``,
    restUntil: sql<number | null>``,
    isMoving: sql<number>``,
  },
);

const isLive = sql`EXISTS (SELECT 1 FROM file_job WHERE file_job.job_id = placing_copy.job_id
  AND file_job.rest_until IS NULL)`;

/** Copies started by rules, for components or for their files. `ids`: JSON array of components. */
export const startedFor = query(
  sql`SELECT component_id, storage_id, file_id, job_id, rest_until, ${isLive} FROM placing_copy
      WHERE component_id IN ${valuesOf('ids')}
    UNION SELECT component_id, storage_id, file_id, job_id, rest_until, ${isLive} FROM placing_copy
      WHERE file_id IN (SELECT file_id FROM file_use WHERE component_id IN ${valuesOf('ids')})`,
  {
    componentId: placingCopy.componentId,
    storageId: placingCopy.storageId,
    fileId: placingCopy.fileId,
    jobId: placingCopy.jobId,
    restUntil: placingCopy.restUntil,
    isLive: sql<number>``,
  },
);

const isLocking = sql`expires_at > ${value('now')} AND ((entity_type = 'item' AND entity_id IN ${valuesOf('items')})
  OR (entity_type = 'collection' AND entity_id IN ${valuesOf('collections')})
  OR (entity_type = 'file' AND entity_id IN ${valuesOf('files')}))`;

/** Locked entities among the given ones. */
export const locksAmong = query(sql`SELECT DISTINCT entity_type, entity_id FROM deletion_lock WHERE ${isLocking}`, {
  type: sql<string>``,
  id: sql<string>``,
});

export const notLocked = guard<{
  now: number;
  items: readonly string[];
  collections: readonly string[];
  files: readonly string[];
}>(sql`NOT EXISTS (SELECT 1 FROM deletion_lock WHERE ${isLocking})`);

/** Guard: the component has not changed since the row was read. */
export const stillDue = rowExists(placingDue, 'serial');

export const postponeFile = updateBy(placingDue, 'serial', 'due', 'storageId');

export const settlePlacement = deleteBy(placingDue, 'serial');

type CopyRow = typeof placingCopy.$inferSelect;
type OfJob = Pick<CopyRow, 'componentId' | 'storageId' | 'jobId'>;

export const insertCopy = insertInto(placingCopy, 'componentId', 'storageId', 'fileId', 'jobId');

const ofJob = sql`component_id = ${value('componentId')} AND storage_id = ${value('storageId')}
  AND job_id = ${value('jobId')}`;
export const letCopyRest = statement<OfJob & { until: number }>(
  sql`UPDATE ${writes('placing_copy')} SET rest_until = ${value('until')} WHERE ${ofJob} AND rest_until IS NULL`,
);
export const forgetCopy = statement<OfJob>(sql`DELETE FROM ${writes('placing_copy')} WHERE ${ofJob}`);

/** Guard: the component has these files, and all are readable, or in an archive. `ids`: JSON array of files. */
export const copiesThere = guard<{ componentId: string; ids: readonly string[]; count: number }>(
  sql`(SELECT count(*) FROM file_use CROSS JOIN file ON file.id = file_id
      CROSS JOIN storage ON storage.id = storage_id
    WHERE component_id = ${value('componentId')} AND file_id IN ${valuesOf('ids')}
      AND file.state IN ('CLOSED', 'BEING_READ', 'ARCHIVED') AND storage.state IN ('NONE', 'READY') AND deleted_at IS NULL)
    = ${value('count')}`,
);

/** Guard: a file is used by this number of components. */
export const usesAre = guard<{ fileId: string; count: number }>(
  sql`(SELECT count(*) FROM file_use WHERE file_id = ${value('fileId')}) = ${value('count')}`,
);

/** Watermarks count where there is any rule. */
export const watermarksDue = dueWhile(sql`SELECT 1 FROM storage_rule`);

/** The next files of a storage after a cursor, oldest first. */
export const filesBehind = query((db) =>
  db
    .select({ id: file.id, serial: file.serial })
    .from(file)
    .where(
      sql`${file.storageId} = ${value('storageId')} AND ${file.state} = 'CLOSED' AND ${file.serial} > ${value('after')}`,
    )
    .orderBy(file.serial)
    .limit(value('limit')),
);

export const firstWalk = query((db) => db.select().from(placingWalk).orderBy(placingWalk.serial).limit(1)).first;

export type PlacementWalk = NonNullable<Awaited<ReturnType<typeof firstWalk>>>;

export const allComponents = query((db) =>
  db
    .select({ id: component.id })
    .from(component)
    .where(sql`${component.id} > ${value('after')}`)
    .orderBy(component.id)
    .limit(value('limit')),
);

export const shapesTagged = query((db) =>
  db
    .select({ id: shapeTagged.shapeId })
    .from(shapeTagged)
    .where(sql`${shapeTagged.tag} = ${value('tag')} AND ${shapeTagged.shapeId} > ${value('after')}`)
    .orderBy(shapeTagged.shapeId)
    .limit(value('limit')),
);

export const shapesBehind = query((db) =>
  db
    .select({ id: shape.id })
    .from(shape)
    .where(sql`${shape.itemId} = ${value('itemId')} AND ${shape.id} > ${value('after')}`)
    .orderBy(shape.id)
    .limit(value('limit')),
);

export const membersBehind = query((db) =>
  db
    .select({ type: collectionMember.memberType, id: collectionMember.memberId })
    .from(collectionMember)
    .where(
      sql`${collectionMember.collectionId} = ${value('id')}
        AND (${collectionMember.memberType}, ${collectionMember.memberId}) > (${value('type')}, ${value('after')})`,
    )
    .orderBy(collectionMember.memberType, collectionMember.memberId)
    .limit(value('limit')),
);

/** Components of shapes. `ids`: JSON array of shapes. */
export const componentsIn = query(
  sql`SELECT component.id FROM ${eachOf('ids')} AS given CROSS JOIN component ON shape_id = given.value`,
  { id: component.id },
);

/** Components of items. `ids`: JSON array of items. */
export const componentsOfItems = query(
  sql`SELECT component.id FROM ${eachOf('ids')} AS given CROSS JOIN shape ON item_id = given.value
    CROSS JOIN component ON shape_id = shape.id`,
  { id: component.id },
);

/** Replaces rows to get new serials, like the triggers. `ids`: JSON array of components. */
const makeDue = [
  sql`DELETE FROM ${writes('placing_due')} WHERE component_id IN ${valuesOf('ids')}`,
  sql`INSERT INTO ${writes('placing_due')} (component_id, due) SELECT DISTINCT value, 1 FROM ${eachOf('ids')}`,
].map((template) => statement<{ ids: readonly string[] }>(template));

const restartWalk = [
  sql`DELETE FROM ${writes('placing_walk')} WHERE kind = ${value('kind')} AND id = ${value('id')}`,
  sql`INSERT INTO ${writes('placing_walk')} (kind, id, cursor) VALUES (${value('kind')}, ${value('id')}, '')`,
].map((template) => statement<{ kind: string; id: string }>(template));

const filled = <V>(statements: readonly ((values: V) => Statement)[], values: V): readonly Statement[] =>
  statements.map((statement) => statement(values));

export const componentsDue = (ids: readonly string[]): readonly Statement[] => filled(makeDue, { ids });
export const startWalk = (kind: string, id: string): readonly Statement[] => filled(restartWalk, { kind, id });

export const moveWalk = updateBy(placingWalk, 'serial', 'cursor');
export const endWalk = deleteBy(placingWalk, 'serial');
