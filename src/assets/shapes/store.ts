import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { expectVersion, guard, mustExist, rowExists } from '../../core/store/guard.ts';
import { deleteBy, insertInto, putInto, rowBy, rowsAmong, updateBy } from '../../core/store/rows.ts';
import {
  eachEntity,
  eachOf,
  oneEntity,
  query,
  statement,
  value,
  valuesOf,
  writes,
} from '../../core/store/statement.ts';
import { file, fileUse, isLocal, sameBytes } from '../../storage/public-reading.ts';
import { component, shape, shapeTag, shapeTagged } from './tables.ts';

export const findShape = rowBy(shape, 'id');

export type ShapeRow = NonNullable<Awaited<ReturnType<typeof findShape>>>;

/** Shapes of an item by version, and then oldest first. */
export const shapesOfItem = query((db) =>
  db
    .select()
    .from(shape)
    .where(eq(shape.itemId, value('itemId')))
    .orderBy(shape.essenceVersion, shape.serial)
    .limit(value('max')),
).reaching({ upTo: 'max' });

/** Shapes of a page of items. `ids`: JSON array. */
export const shapesOfItems = query((db) =>
  db
    .select()
    .from(shape)
    .where(sql`${shape.itemId} IN ${valuesOf('ids')}`)
    .orderBy(shape.essenceVersion, shape.serial)
    .limit(value('max')),
).reaching({ each: 'ids', upTo: 'max' });

/** Shapes by id. `ids`: JSON array. */
export const shapesNamed = query((db) =>
  db
    .select()
    .from(shape)
    .where(sql`${shape.id} IN ${valuesOf('ids')}`)
    .orderBy(shape.serial),
);

/** Tags of all shapes of an item. */
export const tagsOfItem = query((db) =>
  db
    .select({ shapeId: shapeTagged.shapeId, tag: shapeTagged.tag })
    .from(shapeTagged)
    .where(eq(shapeTagged.itemId, value('itemId')))
    .orderBy(shapeTagged.shapeId, shapeTagged.position),
).reaching(oneEntity);

/** Tags of shapes. `ids`: JSON array. */
export const tagsOfShapes = query((db) =>
  db
    .select({ shapeId: shapeTagged.shapeId, tag: shapeTagged.tag })
    .from(shapeTagged)
    .where(sql`${shapeTagged.shapeId} IN ${valuesOf('ids')}`)
    .orderBy(shapeTagged.shapeId, shapeTagged.position),
).reaching(eachEntity('ids'));

/** Components of shapes. `ids`: JSON array. */
export const componentsOfShapes = query((db) =>
  db
    .select()
    .from(component)
    .where(sql`${component.shapeId} IN ${valuesOf('ids')}`)
    .orderBy(component.kind, component.position),
).reaching(eachEntity('ids'));

export type ComponentRow = Awaited<ReturnType<typeof componentsOfShapes>>[number];

/** Files of components of shapes, oldest first, without files of deleted storages. */
export const filesOfShapes = query(
  sql`SELECT component.shape_id, component.id, file.id FROM ${eachOf('ids')} AS given
    CROSS JOIN component ON component.shape_id = given.value
    CROSS JOIN file_use ON file_use.component_id = component.id
    CROSS JOIN file ON file.id = file_use.file_id
    CROSS JOIN storage ON storage.id = file.storage_id AND storage.deleted_at IS NULL
    ORDER BY file.serial`,
  { shapeId: component.shapeId, componentId: component.id, fileId: file.id },
).reaching(eachEntity('ids'));

/** Files by id. `ids`: JSON array. */
export const filesNamed = query((db) =>
  db
    .select(getTableColumns(file))
    .from(file)
    .where(sql`${file.id} IN ${valuesOf('ids')}`)
    .orderBy(file.serial),
);

export const insertShape = insertInto(shape);

export const insertComponent = insertInto(component);

