import { mustHaveSome, type RequiredLevel } from '../access/public-reading.ts';
import { noSuchEntity } from '../entities/find.ts';
import { type Access, type Params, role, segment } from '../http/route.ts';
import { collectionKind, collectionName, collectionNamed } from '../items/contract/collection/kind.ts';
import { itemKind, itemName, itemNamed } from '../items/contract/item/kind.ts';
import type { Caller } from '../security/caller.ts';
import type { Statement } from '../store/contract.ts';
import type { Reader } from '../store/statement.ts';
import { globalOwner, type MetadataOwner, type OwnerKind } from './store.ts';

/**
 * Location of metadata in the API: an item, a collection, a global document, or global metadata. All have the same
 * routes.
 */
export interface MetadataResource {
  readonly kind: OwnerKind;
  /** Path of the entity. */
  readonly path: string;
  readonly metadataPath: string;
  readonly of: string;
  readonly read: Access;
  readonly write: Access;
  /** The entity named by the path. 403 if the caller lacks the level. */
  find(call: Caller, params: Params, level: RequiredLevel): Promise<MetadataOwner>;
  /** Guards that the entity still exists. */
  mustExist(owner: MetadataOwner): readonly Statement[];
}

const read = role('_metadata_read');
const write = role('_metadata_write');

export const itemPlace = (reader: Reader): MetadataResource => ({
  kind: 'item',
  path: '/item/:item',
  metadataPath: '/item/:item/metadata',
  of: 'of an item',
  read,
  write,
  async find(call, params, level) {
    const { id } = await itemNamed(reader, segment(params, 'item'));
    await mustHaveSome(reader, call, itemName, { id }, level, 'METADATA');
    return { kind: 'item', id };
  },
  mustExist: ({ id }) => [itemKind(reader).mustExist(id, noSuchEntity(itemName, id))],
});

export const collectionPlace = (reader: Reader): MetadataResource => ({
  kind: 'collection',
  path: '/collection/:collection',
  metadataPath: '/collection/:collection/metadata',
  of: 'of a collection',
  read,
  write,
  async find(call, params, level) {
    const { id } = await collectionNamed(reader, segment(params, 'collection'));
    await mustHaveSome(reader, call, collectionName, { id }, level, 'METADATA');
    return { kind: 'collection', id };
  },
  mustExist: ({ id }) => [collectionKind(reader).mustExist(id, noSuchEntity(collectionName, id))],
});

export const globalPlace: MetadataResource = {
  kind: 'global',
  path: '',
  metadataPath: '/metadata',
  of: 'that belongs to no entity',
  read: role('_metadata_global_read'),
  write: role('_metadata_global_write'),
  find: async () => globalOwner,
  mustExist: () => [],
};
