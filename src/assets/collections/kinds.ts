import type { EntityKind } from '../../room/entity.ts';
import type { Reader } from '../../store/statement.ts';
import { type CollectionRow, collectionMustExist, findCollection } from './store.ts';

export const collectionKind = (reader: Reader): EntityKind<CollectionRow> => ({
  type: 'collection',
  noun: 'Collection',
  find: (id) => findCollection(reader, { id }),
  mustExist: collectionMustExist,
});
