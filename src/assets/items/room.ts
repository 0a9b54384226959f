import { below } from '../../http/route-group.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { externalIdRoutes, shortExternalIdRoutes } from '../../room/entities/external-ids/routes.ts';
import { type EntityPath, type EntityResource, entityAt } from '../../room/entities/place.ts';
import type { Entity, EntityKind } from '../../room/entity.ts';
import { hooked } from '../../room/hook.ts';
import { fileDeletableHook } from '../../storage/public.ts';
import { guardedEntity } from '../access/public.ts';
import { collection, collectionFolder, collectionMember, item, library, libraryItem } from '../containment/tables.ts';
import { externalIdPlace } from '../definitions/public.ts';
import { bulkyRoutes } from './bulky/routes.ts';
import { bulkyMetadataDocument } from './bulky/rules.ts';
import { memberTriggers } from './collections/members/store.ts';
import { collectionRoutes } from './collections/routes.ts';
import {
  collectionKind,
  itemKind,
  readCollections,
  readItems,
  writeCollections,
  writeItems,
} from './contract/entities.ts';
import * as contractTables from './contract/tables.ts';
import * as deletionLockDocuments from './deletion-locks/documents.ts';
import { deletionLockKind } from './deletion-locks/entity.ts';
import { lockExpiryKind, lockProperties } from './deletion-locks/expiry-work.ts';
import { deletionLockRoutes } from './deletion-locks/routes.ts';
import { fileDeletable } from './deletion-locks/rules.ts';
import { lockTriggers } from './deletion-locks/store.ts';
import * as documents from './documents.ts';
import { itemEvents } from './events.ts';
import { importAccessRoutes, importSettingsRoutes } from './importing/entry-routes.ts';
import { itemPlaceholderRoutes } from './importing/routes.ts';
import { libraryKind } from './library-entity.ts';
import { itemRelationRoutes } from './relations/routes.ts';
import { itemRelationDocument, itemRelationListDocument } from './relations/rules.ts';
import * as relationTables from './relations/store.ts';
import { itemRoutes, lockDocument } from './routes.ts';
import { type ItemsContext, itemSettings } from './settings.ts';
import * as tables from './tables.ts';
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
    item,
    collection,
    collectionMember,
    collectionFolder,
    library,
    libraryItem,
    ...contractTables,
    ...tables,
    ...relationTables,
  },
  schema: globalThis.isEdgeModule ? [] : [...memberTriggers(), ...lockTriggers()],
  settings: itemSettings,
  properties: lockProperties,
  documents: [
    deletionLockDocuments,
    documents,
    { bulkyMetadataDocument, itemRelationDocument, itemRelationListDocument, lockDocument },
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
      hooks: [hooked(fileDeletableHook, (id, items = []) => fileDeletable(id, items, clock.now()))],
      entities: {
        '/item': itemKind(store),
        '/collection': collectionKind(store),
        '/library': libraryKind(store),
        '/deletion-lock': deletionLockKind(store),
      },
    };
  },
});