/** Shifts components of the kind to make room at a position. */
export const moveBack = statement<{ shapeId: string; kind: string; position: number }>(
  sql`UPDATE ${writes('component')} SET position = position + 1
    WHERE shape_id = ${value('shapeId')} AND kind = ${value('kind')} AND position >= ${value('position')}`,
);

export const writeComponent = updateBy(component, 'id', 'shapeId', 'position', 'expected', 'document');

/** Writes a shape with a new version, which makes concurrent requests decide again. */
export const writeShape = statement<{ id: string; placeholder: number; mimeTypes: string }>(
  sql`UPDATE ${writes('shape')} SET placeholder = ${value('placeholder')}, mime_types = ${value('mimeTypes')}, version = version + 1
    WHERE id = ${value('id')}`,
);

export const shapeUnchanged = expectVersion(shape.id, shape.version);
export const shapeThere = rowExists(shape, 'id');

const componentsOf = (
  count: SQL,
) => sql`(SELECT ${count} FROM shape CROSS JOIN component ON component.shape_id = shape.id
  WHERE item_id = ${value('itemId')})`;
const bytesOf = (type: string, ids: SQL) =>
  sql`(SELECT TOTAL(octet_length(key) + octet_length(value)) FROM key_value
    WHERE entity_type = ${type} AND entity_id IN (${ids}))`;

/** Guard: the item has no shape, not even a new one from another request. */
export const hasNoShape = guard<{ id: string }>(sql`NOT EXISTS (SELECT 1 FROM shape WHERE item_id = ${value('id')})`);

/** Guards for limits per item, since one answer shows all of its shapes. */
export const shapesFit = guard<{ itemId: string; max: number }>(
  sql`(SELECT count(*) FROM shape WHERE item_id = ${value('itemId')}) <= ${value('max')}`,
);
export const componentsFit = guard<{ itemId: string; max: number }>(
  sql`${componentsOf(sql`count(*)`)} <= ${value('max')}`,
);
export const filesFit = guard<{ itemId: string; max: number }>(
  sql`(SELECT count(*) FROM file_use WHERE item_id = ${value('itemId')}) <= ${value('max')}`,
);
/** Guard for bytes of component documents, and of key-value metadata of shapes and components. */
export const bytesFit = guard<{ itemId: string; max: number }>(
  sql`${componentsOf(sql`TOTAL(octet_length(document))`)}
    + ${bytesOf('shape', sql`SELECT id FROM shape WHERE item_id = ${value('itemId')}`)}
    + ${bytesOf(
      'component',
      sql`SELECT component.id FROM shape CROSS JOIN component ON component.shape_id = shape.id
        WHERE item_id = ${value('itemId')}`,
    )} <= ${value('max')}`,
);

type Tagging = { readonly shapeId: string; readonly tag: string };

/** Adds a tag last. An existing one keeps its position. */
export const addTag = statement<Tagging & { itemId: string; essenceVersion: number }>(
  sql`INSERT INTO ${writes('shape_tagged')} (shape_id, tag, item_id, essence_version, position)
    SELECT ${value('shapeId')}, ${value('tag')}, ${value('itemId')}, ${value('essenceVersion')},
      COALESCE(MAX(position) + 1, 0) FROM shape_tagged WHERE shape_id = ${value('shapeId')}
    ON CONFLICT (shape_id, tag) DO NOTHING`,
);

export const removeTag = deleteBy(shapeTagged, 'shapeId', 'tag');

type Use = { readonly fileId: string; readonly itemId: string; readonly shapeId: string; readonly componentId: string };

export const useFile = statement<Use>(
  sql`INSERT INTO ${writes('file_use')} (file_id, item_id, shape_id, component_id)
    VALUES (${value('fileId')}, ${value('itemId')}, ${value('shapeId')}, ${value('componentId')})
    ON CONFLICT (file_id, component_id) DO NOTHING`,
);

