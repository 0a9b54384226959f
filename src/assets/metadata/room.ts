import { below } from '../../http/route-group.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { attachmentTriggers } from './attachments/store.ts';
import { datasetRoutes } from './dataset-routes.ts';
import { displayNameProperties } from './display-name.ts';
import { documentRoutes } from './document-routes.ts';
import * as documents from './documents.ts';
import { metadataEvents } from './events.ts';
import { logTextTriggers } from './log-text-sql.ts';
import { mainGroupRoutes } from './main-group-routes.ts';
import { metadataRoutes } from './routes.ts';
import { type MetadataContext, metadataSettings } from './settings.ts';
import { documentKind } from './store.ts';
import * as tables from './tables.ts';
import { validateRoutes } from './validate-routes.ts';

/** Metadata of items, collections and global documents, its log and locks, and content attached to entities. */
export const metadata = defineRoom({
  name: 'metadata',
  tables,
  schema: globalThis.isEdgeModule ? [] : [...attachmentTriggers(), ...logTextTriggers()],
  settings: metadataSettings,
  properties: displayNameProperties,
  documents: [documents],
  events: metadataEvents,
  roles: readAndWrite('document', 'metadata', 'metadata_dataset', 'metadata_global', 'metadata_lock'),
  open(context: MetadataContext) {
    return {
      routes: [
        below(['item', 'collection', 'document', 'metadata', 'metadata-lock'], () => metadataRoutes(context)),
        below('document', () => documentRoutes(context)),
        below(['item', 'collection'], () => mainGroupRoutes(context)),
        below('item', () => validateRoutes(context)),
        below('metadata', () => datasetRoutes(context)),
      ],
      entities: { '/document': documentKind(context.store) },
    };
  },
});
