import { desc } from 'drizzle-orm';
import { guard, mustExist } from '../../core/store/guard.ts';
import { deleteBy, insertInto, rowBy, updateBy } from '../../core/store/rows.ts';
import { query, sql, statement, value, valuesOf, writes } from '../../core/store/statement.ts';
import { deleted, goesWith, triggers } from '../../core/store/triggers-sql.ts';
import { share, shareUpload, shareUse } from './tables.ts';

export const findShare = rowBy(share, 'id');
export type ShareRow = NonNullable<Awaited<ReturnType<typeof findShare>>>;
export const findByDigest = rowBy(share, 'digest');
export const shareMustExist = mustExist(share.id);

export const insertShare = insertInto(share);
export const updateShare = updateBy(
  share,
  'id',
  ...(['caller', 'login', 'title', 'note', 'password', 'begins', 'ends', 'maxUses'] as const),
  ...([
    'asksName',
    'look',
    'comment',
    'mark',
    'plays',
    'downloads',
    'play',
    'download',
    'uploadFiles',
    'uploadBytes',
  ] as const),
);
/** Gives the share another secret. */
export const updateSecret = updateBy(share, 'id', 'digest', 'sealed');
/** A trigger deletes its uses. */
export const removeShare = deleteBy(share, 'id');
export const removeSharesOf = deleteBy(share, 'userId');

