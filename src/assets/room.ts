import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { collectionKind } from './collections/kinds.ts';
import { definitionDocuments } from './definitions/documents.ts';
import { fieldGroupKind, fieldKind } from './definitions/kinds.ts';
import type { DefinitionParts } from './definitions/parts.ts';
import { definitionRoutes } from './definitions/routes.ts';
import { assetEvents } from './events.ts';
import { itemKind } from './items/kinds.ts';
import { assetTables } from './migrations/0011-assets.ts';
import { definitionTables } from './migrations/0012-definitions.ts';
import { releaseFields } from './release-fields.ts';
import * as tables from './tables.ts';

/** Items, metadata, collections, libraries and shapes. */
export const assets = defineRoom({
  name: 'assets',
  tables,
  migrations: [assetTables, definitionTables],
  documents: definitionDocuments,
  events: assetEvents,
  fields: releaseFields,
  roles: [
    '_item_id_read',
    '_item_read',
    '_item_search',
    '_item_uri',
    '_item_write',
    ...readAndWrite(
      'accesscontrol',
      'auto_projection',
      'collection',
      'deletion_lock',
      'document',
      'item_shape',
      'library',
      'metadata',
      'metadata_field',
      'metadata_field_group',
      'metadata_global',
      'metadata_lock',
      'sequence',
      'shape',
      'shape_tag',
      'site_rule',
      'thumbnail',
    ),
  ],
  open(parts: DefinitionParts) {
    const { store } = parts;
    return {
      routes: definitionRoutes(parts),
      entities: {
        '/item': itemKind(store),
        '/collection': collectionKind(store),
        '/metadata-field': fieldKind(store),
        '/metadata-field/field-group': fieldGroupKind(store),
      },
    };
  },
});
