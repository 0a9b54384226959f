import { mustHave, type RequiredLevel } from '../../access/public-reading.ts';
import { noSuchEntity } from '../../entities/find.ts';
import { type Access, type Params, role, segment } from '../../http/route.ts';
import { collectionKind, collectionName, collectionNamed } from '../../items/contract/collection/kind.ts';
import { itemKind, itemName, itemNamed } from '../../items/contract/item/kind.ts';
import { unlockedFor } from '../../items/contract/lock/rules.ts';
import type { Caller } from '../../security/caller.ts';
import type { Statement } from '../../store/contract.ts';
import type { MetadataContext } from '../settings.ts';
import type { AttachmentOwner } from './store.ts';

/** Kind of entity with attachments, and its path. */
export interface AttachmentResource {
  readonly path: string;
  readonly noun: string;
  readonly read: Access;
  readonly write: Access;
  /** The entity named by the path. 403 if the caller lacks the level. */
  find(call: Caller, params: Params, level: RequiredLevel): Promise<AttachmentOwner>;
  /** Guards: the entity still exists, and no other user has locked it. */
  guards(call: Caller, owner: AttachmentOwner): readonly Statement[];
}

/** `read`, `write`: roles for the attachments. */
export const attachmentsOfItem = (
  { store, clock }: MetadataContext,
  read: string,
  write: string,
): AttachmentResource => ({
  path: '/item/:item',
  noun: 'item',
  read: role(read),
  write: role(write),
  async find(call, params, level) {
    const row = await itemNamed(store, segment(params, 'item'));
    await mustHave(store, call, itemName, row, level);
    return { type: itemName.type, id: row.id };
  },
  guards: (call, { id }) => [
    itemKind(store).mustExist(id, noSuchEntity(itemName, id)),
    unlockedFor(call, id, clock.now()),
  ],
});

export const ofCollection = ({ store }: MetadataContext, read: string, write: string): AttachmentResource => ({
  path: '/collection/:collection',
  noun: 'collection',
  read: role(read),
  write: role(write),
  async find(call, params, level) {
    const row = await collectionNamed(store, segment(params, 'collection'));
    await mustHave(store, call, collectionName, row, level);
    return { type: collectionName.type, id: row.id };
  },
  guards: (_call, { id }) => [collectionKind(store).mustExist(id, noSuchEntity(collectionName, id))],
});
