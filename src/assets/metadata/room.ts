import { below } from '../../http/route-group.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { attachmentTriggers } from './attachments/store.ts';
import * as attachmentTables from './attachments/tables.ts';
import { metadataDatasetListDocument } from './datasets/documents.ts';
import { datasetRoutes } from './datasets/routes.ts';
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
import { metadataEvents } from './events.ts';
import { documentListDocument } from './global-documents/documents.ts';
import { documentRoutes } from './global-documents/routes.ts';
import { documentKind } from './global-documents/store.ts';
import * as documentTables from './global-documents/tables.ts';
import * as inheritedTables from './inherited/tables.ts';
import { mainGroupRoutes } from './main-groups/routes.ts';
import { metadataRoutes } from './routes.ts';
import { type MetadataContext, metadataSettings } from './settings.ts';
import * as tables from './tables.ts';

/** Metadata of items, collections and global documents, its log and locks, and content attached to entities. */
export const metadata = defineRoom({
  name: 'metadata',
  tables: { ...attachmentTables, ...inheritedTables, ...tables, ...documentTables },
  schema: attachmentTriggers,
  settings: metadataSettings,
  documents: [
    documentListDocument,
    metadataChangeSetDocument,
    metadataDatasetListDocument,
    metadataDocument,
    metadataEntryDocument,
    metadataEntryListDocument,
    metadataListDocument,
    metadataLockDocument,
    metadataLockListDocument,
    terseMetadataListDocument,
  ],
  events: metadataEvents,
  roles: readAndWrite('document', 'metadata', 'metadata_dataset', 'metadata_global', 'metadata_lock'),
  open(context: MetadataContext) {
    return {
      routes: [
        below(['item', 'collection', 'document', 'metadata', 'metadata-lock'], () => metadataRoutes(context)),
        below('document', () => documentRoutes(context)),
        below('item', () => mainGroupRoutes(context)),
        below('metadata', () => datasetRoutes(context)),
      ],
      entities: { '/document': documentKind(context.store) },
    };
  },
});
