import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { autoImportKind } from './auto/kind.ts';
import { ingestSchema } from './auto/store.ts';
import { autoImportRuleDocument, autoImportRuleListDocument } from './auto-rules/documents.ts';
import { autoImportRoutes } from './auto-rules/routes.ts';
import { importCommands } from './commands/commands.ts';
import { createImporter } from './commands/importer.ts';
import { componentImportRoutes } from './components/routes.ts';
import { fileImportRoutes } from './files/routes.ts';
import { importRoutes } from './imports/routes.ts';
import { type IngestContext, openIngestParts } from './parts.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { endPasskeysOf } from './passkeys/store.ts';
import { placeholderImportDocument } from './placeholders/documents.ts';
import { placeholderImportRoutes } from './placeholders/routes.ts';
import { rawRoutes } from './raw/routes.ts';
import { ingestSettings } from './settings.ts';
import { shapeImportRoutes } from './shapes/routes.ts';
import { sidecarRoutes } from './sidecars/routes.ts';
import { importTypes } from './steps/types.ts';
import * as tables from './tables.ts';
import { uploadImports } from './uploads/upload-imports.ts';

/** Room of imports: from addresses, uploads, placeholders and storages. */
export const ingest = defineRoom({
  name: 'ingest',
  settings: ingestSettings,
  tables,
  schema: ingestSchema,
  documents: [autoImportRuleDocument, autoImportRuleListDocument, placeholderImportDocument],
  commands: importCommands,
  open(context: IngestContext) {
    const parts = openIngestParts(context);
    return {
      routes: [
        below('import', () => importRoutes(parts)),
        below('import', () => rawRoutes(parts)),
        below(['import', 'APInoauth'], () => passkeyRoutes(parts)),
        below('import', () => placeholderImportRoutes(parts)),
        below('import', () => sidecarRoutes(parts)),
        below('item', () => shapeImportRoutes(parts)),
        below('item', () => componentImportRoutes(parts)),
        below(['file', 'storage'], () => fileImportRoutes(parts)),
        below('storage', () => autoImportRoutes(parts)),
      ],
      jobTypes: importTypes(parts),
      onDelete: { login: (login) => [endPasskeysOf({ login })] },
      offers: { importer: createImporter(parts) },
      services: { uploadImports: uploadImports(parts) },
      workers: [autoImportKind(parts)],
    };
  },
});
