import type { Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { MediaType } from '../../../http/negotiation.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import type { Reply } from '../../../http/reply.ts';
import { type Access, role } from '../../../http/route.ts';
import type { Entity } from '../../../room/entity.ts';
import type { Caller } from '../../../security/caller.ts';
import { downloadHeaders } from '../../../storage/public.ts';
import type { RequiredLevel } from '../../access/public-reading.ts';
import { collectionAt, itemAt } from '../../items/contract/entities.ts';
import { unlockedFor } from '../../items/contract/item-locks.ts';
import type { MetadataContext } from '../settings.ts';
import { type AttachmentKind, missingAttachment } from './rules.ts';
import { type AttachmentOwner, type AttachmentRow, findAttachment } from './store.ts';

/** Kind of entity with attachments, and its path. */
export interface AttachmentResource {
  readonly path: string;
  /** Type of the entity, and the name of its segment in the path. */
  readonly type: 'item' | 'collection';
  readonly read: Access;
  readonly write: Access;
  /** Entity that owns the attachments. */
  entity(level: RequiredLevel): PathEntity<Entity>;
  /** Guards for changes: no other user has locked the entity. */
  unlocked(call: Caller, id: string): readonly Statement[];
}

/** Entities in the paths of a place, with the level that the caller needs. */
export const entitiesOf = ({ type, entity }: AttachmentResource, level: RequiredLevel) => ({ [type]: entity(level) });

/** Owner of the attachments that a path names. */
export const ownerIn = ({ type }: AttachmentResource, segments: Readonly<Record<string, Entity>>): AttachmentOwner => ({
  type,
  id: segments[type]!.id,
});

/** `read`, `write`: roles for the attachments. */
export const attachmentsOfItem = (
  { store, clock }: MetadataContext,
  read: string,
  write: string,
): AttachmentResource => ({
  path: '/item/:item',
  type: 'item',
  read: role(read),
  write: role(write),
  entity: itemAt(store),
  unlocked: (call, id) => [unlockedFor(call, id, clock.now())],
});

export const ofCollection = ({ store }: MetadataContext, read: string, write: string): AttachmentResource => ({
  path: '/collection/:collection',
  type: 'collection',
  read: role(read),
  write: role(write),
  entity: collectionAt(store),
  unlocked: () => [],
});

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
  { kind, noun }: AttachmentKind,
  ownerIn: (segments: OwnerSegments) => AttachmentOwner,
): PathEntity<AttachmentRow, OwnerSegments> => ({
  kind,
  async find(name, _caller, segments) {
    const row = await findAttachment(reader, { ...ownerIn(segments), kind, name });
    if (row) return row;
    throw missingAttachment(noun, name);
  },
});

/** Reply that browsers download instead of showing. */
export const keptReply = ({ name, mediaType, content }: AttachmentRow): Reply => ({
  status: 200,
  type: mediaType,
  body: content,
  headers: downloadHeaders(name),
});
