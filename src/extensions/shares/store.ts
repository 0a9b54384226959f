import { desc } from 'drizzle-orm';
import { guard, mustExist } from '../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { query, sql, statement, value, writes } from '../../core/store/statement.ts';
import { share, shareUse } from './tables.ts';

export const findShare = rowBy(share, 'id');
export type ShareRow = NonNullable<Awaited<ReturnType<typeof findShare>>>;
export const findByDigest = rowBy(share, 'digest');
export const shareMustExist = mustExist(share.id);

export const insertShare = insertInto(share);
export const updateShare = updateBy(
  share,
  'id',
  ...(['title', 'password', 'begins', 'ends', 'maxUses', 'asksName', 'look', 'comment'] as const),
  ...(['play', 'download', 'uploadFiles', 'uploadBytes'] as const),
);
/** A trigger deletes its uses. */
export const removeShare = deleteBy(share, 'id');
export const removeSharesOf = deleteBy(share, 'userId');

/** Guard: a user has room for one more. */
export const fewShares = guard<{ userId: string; most: number }>(
  sql`(SELECT count(*) FROM share WHERE user_id = ${value('userId')}) < ${value('most')}`,
);

const page = (condition: ReturnType<typeof sql>) =>
  query((db) =>
    db.select().from(share).where(condition).orderBy(desc(share.serial)).limit(value('limit')).offset(value('offset')),
  );
export const sharesOf = page(sql`${share.userId} = ${value('userId')}`);
export const allShares = page(sql`TRUE`);
/** Shares of an entity: those of one user, or with `everyone` = 1 of all. */
export const sharesOn = page(
  sql`${share.targetType} = ${value('targetType')} AND ${share.targetId} = ${value('targetId')}
    AND (${value('everyone')} = 1 OR ${share.userId} = ${value('userId')})`,
);

/** Guard: the share has not been used as often as it may. */
export const hasUses = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM share WHERE id = ${value('id')} AND (max_uses IS NULL OR used < max_uses))`,
);
export const countUse = statement<{ id: string }>(
  sql`UPDATE ${writes('share')} SET used = used + 1 WHERE id = ${value('id')}`,
);
export const insertUse = insertInto(
  shareUse,
  ...(['shareId', 'digest', 'at', 'until', 'name', 'device', 'address'] as const),
);
export const findUse = rowBy(shareUse, 'digest');
export type UseRow = NonNullable<Awaited<ReturnType<typeof findUse>>>;

/** Deletes the oldest uses beyond a number. */
export const forgetUsesBeyond = statement<{ id: string; most: number }>(
  sql`DELETE FROM ${writes('share_use')} WHERE share_id = ${value('id')} AND id <=
    (SELECT id FROM share_use WHERE share_id = ${value('id')} ORDER BY id DESC LIMIT 1 OFFSET ${value('most')})`,
);

export const usesOf = query((db) =>
  db
    .select()
    .from(shareUse)
    .where(sql`${shareUse.shareId} = ${value('id')}`)
    .orderBy(desc(shareUse.id))
    .limit(value('limit'))
    .offset(value('offset')),
);

/** Guard: one more file of this size is within the bounds of the share. */
export const uploadFits = guard<{ id: string; size: number }>(
  sql`EXISTS (SELECT 1 FROM share WHERE id = ${value('id')} AND files < upload_files
    AND bytes + ${value('size')} <= upload_bytes)`,
);
/** Counts an upload, or takes one that failed off again. */
export const countUpload = statement<{ id: string; files: number; size: number }>(
  sql`UPDATE ${writes('share')} SET files = files + ${value('files')}, bytes = bytes + ${value('size')}
    WHERE id = ${value('id')}`,
);

/** Guard: guests of the share have written fewer comments than the limit. */
export const commentFits = guard<{ id: string; most: number }>(
  sql`EXISTS (SELECT 1 FROM share WHERE id = ${value('id')} AND comments < ${value('most')})`,
);
/** Counts a comment, or takes one that failed off again. */
export const countComment = statement<{ id: string; by: number }>(
  sql`UPDATE ${writes('share')} SET comments = comments + ${value('by')} WHERE id = ${value('id')}`,
);

const ofCollection = query(
  sql`SELECT 1 FROM collection_member WHERE collection_id = ${value('targetId')} AND member_type = 'item'
    AND member_id = ${value('item')}`,
  { is: sql<number>`` },
);
const ofLibrary = query(
  sql`SELECT 1 FROM library_item WHERE item_id = ${value('item')} AND library_id = ${value('targetId')}`,
  { is: sql<number>`` },
);
/** Whether an item is in a collection, or in a library. */
export const holds = { collection: ofCollection, library: ofLibrary };

/** The item that an import makes. */
export const itemOfImport = query(sql`SELECT memo ->> '$.itemId' FROM job WHERE id = ${value('jobId')}`, {
  itemId: sql<string>``,
});

/** Shares are deleted with what they show, and uses with their share. */
export const shareSchema: readonly string[] = [
  `CREATE TRIGGER "share_gone" AFTER DELETE ON "share" BEGIN
       DELETE FROM "share_use" WHERE "share_id" = OLD."id";
     END`,
  ...['item', 'collection', 'library'].map(
    (type) => `CREATE TRIGGER "share_of_${type}_gone" AFTER DELETE ON "${type}" BEGIN
       DELETE FROM "share" WHERE "target_type" = '${type}' AND "target_id" = OLD."id";
     END`,
  ),
];
