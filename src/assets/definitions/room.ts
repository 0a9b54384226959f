import { countsRevision, revisionSchema } from '../../core/store/revision.ts';
import type { Route } from '../../http/route.ts';
import { below } from '../../http/route-group.ts';
import type { CoreContext } from '../../room/context.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { externalIdRoutes, shortExternalIdRoutes } from '../../room/entities/external-ids/routes.ts';
import { type DerivedKey, keyValueRoutes } from '../../room/entities/key-values/routes.ts';
import type { EntityResource } from '../../room/entities/place.ts';
import type { Entity } from '../../room/entity.ts';
import { fieldAccessRoutes, mergedAccessRoutes } from './access/routes.ts';
import * as documents from './documents.ts';
import { type FieldEntity, fieldGroupKind, fieldKind, fieldPlace } from './entities.ts';
import { lookupKey, lookupText } from './fields/documents.ts';
import { fieldRoutes } from './fields/routes.ts';
import { lookupChanges } from './fields/rules.ts';
import { valuesOf } from './fields/store.ts';
import { fieldGroupPlace } from './groups/change.ts';
import { fieldGroupRoutes } from './groups/routes.ts';
import { releaseFields } from './names.ts';
import { externalIdPlace } from './namespaces/give.ts';
import {
  duplicateListDocument,
  duplicateRoutes,
  namespaceDocument,
  namespaceListDocument,
  namespaceRoutes,
} from './namespaces/routes.ts';
import * as namespaceTables from './namespaces/store.ts';
import { schemaMigration } from './reshaping-sql.ts';
import { metadataSchemaDocument, metadataSchemaGroupDocument, metadataSchemaRoutes } from './schema-routes.ts';
import * as tables from './tables.ts';

/** Routes for metadata fields and field groups. */
const definitionRoutes = (parts: CoreContext): readonly Route[] => [
  ...fieldRoutes(parts),
  ...fieldGroupRoutes(parts),
  ...fieldAccessRoutes(parts),
  ...mergedAccessRoutes(parts),
  ...shortExternalIdRoutes(fieldPlace(parts.store)),
  ...keyValueRoutes(parts, { ...fieldPlace(parts.store), derived: lookupIn(parts) }),
  ...keyValueRoutes(parts, fieldGroupPlace(parts.store)),
  ...[fieldPlace(parts.store), fieldGroupPlace(parts.store)].flatMap((resource: EntityResource<Entity>) =>
    externalIdRoutes(parts, externalIdPlace(parts, resource)),
  ),
];

/** The enumeration of a field, which clients of the original read and set as one of its keys. */
const lookupIn = ({ store, settings }: CoreContext): DerivedKey<FieldEntity> => ({
  key: lookupKey,
  async read({ id }) {
    const choices = (await valuesOf(store, [id])).get(id) ?? [];
    return choices.length > 0 ? lookupText(choices, settings.schemaNamespace) : undefined;
  },
  write: ({ row }, text) => lookupChanges(row, text, settings),
});

/** Fields and field groups of metadata, rights on them, and namespaces of external ids. */
export const definitions = defineRoom({
  name: 'definitions',
  tables: { ...tables, ...namespaceTables, schemaMigration },
  schema: globalThis.isEdgeModule
    ? []
    : [
        revisionSchema,
        ...countsRevision(
          'metadata_field',
          'metadata_field_group',
          'metadata_field_group_member',
          'metadata_field_access',
        ),
      ],
  documents: [
    documents,
    {
      duplicateListDocument,
      metadataSchemaDocument,
      metadataSchemaGroupDocument,
      namespaceDocument,
      namespaceListDocument,
    },
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