/** Moves a component to another shape, with its files. */
export const moveUses = updateBy(fileUse, 'componentId', 'itemId', 'shapeId');

export const removeUse = deleteBy(fileUse, 'fileId', 'componentId');

/** Guard: the file exists, and is not marked for deletion. */
export const fileUsable = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM file WHERE id = ${value('id')} AND state <> 'TO_BE_DELETED'
    AND EXISTS (SELECT 1 FROM storage WHERE storage.id = file.storage_id AND deleted_at IS NULL))`,
);
export const fileUsed = guard<{ id: string }>(sql`EXISTS (SELECT 1 FROM file_use WHERE file_id = ${value('id')})`);

/** Deletes a component with its uses of files and its metadata. */
export const removeComponent = [
  sql`DELETE FROM ${writes('file_use')} WHERE component_id = ${value('id')}`,
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'component' AND entity_id = ${value('id')}`,
  sql`DELETE FROM ${writes('component')} WHERE id = ${value('id')}`,
].map((template) => statement<{ id: string }>(template));

const ofShape = sql`(SELECT id FROM component WHERE shape_id = ${value('id')})`;

/** Deletes a shape with its components, tags and metadata. */
export const removeShape = [
  sql`DELETE FROM ${writes('file_use')} WHERE component_id IN ${ofShape}`,
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'component' AND entity_id IN ${ofShape}`,
  sql`DELETE FROM ${writes('component')} WHERE shape_id = ${value('id')}`,
  sql`DELETE FROM ${writes('shape_tagged')} WHERE shape_id = ${value('id')}`,
  sql`DELETE FROM ${writes('key_value')} WHERE entity_type = 'shape' AND entity_id = ${value('id')}`,
  sql`DELETE FROM ${writes('external_id')} WHERE entity_type = 'shape' AND entity_id = ${value('id')}`,
  sql`DELETE FROM ${writes('shape')} WHERE id = ${value('id')}`,
].map((template) => statement<{ id: string }>(template));

/** Copies key-value metadata between entities of one kind. */
export const copyShapeKeys = statement<{ owner: string; from: string; to: string }>(
  sql`INSERT INTO ${writes('key_value')} (entity_type, entity_id, key, position, value)
    SELECT ${value('owner')}, ${value('to')}, key, position, value FROM key_value
    WHERE entity_type = ${value('owner')} AND entity_id = ${value('from')}`,
);

/** Guard: no shape of the version has any of the tags. `tags`: JSON array. */
export const versionFree = guard<{ itemId: string; version: number; tags: readonly string[] }>(
  sql`NOT EXISTS (SELECT 1 FROM shape_tagged WHERE item_id = ${value('itemId')}
    AND essence_version = ${value('version')} AND tag IN ${valuesOf('tags')})`,
);

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

/** Shapes that use a file. A limited number suffices for a decision. */
export const shapesWithFile = query(
  sql`SELECT DISTINCT item_id, shape_id FROM file_use WHERE file_id IN (${sameBytes(sql`${value('id')}`)}) LIMIT 1000`,
  { itemId: fileUse.itemId, shapeId: fileUse.shapeId },
);

/** Items of jobs that import or create a file, except for one job. Only the service writes memos. */
export const itemsAwaiting = query(
  sql`SELECT DISTINCT job.memo ->> '$.itemId' AS item_id FROM file_job CROSS JOIN job ON job.id = file_job.job_id
    WHERE file_id = ${value('id')} AND rest_until IS NULL AND file_job.job_id <> ${value('job')}
      AND item_id IS NOT NULL LIMIT 1000`,
  { itemId: sql<string>`item_id` },
);

/** Local files with an identity. */
export const filesWithIdentity = query(
  sql`SELECT id FROM file WHERE identity = ${value('identity')} AND identity IS NOT NULL
    AND ${isLocal(sql`storage_id`)} LIMIT 1000`,
  { id: sql<string>`id` },
);
