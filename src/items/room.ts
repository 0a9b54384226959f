import { bulkAccessKind } from '../access/bulk/kind.ts';
import { accessControlMergedGroupDocument, accessExplanationDocument } from '../access/merged/documents.ts';
import { forgetGrantee } from '../access/store.ts';
import * as accessTables from '../access/tables.ts';
import { definitionDocuments } from '../definitions/documents.ts';
import { fieldGroupKind, fieldKind } from '../definitions/kinds.ts';
import { namespaceDocument, namespaceListDocument } from '../definitions/namespaces/documents.ts';
import { duplicateListDocument } from '../definitions/namespaces/duplicates/documents.ts';
import * as namespaceTables from '../definitions/namespaces/tables.ts';
import { releaseFields } from '../definitions/release-fields.ts';
import { metadataSchemaDocument, metadataSchemaGroupDocument } from '../definitions/schema/documents.ts';
import * as attachmentTables from '../metadata/attachments/tables.ts';
import { metadataDatasetListDocument } from '../metadata/datasets/documents.ts';
import {
  metadataChangeSetDocument,
  metadataDocument,
  metadataEntryDocument,
  metadataEntryListDocument,
  metadataListDocument,
  metadataLockDocument,
  metadataLockListDocument,
  terseMetadataListDocument,
} from '../metadata/documents/metadata.ts';
import { documentListDocument } from '../metadata/global-documents/documents.ts';
import { documentKind } from '../metadata/global-documents/store.ts';
import * as documentTables from '../metadata/global-documents/tables.ts';
import * as inheritedTables from '../metadata/inherited/tables.ts';
import * as metadataTableSet from '../metadata/tables.ts';
import { placementKind } from '../placing/kind.ts';
import { ruledBy } from '../placing/ruled-by.ts';
import * as placingTables from '../placing/tables.ts';
import { wantedPaths } from '../placing/wanted-paths.ts';
import { watermarkKind } from '../placing/watermarks/kind.ts';
import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { mayAbandon, mustHaveBytes } from '../shapes/bytes/rights.ts';
import { componentDocument, componentListDocument } from '../shapes/documents/component.ts';
import {
  essenceVersionDocument,
  essenceVersionListDocument,
  shapeDocument,
  shapeListDocument,
} from '../shapes/documents/shape.ts';
import { transcodePresetDocument } from '../shapes/documents/transcode-preset.ts';
import { shapeFilename } from '../shapes/filenames/tables.ts';
import * as shapeTables from '../shapes/tables.ts';
import { assetRoutes } from './all-routes.ts';
import { bulkyMetadataDocument } from './bulky/documents.ts';
import { collectionFolder } from './collections/folders/tables.ts';
import * as memberTables from './collections/tables.ts';
import { collectionKind } from './contract/collection/kind.ts';
import { itemKind } from './contract/item/kind.ts';
import * as lockTables from './contract/lock/tables.ts';
import * as tables from './contract/tables.ts';
import { deletionLockDocument, deletionLockListDocument } from './deletion-locks/documents.ts';
import { lockExpiryKind } from './deletion-locks/kind.ts';
import { deletionLockKind } from './deletion-locks/kinds.ts';
import { lockProperties } from './deletion-locks/properties.ts';
import { fileUnlocked } from './deletion-locks/rules.ts';
import * as deletionLockTables from './deletion-locks/tables.ts';
import { collectionDocument, collectionListDocument, collectionReorderDocument } from './documents/collection.ts';
import { itemDocument, itemListDocument } from './documents/item.ts';
import { assetEvents } from './events.ts';
import { importAccessListDocument } from './importing/access/documents.ts';
import { importSettingsDocument } from './importing/settings/documents.ts';
import { libraryKind } from './libraries/kinds.ts';
import * as libraryTableSet from './libraries/tables.ts';
import { lockDocument } from './lock/documents.ts';
import type { AssetParts } from './parts.ts';
import { itemRelationDocument, itemRelationListDocument } from './relations/documents.ts';
import * as relationTables from './relations/tables.ts';
import { assetsSchema } from './schema-sql.ts';
import { assetSettings } from './settings.ts';

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
