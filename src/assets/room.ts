import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { bulkAccessKind } from './access/bulk/kind.ts';
import { accessControlMergedGroupDocument, accessExplanationDocument } from './access/merged/documents.ts';
import { forgetGrantee } from './access/store.ts';
import * as accessTables from './access/tables.ts';
import * as attachmentTables from './attachments/tables.ts';
import { bulkyMetadataDocument } from './bulky/documents.ts';
import { collectionFolder } from './collections/folders/tables.ts';
import { collectionKind } from './collections/kinds.ts';
import * as memberTables from './collections/tables.ts';
import { metadataDatasetListDocument } from './datasets/documents.ts';
import { definitionDocuments } from './definitions/documents.ts';
import { fieldGroupKind, fieldKind } from './definitions/kinds.ts';
import { collectionDocument, collectionListDocument, collectionReorderDocument } from './documents/collection.ts';
import { componentDocument, componentListDocument } from './documents/component.ts';
import { itemDocument, itemListDocument } from './documents/item.ts';
import {
  metadataChangeSetDocument,
  metadataDocument,
  metadataEntryDocument,
  metadataEntryListDocument,
  metadataListDocument,
  metadataLockDocument,
  metadataLockListDocument,
  terseMetadataListDocument,
} from './documents/metadata.ts';
import {
  essenceVersionDocument,
  essenceVersionListDocument,
  shapeDocument,
  shapeListDocument,
} from './documents/shape.ts';
import { transcodePresetDocument } from './documents/transcode-preset.ts';
import { assetEvents } from './events.ts';
import { importAccessListDocument } from './importing/access/documents.ts';
import { importSettingsDocument } from './importing/settings/documents.ts';
import { itemKind } from './items/kinds.ts';
import { lockDocument } from './items/lock/documents.ts';
import * as lockTables from './items/tables.ts';
import { libraryKind } from './libraries/kinds.ts';
import * as libraryTableSet from './libraries/tables.ts';
import { deletionLockDocument, deletionLockListDocument } from './locks/documents.ts';
import { lockExpiryKind } from './locks/kind.ts';
import { deletionLockKind } from './locks/kinds.ts';
import { lockProperties } from './locks/properties.ts';
import { fileUnlocked } from './locks/rules.ts';
import * as deletionLockTables from './locks/tables.ts';
import * as inheritedTables from './metadata/inherited/tables.ts';
import * as metadataTableSet from './metadata/tables.ts';
import { documentListDocument } from './metadata-documents/documents.ts';
import { documentKind } from './metadata-documents/store.ts';
import * as documentTables from './metadata-documents/tables.ts';
import { metadataSchemaDocument, metadataSchemaGroupDocument } from './metadata-schema/documents.ts';
import { namespaceDocument, namespaceListDocument } from './namespaces/documents.ts';
import { duplicateListDocument } from './namespaces/duplicates/documents.ts';
import * as namespaceTables from './namespaces/tables.ts';
import type { AssetParts } from './parts.ts';
import { placementKind } from './placing/kind.ts';
import { ruledBy } from './placing/ruled-by.ts';
import * as placingTables from './placing/tables.ts';
import { wantedPaths } from './placing/wanted-paths.ts';
import { watermarkKind } from './placing/watermarks/kind.ts';
import { itemRelationDocument, itemRelationListDocument } from './relations/documents.ts';
import * as relationTables from './relations/tables.ts';
import { releaseFields } from './release-fields.ts';
import { assetRoutes } from './routes.ts';
import { assetsSchema } from './schema-sql.ts';
import { assetSettings } from './settings.ts';
import { mayAbandon, mustHaveBytes } from './shapes/bytes/rights.ts';
import { shapeFilename } from './shapes/filenames/tables.ts';
import * as shapeTables from './shapes/tables.ts';
import * as tables from './tables.ts';

/** Room of items, metadata, collections, libraries and shapes. */
export const assets = defineRoom({
  name: 'assets',
  tables: {
    ...tables,
    ...accessTables,
    ...attachmentTables,
    collectionFolder,
    ...deletionLockTables,
    ...inheritedTables,
    ...libraryTableSet,
    ...lockTables,
    ...memberTables,
    ...metadataTableSet,
    ...documentTables,
    ...namespaceTables,
    ...placingTables,
    ...relationTables,
    ...shapeTables,
    shapeFilename,
  },
  schema: assetsSchema,
  settings: assetSettings,
  properties: lockProperties,
  documents: [
    accessControlMergedGroupDocument,
    accessExplanationDocument,
    collectionDocument,
    collectionListDocument,
    collectionReorderDocument,
    componentDocument,
    componentListDocument,
    deletionLockDocument,
    deletionLockListDocument,
    ...definitionDocuments,
    documentListDocument,
    duplicateListDocument,
    essenceVersionDocument,
    essenceVersionListDocument,
    metadataChangeSetDocument,
    metadataDocument,
    metadataEntryDocument,
    metadataEntryListDocument,
    metadataListDocument,
    metadataLockDocument,
    metadataLockListDocument,
    itemDocument,
    itemListDocument,
    itemRelationDocument,
    itemRelationListDocument,
    importAccessListDocument,
    importSettingsDocument,
    lockDocument,
    namespaceDocument,
    namespaceListDocument,
    bulkyMetadataDocument,
    metadataDatasetListDocument,
    metadataSchemaDocument,
    metadataSchemaGroupDocument,
    shapeDocument,
    shapeListDocument,
    terseMetadataListDocument,
    transcodePresetDocument,
  ],
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
      'collection',
      'deletion_lock',
      'document',
      'item_shape',
      'library',
      'metadata',
      'metadata_dataset',
      'metadata_field',
      'metadata_field_group',
      'metadata_global',
      'metadata_lock',
      'shape',
      'shape_tag',
      'site_rule',
      'thumbnail',
    ),
  ],
  open(parts: AssetParts) {
    const { store } = parts;
    return {
      routes: assetRoutes(parts),
      workers: [bulkAccessKind(parts), placementKind(parts), watermarkKind(parts), lockExpiryKind(parts)],
      services: {
        ruledBy,
        wantedPaths,
        fileDeletable: (id) => [fileUnlocked(id, parts.clock.now())],
        mustHaveBytes: (call, id) => mustHaveBytes(store, call, id),
        mayAbandon: (call, id, items) => mayAbandon(store, call, id, items),
      },
      entities: {
        '/item': itemKind(store),
        '/collection': collectionKind(store),
        '/library': libraryKind(store),
        '/document': documentKind(store),
        '/deletion-lock': deletionLockKind(store),
        '/metadata-field': fieldKind(store),
        '/metadata-field/field-group': fieldGroupKind(store),
      },
      onDelete: { user: ({ id }) => forgetGrantee.map((statement) => statement({ userId: id })) },
    };
  },
});
