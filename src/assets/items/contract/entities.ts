import type { ServiceError } from '../../../core/lib/errors.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { role } from '../../../http/route.ts';
import { entityNamed } from '../../../room/entities/find.ts';
import type { EntityKind } from '../../../room/entity.ts';
import { guardedEntity } from '../../access/public.ts';
import { isReadableBy, mustHave } from '../../access/public-reading.ts';
import {
  type CollectionRow,
  collectionMustExist,
  findCollection,
  findItem,
  type ItemRow,
  itemMustExist,
} from './store.ts';

export const readItems = role('_item_read');
export const writeItems = role('_item_write');

export const itemName = { type: 'item', noun: 'Item' } as const;

export const itemKind = (reader: Reader): EntityKind<ItemRow> => ({
  ...itemName,
  find: (id) => findItem(reader, { id }),
  mustExist: itemMustExist,
  mayRead: (call, { id }, name) => mustHave(reader, call, itemName, { id }, 'READ', undefined, name),
  readableBy: (user, { id }) => isReadableBy(reader, user, { type: itemName.type, id }),
});

/** Items in paths. */
export const itemAt = (reader: Reader, absent?: (name: string) => ServiceError) =>
  guardedEntity(reader, itemKind(reader), absent);

/** Finds an item by id or external id; 404 if there is none. */
export const itemNamed = (reader: Reader, name: string): Promise<ItemRow> =>
  entityNamed(reader, itemKind(reader), name);

export const readCollections = role('_collection_read');
export const writeCollections = role('_collection_write');

export const collectionName = { type: 'collection', noun: 'Collection' } as const;

export const collectionKind = (reader: Reader): EntityKind<CollectionRow> => ({
  ...collectionName,
  find: (id) => findCollection(reader, { id }),
  mustExist: collectionMustExist,
  mayRead: (call, { id }, name) => mustHave(reader, call, collectionName, { id }, 'READ', undefined, name),
  readableBy: (user, { id }) => isReadableBy(reader, user, { type: collectionName.type, id }),
});

/** Collections in paths. */
export const collectionAt = (reader: Reader) => guardedEntity(reader, collectionKind(reader));

/** Finds a collection by id or external id; 404 if there is none. */
export const collectionNamed = (reader: Reader, name: string): Promise<CollectionRow> =>
  entityNamed(reader, collectionKind(reader), name);
