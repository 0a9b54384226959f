import { getTableColumns, sql } from 'drizzle-orm';
import { guard } from '../../../core/store/guard.ts';
import { putInto, resultColumns } from '../../../core/store/rows.ts';
import { eachOf, query, statement, value, writes } from '../../../core/store/statement.ts';
import { picture } from '../tables.ts';

const { id: _, bytes: __, ...columns } = getTableColumns(picture);

const ofVersion = sql`${picture.itemId} = ${value('itemId')} AND ${picture.kind} = ${value('kind')}
  AND ${picture.essenceVersion} = ${value('version')}`;

/** Pictures of a version without their bytes, in the order of their times. */
export const picturesOf = query((db) => db.select(columns).from(picture).where(ofVersion).orderBy(picture.instant));

export type PictureRow = Awaited<ReturnType<typeof picturesOf>>[number];

const withBytes = {
  time: picture.time,
  type: picture.type,
  key: picture.key,
  size: picture.size,
  createdAt: picture.createdAt,
  bytes: sql<Uint8Array<ArrayBuffer>>`bytes`,
};

const selected = sql`SELECT ${resultColumns(withBytes)} FROM picture WHERE ${ofVersion}`;

/** Picture with its bytes. */
export const pictureAt = query(sql`${selected} AND instant = ${value('instant')}`, withBytes);

/** The last picture up to an instant, with its bytes: players ask for the time that they show. */
export const pictureUpTo = query(
  sql`${selected} AND instant <= ${value('instant')} ORDER BY instant DESC LIMIT 1`,
  withBytes,
);

/** The latest version of an item that has pictures of a kind. */
export const latestPictured = query((db) =>
  db
    .select({ version: sql<number | null>`max(${picture.essenceVersion})` })
    .from(picture)
    .where(sql`${picture.itemId} = ${value('itemId')} AND ${picture.kind} = ${value('kind')}`),
);

/** Pictures of the latest version of each item of a page. `ids`: JSON, a list. */
export const picturesOfAll = query(
  sql`SELECT ${resultColumns(columns)} FROM ${eachOf('ids')} AS given CROSS JOIN picture
    WHERE item_id = given.value AND kind = ${value('kind')} AND essence_version =
      (SELECT max(essence_version) FROM picture WHERE item_id = given.value AND kind = ${value('kind')})
    ORDER BY item_id, instant LIMIT ${value('limit')}`,
  columns,
);

/** Limits the pictures of a version, since one answer lists all of them. */
export const picturesFit = guard<{ itemId: string; kind: string; version: number; max: number }>(
  sql`(SELECT count(*) FROM picture WHERE item_id = ${value('itemId')} AND kind = ${value('kind')}
    AND essence_version = ${value('version')}) <= ${value('max')}`,
);

/** Inserts a picture, or replaces the one at the same instant. */
export const putPicture = putInto(
  picture,
  ['itemId', 'kind', 'essenceVersion', 'instant'],
  ...(Object.keys(columns) as (keyof typeof columns)[]),
  'bytes',
);
export type NewPicture = Parameters<typeof putPicture>[0];

type Version = { readonly itemId: string; readonly kind: string; readonly version: number };

export const removePicture = statement<Version & { instant: number }>(
  sql`DELETE FROM ${writes('picture')} WHERE item_id = ${value('itemId')} AND kind = ${value('kind')}
    AND essence_version = ${value('version')} AND instant = ${value('instant')}`,
);

export const removePictures = statement<Version>(
  sql`DELETE FROM ${writes('picture')} WHERE item_id = ${value('itemId')} AND kind = ${value('kind')}
    AND essence_version = ${value('version')}`,
);
