import { below } from '../../http/route-group.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { externalIdRoutes, shortExternalIdRoutes } from '../../room/entities/external-ids/routes.ts';
import { type EntityPath, type EntityResource, entityAt } from '../../room/entities/place.ts';
import type { Entity, EntityKind } from '../../room/entity.ts';
import { guardedEntity } from '../access/public.ts';
import { externalIdPlace } from '../definitions/public.ts';
import { bulkyMetadataDocument } from './bulky/documents.ts';
import { bulkyRoutes } from './bulky/routes.ts';
import { collectionFolder } from './collections/folders/store.ts';
import { memberTriggers } from './collections/members/store.ts';
import { collectionRoutes } from './collections/routes.ts';
import * as memberTables from './collections/tables.ts';
import { collectionKind, read as readCollections, write as writeCollections } from './contract/collection/entity.ts';
import { itemKind, read as readItems, write as writeItems } from './contract/item/entity.ts';
import * as tables from './contract/tables.ts';
import { deletionLockDocument, deletionLockListDocument } from './deletion-locks/documents.ts';
import { lockExpiryKind } from './deletion-locks/expiry-work.ts';
import { deletionLockKind } from './deletion-locks/kinds.ts';
import { lockProperties } from './deletion-locks/properties.ts';
import { deletionLockRoutes } from './deletion-locks/routes.ts';
import { fileDeletable } from './deletion-locks/rules.ts';
import { lockTriggers } from './deletion-locks/store.ts';
import * as deletionLockTables from './deletion-locks/tables.ts';
import { collectionDocument, collectionListDocument, collectionReorderDocument } from './documents/collection.ts';
import { itemDocument, itemListDocument } from './documents/item.ts';
import { itemEvents } from './events.ts';
import { importAccessListDocument } from './importing/access/documents.ts';
import { importAccessRoutes } from './importing/access/routes.ts';
import { itemPlaceholderRoutes } from './importing/routes.ts';
import { importSettingsDocument } from './importing/settings/documents.ts';
import { importSettingsRoutes } from './importing/settings/routes.ts';
import { libraryKind } from './libraries/kinds.ts';
import * as libraryTables from './libraries/tables.ts';
import { lockDocument } from './lock/routes.ts';
import { itemRelationDocument, itemRelationListDocument } from './relations/documents.ts';
import { itemRelationRoutes } from './relations/routes.ts';
import * as relationTables from './relations/store.ts';
import { itemRoutes } from './routes.ts';
import { type ItemsContext, itemSettings } from './settings.ts';
import { usesOfFileRoutes } from './uses-of-file-routes.ts';

/** Path of a kind of entity, for routes shared between rooms. */
function placeOf<E extends Entity>(
  { store }: ItemsContext,
  kind: EntityKind<E>,
  path: Omit<EntityPath, 'acting'>,
): EntityResource<E> {
  const at = guardedEntity(store, kind);
  return entityAt(store, kind, { ...path, acting: 'allowed' }, (use) => at(use === 'read' ? 'READ' : 'ALL'));
}

const itemPlace = (parts: ItemsContext) =>
  placeOf(parts, itemKind(parts.store), { path: '/item/:item', read: readItems, write: writeItems });

const collectionPlace = (parts: ItemsContext) =>
  placeOf(parts, collectionKind(parts.store), {
    path: '/collection/:collection',
    read: readCollections,
    write: writeCollections,
  });

/** Items and collections: members, relations, locks, placeholders, and what libraries contain. */
export const items = defineRoom({
  name: 'items',
  tables: {
    ...tables,
    collectionFolder,
    ...deletionLockTables,
    ...libraryTables,
    ...memberTables,
    ...relationTables,
  },
  schema: [...memberTriggers, ...lockTriggers],
  settings: itemSettings,
  properties: lockProperties,
  documents: [
    bulkyMetadataDocument,
    collectionDocument,
    collectionListDocument,
    collectionReorderDocument,
    deletionLockDocument,
    deletionLockListDocument,
    importAccessListDocument,
    importSettingsDocument,
    itemDocument,
    itemListDocument,
    itemRelationDocument,
    itemRelationListDocument,
    lockDocument,
  ],
  events: itemEvents,
  roles: [
    '_item_id_read',
    '_item_read',
    '_item_search',
    '_item_uri',
    '_item_write',
    ...readAndWrite('collection', 'deletion_lock', 'library'),
  ],
  open(context: ItemsContext) {
    const { store, clock } = context;
    return {
      routes: [
        below('collection', () => collectionRoutes(context)),
        below('item', () => itemRoutes(context)),
        below('import', () => [
          ...itemPlaceholderRoutes(context),
          ...importAccessRoutes(context),
          ...importSettingsRoutes(context),
        ]),
        below(['item', 'relation'], () => itemRelationRoutes(context)),
        below(['item', 'collection', 'library', 'file', 'storage', 'deletion-lock'], () => deletionLockRoutes(context)),
        below('item', () => bulkyRoutes(context)),
        below(['file', 'storage'], () => usesOfFileRoutes(context)),
        below('item', () => externalIdRoutes(context, externalIdPlace(context, itemPlace(context)))),
        below('item', () => shortExternalIdRoutes(itemPlace(context))),
        below('collection', () => externalIdRoutes(context, externalIdPlace(context, collectionPlace(context)))),
      ],
      workers: [lockExpiryKind(context)],
      services: { fileDeletable: (id, items = []) => fileDeletable(id, items, clock.now()) },
      entities: {
        '/item': itemKind(store),
        '/collection': collectionKind(store),
        '/library': libraryKind(store),
        '/deletion-lock': deletionLockKind(store),
      },
    };
  },
});
