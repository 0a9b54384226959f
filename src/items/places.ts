import { guardedEntity } from '../access/public.ts';
import { type EntityPath, type EntityResource, entityAt } from '../entities/place.ts';
import type { Entity, EntityKind } from '../room/entity.ts';
import * as collections from './contract/collection/kind.ts';
import * as items from './contract/item/kind.ts';
import type { ItemsContext } from './settings.ts';

/** Path of a kind of entity, for routes shared between rooms. */
function placeOf<E extends Entity>(
  { store }: ItemsContext,
  kind: EntityKind<E>,
  path: Omit<EntityPath, 'acting'>,
): EntityResource<E> {
  const at = guardedEntity(store, kind);
  return entityAt(store, kind, { ...path, acting: 'allowed' }, (use) => at(use === 'read' ? 'READ' : 'ALL'));
}

export const itemPlace = (parts: ItemsContext) =>
  placeOf(parts, items.itemKind(parts.store), { path: '/item/:item', read: items.read, write: items.write });

export const collectionPlace = (parts: ItemsContext) =>
  placeOf(parts, collections.collectionKind(parts.store), {
    path: '/collection/:collection',
    read: collections.read,
    write: collections.write,
  });
