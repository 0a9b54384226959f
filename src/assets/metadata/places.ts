import { noSuchEntity } from '../../entities/find.ts';
import type { Call } from '../../http/call.ts';
import { type Access, type Params, role } from '../../http/route.ts';
import type { Statement } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import type { Wanted } from '../access/access.ts';
import { mustHaveSome } from '../access/viewer.ts';
import { collectionKind, collectionName, collectionNamed } from '../collections/kinds.ts';
import { itemKind, itemName, itemNamed } from '../items/kinds.ts';
import { globalOwner, type Owner, type OwnerKind } from './store.ts';

/** Where metadata is: below an item, below a collection, or below nothing. Its routes are the same. */
export interface MetadataPlace {
  readonly kind: OwnerKind;
  /** What stands ahead of `/metadata`. */
  readonly path: string;
  readonly of: string;
  readonly read: Access;
  readonly write: Access;
  /** Whose metadata the path names, where the caller may do this with it. */
  find(call: Call, params: Params, level: Wanted): Promise<Owner>;
  /** For a commit: the entity is still there. */
  mustExist(owner: Owner): readonly Statement[];
}

const read = role('_metadata_read');
const write = role('_metadata_write');

export const itemPlace = (reader: Reader): MetadataPlace => ({
  kind: 'item',
  path: '/item/:item',
  of: 'of an item',
  read,
  write,
  async find(call, params, level) {
    const { id } = await itemNamed(reader, params['item']!);
    await mustHaveSome(reader, call, itemName, { id }, level, 'METADATA');
    return { kind: 'item', id };
  },
  mustExist: ({ id }) => [itemKind(reader).mustExist(id, noSuchEntity(itemName, id))],
});

export const collectionPlace = (reader: Reader): MetadataPlace => ({
  kind: 'collection',
  path: '/collection/:collection',
  of: 'of a collection',
  read,
  write,
  async find(call, params, level) {
    const { id } = await collectionNamed(reader, params['collection']!);
    await mustHaveSome(reader, call, collectionName, { id }, level, 'METADATA');
    return { kind: 'collection', id };
  },
  mustExist: ({ id }) => [collectionKind(reader).mustExist(id, noSuchEntity(collectionName, id))],
});

export const globalPlace: MetadataPlace = {
  kind: 'global',
  path: '',
  of: 'that belongs to no entity',
  read: role('_metadata_global_read'),
  write: role('_metadata_global_write'),
  find: async () => globalOwner,
  mustExist: () => [],
};
