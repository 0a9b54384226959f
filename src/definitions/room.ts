import { below } from '../http/route-group.ts';
import type { CoreContext } from '../room/context.ts';
import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { definitionDocuments } from './documents.ts';
import { fieldGroupKind, fieldKind } from './kinds.ts';
import { namespaceDocument, namespaceListDocument } from './namespaces/documents.ts';
import { duplicateListDocument } from './namespaces/duplicates/documents.ts';
import { duplicateRoutes } from './namespaces/duplicates/routes.ts';
import { namespaceRoutes } from './namespaces/routes.ts';
import * as namespaceTables from './namespaces/tables.ts';
import { releaseFields } from './release-fields.ts';
import { schemaMigration } from './reshaping/tables.ts';
import { definitionRoutes } from './routes.ts';
import { metadataSchemaDocument, metadataSchemaGroupDocument } from './schema/documents.ts';
import { metadataSchemaRoutes } from './schema/routes.ts';
import * as tables from './tables.ts';

/** Fields and field groups of metadata, rights on them, and namespaces of external ids. */
export const definitions = defineRoom({
  name: 'definitions',
  tables: { ...tables, ...namespaceTables, schemaMigration },
  documents: [
    ...definitionDocuments,
    duplicateListDocument,
    metadataSchemaDocument,
    metadataSchemaGroupDocument,
    namespaceDocument,
    namespaceListDocument,
  ],
  fields: releaseFields,
  roles: readAndWrite('metadata_field', 'metadata_field_group'),
  open(context: CoreContext) {
    return {
      routes: [
        below('metadata-field', () => definitionRoutes(context)),
        below('metadata-schema', () => metadataSchemaRoutes(context)),
        below('external-id', () => [...namespaceRoutes(context), ...duplicateRoutes(context)]),
      ],
      entities: {
        '/metadata-field': fieldKind(context.store),
        '/metadata-field/field-group': fieldGroupKind(context.store),
      },
    };
  },
});