/** Guard: a user has room for one more. */
export const fewShares = guard<{ userId: string; max: number }>(
  sql`(SELECT count(*) FROM share WHERE user_id = ${value('userId')}) < ${value('max')}`,
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

const ofLibrary = sql`FROM share WHERE target_type = 'library' AND target_id = ${value('id')}`;
/** Guard: no share shows the library. */
export const libraryUnshared = guard<{ id: string }>(sql`NOT EXISTS (SELECT 1 ${ofLibrary})`);
/** Whether shares show a library, and whether it was made for them. */
export const sharesOfLibrary = query(sql`SELECT count(*), coalesce(max(owns_target), 0) ${ofLibrary}`, {
  shares: sql<number>``,
  owned: sql<number>``,
}).first;

/** Guard: the share has not been used as often as it may. */
export const hasUses = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM share WHERE id = ${value('id')} AND (max_uses IS NULL OR used < max_uses))`,
);
/** Guard: few guests have come in by the share from one place: some at once, and then one in each pause. */
const fewUsesFrom = (column: 'address' | 'network') =>
  guard<{ id: string; from: string; now: number; atOnce: number; pause: number }>(
    sql`(SELECT coalesce(max(at + (later + 1 - ${value('atOnce')}) * ${value('pause')}), 0) FROM (
        SELECT at, row_number() OVER (ORDER BY at DESC) AS later FROM share_use
          WHERE share_id = ${value('id')} AND ${sql.identifier(column)} = ${value('from')})) <= ${value('now')}`,
  );
export const fewUsesFromAddress = fewUsesFrom('address');
export const fewUsesFromNetwork = fewUsesFrom('network');
export const countUse = statement<{ id: string }>(
  sql`UPDATE ${writes('share')} SET used = used + 1 WHERE id = ${value('id')}`,
);
export const insertUse = insertInto(
  shareUse,
  ...(['shareId', 'digest', 'at', 'until', 'name', 'device', 'address', 'network'] as const),
);
/** Names a guest who has come in without a name. */
export const nameUse = updateBy(shareUse, 'id', 'name');
export const findUse = rowBy(shareUse, 'digest');
export type UseRow = NonNullable<Awaited<ReturnType<typeof findUse>>>;

/** Ends the stay of all guests. */
export const endUses = statement<{ id: string }>(
  sql`UPDATE ${writes('share_use')} SET until = at WHERE share_id = ${value('id')}`,
);

const ofShare = sql`FROM share_use WHERE share_id = ${value('id')}`;
/** Deletes one use beyond a number: the oldest of the network with the most, whose guests push out nobody else. */
export const forgetUseBeyond = statement<{ id: string; max: number }>(
  sql`DELETE FROM ${writes('share_use')} WHERE (SELECT count(*) ${ofShare}) > ${value('max')} AND id =
    (SELECT min(id) ${ofShare} AND network =
      (SELECT network ${ofShare} GROUP BY network ORDER BY count(*) DESC, min(id) LIMIT 1))`,
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

const pending = sql`FROM share_upload WHERE share_id = ${value('id')} AND item_id IS NULL AND ends > ${value('now')}`;
/** Guard: one more file of this size is within the bounds of the share, beside those that are being sent. */
export const uploadFits = guard<{ id: string; size: number; now: number }>(
  sql`EXISTS (SELECT 1 FROM share WHERE id = ${value('id')} AND files + (SELECT count(*) ${pending}) < upload_files
    AND bytes + (SELECT coalesce(sum(size), 0) ${pending}) + ${value('size')} <= upload_bytes)`,
);
/** Files that are being sent, and their bytes. */
export const pendingOf = query(sql`SELECT count(*), coalesce(sum(size), 0) ${pending}`, {
  files: sql<number>``,
  bytes: sql<number>``,
}).first;

export const findUpload = rowBy(shareUpload, 'id');
export type UploadRow = NonNullable<Awaited<ReturnType<typeof findUpload>>>;
export const insertUpload = insertInto(shareUpload);
/** An upload that has become an item keeps the time at which it did. */
export const touchUpload = statement<{ id: string; transferId: string; ends: number }>(
  sql`UPDATE ${writes('share_upload')} SET transfer_id = ${value('transferId')},
    ends = CASE WHEN item_id IS NULL THEN ${value('ends')} ELSE ends END WHERE id = ${value('id')}`,
);
/** Guard: an upload has its place, and is no item yet. */
export const uploadWaits = guard<{ id: string }>(
  sql`EXISTS (SELECT 1 FROM share_upload WHERE id = ${value('id')} AND item_id IS NULL)`,
);
export const finishUpload = updateBy(shareUpload, 'id', 'itemId', 'title', 'ends');
export const countUpload = statement<{ id: string; size: number }>(
  sql`UPDATE ${writes('share')} SET files = files + 1, bytes = bytes + ${value('size')} WHERE id = ${value('id')}`,
);
/** Gives the place of an upload back, unless it has become an item. */
export const dropUpload = statement<{ id: string }>(
  sql`DELETE FROM ${writes('share_upload')} WHERE id = ${value('id')} AND item_id IS NULL`,
);
export const dropEnded = statement<{ id: string; now: number }>(
  sql`DELETE FROM ${writes('share_upload')} WHERE share_id = ${value('id')} AND item_id IS NULL AND ends <= ${value('now')}`,
);
/** Guard: a guest has fewer uploads that are not whole. */
export const fewUploads = guard<{ useId: number; max: number }>(
  sql`(SELECT count(*) FROM share_upload WHERE use_id = ${value('useId')} AND item_id IS NULL) < ${value('max')}`,
);
/** Files of a page of guests, the newest first. */
export const filesOfUses = query((db) =>
  db
    .select()
    .from(shareUpload)
    .where(sql`${shareUpload.useId} IN ${valuesOf('ids')} AND ${shareUpload.itemId} IS NOT NULL`)
    .orderBy(desc(shareUpload.ends), desc(shareUpload.id))
    .limit(value('limit')),
);
/**
 * Files of a guest that have become items, the newest first, with the status of their import. `complains`: whether its check
 * of the media says that something is wrong.
 */
export const outcomesOf = query(
  sql`SELECT sent.id, sent.file, job.status, EXISTS (
        SELECT 1 FROM job_task WHERE job_task.job_id = job.id AND job_task.step = 300 AND job_task.error IS NOT NULL)
      FROM share_upload AS sent JOIN job ON job.serial = (
        SELECT min(first.serial) FROM job_datum JOIN job AS first ON first.id = job_datum.job_id
          WHERE job_datum.key = 'itemId' AND job_datum.value = sent.item_id)
      WHERE sent.use_id = ${value('useId')} AND sent.item_id IS NOT NULL
      ORDER BY sent.ends DESC, sent.id DESC LIMIT ${value('limit')}`,
  { id: sql<string>``, file: sql<string>``, status: sql<string>``, complains: sql<number>`` },
);
/** The upload that has become an item. */
export const originOf = rowBy(shareUpload, 'itemId');

/** Guard: guests of the share have written fewer comments than the limit. */
export const commentFits = guard<{ id: string; max: number }>(
  sql`EXISTS (SELECT 1 FROM share WHERE id = ${value('id')} AND comments < ${value('max')})`,
);
export const countComment = statement<{ id: string }>(
  sql`UPDATE ${writes('share')} SET comments = comments + 1 WHERE id = ${value('id')}`,
);

const ofCollection = query(
  sql`SELECT 1 FROM collection_member WHERE collection_id = ${value('targetId')} AND member_type = 'item'
    AND member_id = ${value('item')}`,
  { is: sql<number>`` },
);
const inLibrary = query(
  sql`SELECT 1 FROM library_item WHERE item_id = ${value('item')} AND library_id = ${value('targetId')}`,
  { is: sql<number>`` },
);
/** Whether an item is in a collection, or in a library. */
export const holds = { collection: ofCollection, library: inLibrary };

/** Shares are deleted with what they show, and uses with their share. An item keeps who sent it. */
export const shareSchema = (): readonly string[] => {
  const of = (type: string) => ({ share: { target_type: `'${type}'`, target_id: 'OLD.id' } });
  return triggers({
    share_gone: deleted(
      'share',
      goesWith({ share_use: 'share_id', share_upload: { share_id: 'OLD.id', item_id: null } }),
    ),
    share_of_item_gone: deleted('item', goesWith({ ...of('item'), share_upload: 'item_id' })),
    share_of_collection_gone: deleted('collection', goesWith(of('collection'))),
    share_of_library_gone: deleted('library', goesWith(of('library'))),
  });
};
