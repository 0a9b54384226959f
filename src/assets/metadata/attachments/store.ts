import { sql } from 'drizzle-orm';
import { guard } from '../../../core/store/guard.ts';
import { query, statement, value, writes } from '../../../core/store/statement.ts';
import { deleted, goesWith, triggers } from '../../../core/store/triggers-sql.ts';
import { attachment } from '../tables.ts';

/** Entity that owns attachments. */
export type AttachmentOwner = { readonly type: string; readonly id: string };

const ofOwner = sql`owner_type = ${value('type')} AND owner_id = ${value('id')} AND kind = ${value('kind')}`;
const one = sql`${ofOwner} AND name = ${value('name')}`;

const columns = {
  name: attachment.name,
  mediaType: attachment.mediaType,
  content: attachment.content,
  changedAt: attachment.changedAt,
};

const attachmentRows = query(sql`SELECT name, media_type, content, changed_at FROM attachment WHERE ${one}`, columns);

export type AttachmentRow = Awaited<ReturnType<typeof attachmentRows>>[number];

export const findAttachment = async (
  reader: Parameters<typeof attachmentRows>[0],
  key: AttachmentOwner & { readonly kind: string; readonly name: string },
): Promise<AttachmentRow | undefined> => (await attachmentRows(reader, { ...key }))[0];

/** Sorted by name. */
export const namesOfAttachments = query(sql`SELECT name, media_type FROM attachment WHERE ${ofOwner} ORDER BY name`, {
  name: attachment.name,
  mediaType: attachment.mediaType,
});

export const writeAttachment = statement<
  AttachmentOwner & { kind: string; name: string; mediaType: string; content: Uint8Array<ArrayBuffer>; now: number }
>(
  sql`INSERT INTO ${writes('attachment')} (owner_type, owner_id, kind, name, media_type, content, changed_at)
    VALUES (${value('type')}, ${value('id')}, ${value('kind')}, ${value('name')}, ${value('mediaType')},
      ${value('content')}, ${value('now')})
    ON CONFLICT (owner_type, owner_id, kind, name)
    DO UPDATE SET media_type = excluded.media_type, content = excluded.content, changed_at = excluded.changed_at`,
);

export const removeAttachment = statement<AttachmentOwner & { kind: string; name: string }>(
  sql`DELETE FROM ${writes('attachment')} WHERE ${one}`,
);

export const removeAttachments = statement<AttachmentOwner & { kind: string }>(
  sql`DELETE FROM ${writes('attachment')} WHERE ${ofOwner}`,
);

export const attachmentThere = guard<AttachmentOwner & { kind: string; name: string }>(
  sql`EXISTS (SELECT 1 FROM attachment WHERE ${one})`,
);

export const attachmentsFit = guard<AttachmentOwner & { kind: string; max: number }>(
  sql`(SELECT count(*) FROM attachment WHERE ${ofOwner}) <= ${value('max')}`,
);

const ownedBy = (owner: string, table: string) =>
  deleted(
    owner,
    goesWith({ [table]: { owner_type: `'${owner}'`, owner_id: 'OLD.id' } }),
    `EXISTS (SELECT 1 FROM ${table} WHERE owner_type = '${owner}' AND owner_id = OLD.id)`,
  );

export const attachmentTriggers = (): readonly string[] =>
  triggers({
    item_attachments: ownedBy('item', 'attachment'),
    collection_attachments: ownedBy('collection', 'attachment'),
    item_bulky_values: ownedBy('item', 'bulky_value'),
    shape_bulky_values: ownedBy('shape', 'bulky_value'),
    component_bulky_values: ownedBy('component', 'bulky_value'),
  });
