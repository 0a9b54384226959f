import type { Reader } from '../../../core/store/statement.ts';
import type { MediaType } from '../../../http/negotiation.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import type { Reply } from '../../../http/reply.ts';
import type { Entity } from '../../../room/entity.ts';
import { downloadHeaders } from '../../../storage/public.ts';
import { type Kind, missing } from './rules.ts';
import { type AttachmentOwner, type AttachmentRow, findAttachment } from './store.ts';

/** Stored media type is returned, whatever the client accepts. */
export const keptForms: readonly MediaType[] = [
  'application/octet-stream',
  'application/xml',
  'application/json',
  'text/plain',
];

type OwnerSegments = Readonly<Record<string, Entity>>;

/** Attachments in paths, by their names. `ownerIn`: the owner, by the entities before the name. */
export const attachmentAt = (
  reader: Reader,
  { kind, noun }: Kind,
  ownerIn: (segments: OwnerSegments) => AttachmentOwner,
): PathEntity<AttachmentRow, OwnerSegments> => ({
  kind,
  async find(name, _caller, segments) {
    const row = await findAttachment(reader, { ...ownerIn(segments), kind, name });
    if (row) return row;
    throw missing(noun, name);
  },
});

/** Reply that browsers download instead of showing. */
export const keptReply = ({ name, mediaType, content }: AttachmentRow): Reply => ({
  status: 200,
  type: mediaType,
  body: content,
  headers: downloadHeaders(name),
});
