import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { endWithLogin } from '../../room/kept-caller-sql.ts';
import { uploadImportsHook } from '../../storage/public.ts';
import { importCommands } from './commands.ts';
import { fileImportRoutes, importRoutes } from './import-routes.ts';
import { autoImportRoutes } from './import-rules/routes.ts';
import { autoImportRuleDocument, autoImportRuleListDocument } from './import-rules/rules.ts';
import { autoImportKind } from './import-rules/work.ts';
import { createImporter } from './importer.ts';
import { addImportSources } from './migrations/0002-import-sources.ts';
import { type IngestContext, ingestSettings, openIngestParts } from './parts.ts';
import { placeholderImportDocument, placeholderImportRoutes } from './placeholders/routes.ts';
import { rawRoutes } from './raw/routes.ts';
import { uploadKeyRoutes } from './raw/upload-key-routes.ts';
import { componentImportRoutes, shapeImportRoutes } from './shape-routes.ts';
import { sidecarRoutes } from './sidecars/routes.ts';
import { importTypes } from './steps/types.ts';
import { ingestSchema } from './store.ts';
import * as tables from './tables.ts';
import { uploadImports } from './upload-imports.ts';

/** Room of imports: from addresses, uploads, placeholders and storages. */
export const ingest = defineRoom({
  name: 'ingest',
  settings: ingestSettings,
  tables,
  schema: globalThis.isEdgeModule ? [] : ingestSchema(),
  migrations: [addImportSources],
  documents: [{ autoImportRuleDocument, autoImportRuleListDocument, placeholderImportDocument }],
  commands: globalThis.isEdgeModule ? {} : importCommands,
  open(context: IngestContext) {
    const parts = openIngestParts(context);
    return {
      routes: [
        below('import', () => importRoutes(parts)),
        below('import', () => rawRoutes(parts)),
        below(['import', 'APInoauth'], () => uploadKeyRoutes(parts)),
        below('import', () => placeholderImportRoutes(parts)),
        below('import', () => sidecarRoutes(parts)),
        below('item', () => shapeImportRoutes(parts)),
        below('item', () => componentImportRoutes(parts)),
        below(['file', 'storage'], () => fileImportRoutes(parts)),
        below('storage', () => autoImportRoutes(parts)),
      ],
      jobTypes: importTypes(parts),
      onDelete: { login: endWithLogin(tables.importUploadKey) },
      provides: globalThis.isEdgeModule ? {} : { importer: createImporter(parts) },
      hooks: [hooked(uploadImportsHook, uploadImports(parts))],
      workers: [autoImportKind(parts)],
    };
  },
});
