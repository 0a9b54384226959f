import { eq, sql } from 'drizzle-orm';
import { deleteBy } from '../../../core/store/rows.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { transcodeOutput } from '../tables.ts';

/** Outputs in the order of the tags in the request. */
export const outputsOf = query((db) =>
  db
    .select()
    .from(transcodeOutput)
    .where(eq(transcodeOutput.jobId, value('jobId')))
    .orderBy(transcodeOutput.position),
);

export type OutputRow = Awaited<ReturnType<typeof outputsOf>>[number];
type Key = Pick<OutputRow, 'jobId' | 'tag'>;

export const insertOutput = statement<
  Pick<OutputRow, 'jobId' | 'tag' | 'position' | 'shapeId' | 'sourceId' | 'preset' | 'newShapeId'>
>(
  sql`INSERT INTO ${writes('transcode_output')} (job_id, tag, position, shape_id, source_id, preset, new_shape_id, written, warnings, made, checked)
    VALUES (${value('jobId')}, ${value('tag')}, ${value('position')}, ${value('shapeId')}, ${value('sourceId')},
      ${value('preset')}, ${value('newShapeId')}, 0, '[]', 0, 0)
    ON CONFLICT (job_id, tag) DO NOTHING`,
);

const ofKey = sql`job_id = ${value('jobId')} AND tag = ${value('tag')}`;

export const nameOutputFile = statement<Key & { fileId: string }>(
  sql`UPDATE ${writes('transcode_output')} SET file_id = ${value('fileId')} WHERE ${ofKey}`,
);

export const outputWritten = statement<Key & { warnings: string }>(
  sql`UPDATE ${writes('transcode_output')} SET written = 1, warnings = ${value('warnings')} WHERE ${ofKey}`,
);

export const outputMade = statement<Key>(sql`UPDATE ${writes('transcode_output')} SET made = 1 WHERE ${ofKey}`);

export const outputChecked = statement<Key>(sql`UPDATE ${writes('transcode_output')} SET checked = 1 WHERE ${ofKey}`);

export const forgetOutputs = deleteBy(transcodeOutput, 'jobId');

/** Pictures and scripts are deleted with their item, shape or tag. */
export const transcodingSchema: readonly string[] = [
  `CREATE TRIGGER "picture_item_gone" AFTER DELETE ON "item" BEGIN
       DELETE FROM "picture" WHERE "item_id" = OLD."id";
     END`,
  `CREATE TRIGGER "picture_version_gone" AFTER DELETE ON "shape"
       WHEN NOT EXISTS (SELECT 1 FROM "shape" WHERE "item_id" = OLD."item_id" AND "essence_version" = OLD."essence_version") BEGIN
       DELETE FROM "picture" WHERE "item_id" = OLD."item_id" AND "essence_version" = OLD."essence_version";
     END`,
  `CREATE TRIGGER "shape_tag_script_gone" AFTER DELETE ON "shape_tag" BEGIN
       DELETE FROM "shape_tag_script" WHERE "tag" = OLD."name";
     END`,
];
