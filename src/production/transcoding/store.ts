import { and, eq, sql } from 'drizzle-orm';
import { serialOf } from '../../core/lib/serial.ts';
import type { Statement } from '../../core/store/contract.ts';
import { mustExist } from '../../core/store/guard.ts';
import { deleteBy, insertInto, putInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { query, type Reader, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { deleted, goesWith, triggers } from '../../core/store/triggers-sql.ts';
import { resource, shapeTagScript, streamRendition, transcodeOutput } from './tables.ts';

/** Outputs in the order of the tags in the request. */
export const outputsOf = query((db) =>
  db
    .select()
    .from(transcodeOutput)
    .where(eq(transcodeOutput.jobId, value('jobId')))
    .orderBy(transcodeOutput.position),
);

export type OutputRow = Awaited<ReturnType<typeof outputsOf>>[number];
type ShapeKey = Pick<OutputRow, 'jobId' | 'tag'>;
type Key = ShapeKey & Pick<OutputRow, 'rendition'>;

export const insertOutput = statement<
  Pick<OutputRow, 'jobId' | 'tag' | 'rendition' | 'position' | 'shapeId' | 'sourceId' | 'preset' | 'newShapeId'>
>(
  sql`INSERT INTO ${writes('transcode_output')} (job_id, tag, rendition, position, shape_id, source_id, preset, new_shape_id, written, warnings, made, checked)
    VALUES (${value('jobId')}, ${value('tag')}, ${value('rendition')}, ${value('position')}, ${value('shapeId')},
      ${value('sourceId')}, ${value('preset')}, ${value('newShapeId')}, 0, '[]', 0, 0)
    ON CONFLICT (job_id, tag, rendition) DO NOTHING`,
);

const ofShape = sql`job_id = ${value('jobId')} AND tag = ${value('tag')}`;
const ofKey = sql`${ofShape} AND rendition = ${value('rendition')}`;

export const nameOutputFile = statement<Key & { fileId: string }>(
  sql`UPDATE ${writes('transcode_output')} SET file_id = ${value('fileId')} WHERE ${ofKey}`,
);

/** Keeps the index of a rendition ahead of the publication of its file. */
export const indexOutput = statement<Key & { segments: string }>(
  sql`UPDATE ${writes('transcode_output')} SET segments = ${value('segments')} WHERE ${ofKey}`,
);

export const outputWritten = statement<Key & { warnings: string }>(
  sql`UPDATE ${writes('transcode_output')} SET written = 1, warnings = ${value('warnings')} WHERE ${ofKey}`,
);

export const outputMade = statement<ShapeKey>(sql`UPDATE ${writes('transcode_output')} SET made = 1 WHERE ${ofShape}`);

export const outputChecked = statement<ShapeKey>(
  sql`UPDATE ${writes('transcode_output')} SET checked = 1 WHERE ${ofShape}`,
);

/** Marks an output whose shape a later job replaced: this job has nothing to check. */
export const outputReplaced = statement<ShapeKey & { readonly newShapeId: string }>(
  sql`UPDATE ${writes('transcode_output')} SET checked = 1, new_shape_id = ${value('newShapeId')} WHERE ${ofShape}`,
);

export const forgetOutputs = deleteBy(transcodeOutput, 'jobId');

/** Renditions of a stream, the best first. */
export const renditionsOfShape = query((db) =>
  db
    .select()
    .from(streamRendition)
    .where(eq(streamRendition.shapeId, value('shapeId')))
    .orderBy(streamRendition.position),
);

export type RenditionRow = Awaited<ReturnType<typeof renditionsOfShape>>[number];

/** Streams among some shapes. */
export const streamsAmong = query((db) =>
  db
    .select({ shapeId: streamRendition.shapeId })
    .from(streamRendition)
    .where(sql`${streamRendition.shapeId} IN ${valuesOf('ids')} AND ${streamRendition.position} = 0`),
);

export const findRendition = rowBy(streamRendition, ['shapeId', 'name']);

export const insertRendition = insertInto(streamRendition);

/** Pictures, streams and scripts are deleted with their item, shape or tag. */
export const transcodingSchema = (): readonly string[] =>
  triggers({
    picture_item_gone: deleted('item', goesWith({ picture: 'item_id' })),
    picture_version_gone: deleted(
      'shape',
      goesWith({ picture: { item_id: 'OLD.item_id', essence_version: 'OLD.essence_version' } }),
      'NOT EXISTS (SELECT 1 FROM shape WHERE item_id = OLD.item_id AND essence_version = OLD.essence_version)',
    ),
    stream_shape_gone: deleted('shape', goesWith({ stream_rendition: 'shape_id' })),
    shape_tag_script_gone: deleted('shape_tag', goesWith({ shape_tag_script: { tag: 'OLD.name' } })),
  });

export const findScript = rowBy(shapeTagScript, 'tag', 'script');

export const putScript = putInto(shapeTagScript, 'tag');

export const removeScript = deleteBy(shapeTagScript, 'tag');

/** A tag of the release. One of an older release is replaced. */
export const putTemplate = statement<{ name: string; document: string }>(
  sql`INSERT INTO ${writes('shape_tag')} (name, form, document) VALUES (${value('name')}, 'json', ${value('document')})
    ON CONFLICT (name) DO UPDATE SET form = excluded.form, document = excluded.document`,
);

/** A tag that clients expect. One that is there stays as it is. */
export const putDefaults = statement<{ name: string; document: string }>(
  sql`INSERT INTO ${writes('shape_tag')} (name, form, document) VALUES (${value('name')}, 'json', ${value('document')})
    ON CONFLICT (name) DO NOTHING`,
);

export const findResource = query((db) =>
  db
    .select()
    .from(resource)
    .where(and(eq(resource.type, value('type')), eq(resource.id, value('id')))),
).first;

/** A resource of any type. */
export const findResourceById = rowBy(resource, 'id');

export type TranscodingResourceRow = NonNullable<Awaited<ReturnType<typeof findResource>>>;

export const listResources = query((db) =>
  db
    .select()
    .from(resource)
    .where(eq(resource.type, value('type')))
    .orderBy(resource.serial)
    .limit(value('limit'))
    .offset(value('offset')),
);

const oldest = query((db) =>
  db.select({ id: resource.id }).from(resource).where(eq(resource.type, 'thumbnail')).orderBy(resource.serial).limit(1),
).first;

/** The resource that addresses of pictures name: the oldest one. */
export const thumbnailPlace = async (reader: Reader): Promise<string | undefined> => (await oldest(reader, {}))?.id;

export const resourceMustExist = mustExist(resource.id);

const insertRow = insertInto(resource);

export const insertResource = (row: Omit<TranscodingResourceRow, 'serial'>): Statement =>
  insertRow({ ...row, serial: serialOf(row.id) });

/** Inserts the first resource of the service itself, unless a concurrent instance has done so. */
export const insertFirst = statement(
  sql`INSERT INTO ${writes('resource')} (id, serial, type, document, created_at)
    SELECT ${value('id')}, ${value('serial')}, 'thumbnail', ${value('document')}, ${value('createdAt')}
    WHERE NOT EXISTS (SELECT 1 FROM resource WHERE type = 'thumbnail')`,
);

export const writeResource = updateBy(resource, 'id', 'document');

export const removeResource = deleteBy(resource, 'id');
