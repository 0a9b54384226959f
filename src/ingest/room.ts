import { subtitleField } from '../extensions/captions/field.ts';
import { projectFileDocument } from '../extensions/projects/importing/documents.ts';
import { projectImportRoutes } from '../extensions/projects/importing/routes.ts';
import { below } from '../http/route-group.ts';
import { mediaTools } from '../media/tools.ts';
import type { RoomContext } from '../room/context.ts';
import { defineRoom } from '../room/define-room.ts';
import { autoImportKind } from './auto/kind.ts';
import { autoImportRuleDocument, autoImportRuleListDocument } from './auto-rules/documents.ts';
import { autoImportRoutes } from './auto-rules/routes.ts';
import { importCommands } from './commands/commands.ts';
import { createImporter } from './commands/importer.ts';
import { componentImportRoutes } from './components/routes.ts';
import { fileImportRoutes } from './files/routes.ts';
import { importRoutes } from './imports/routes.ts';
import type { IngestParts } from './parts.ts';
import { passkeyRoutes } from './passkeys/routes.ts';
import { placeholderImportDocument } from './placeholders/documents.ts';
import { placeholderImportRoutes } from './placeholders/routes.ts';
import { rawRoutes } from './raw/routes.ts';
import { ingestSchema } from './schema-sql.ts';
import { type IngestSettings, ingestSettings } from './settings.ts';
import { shapeImportRoutes } from './shapes/routes.ts';
import { sidecarRoutes } from './sidecars/routes.ts';
import { importTypes } from './steps/types.ts';
import * as tables from './tables.ts';

/** Room of imports: from addresses, uploads, placeholders and storages. */
export const ingest = defineRoom({
  name: 'ingest',
  settings: ingestSettings,
  tables,
  schema: ingestSchema,
  documents: [autoImportRuleDocument, autoImportRuleListDocument, placeholderImportDocument, projectFileDocument],
  commands: importCommands,
  fields: [{ name: subtitleField, type: 'string', system: false }],
  open(context: RoomContext<IngestSettings>) {
    const { parts: media, bytes } = mediaTools(context);
    const { places, vault } = media;
    const { publishing, destinations, space, receiving } = bytes;
    const parts: IngestParts = { ...context, places, vault, publishing, destinations, space, receiving };
    return {
      routes: [
        below('import', () => importRoutes(parts)),
        below('import', () => rawRoutes(parts)),
        below(['import', 'APInoauth'], () => passkeyRoutes(parts)),
        below('import', () => placeholderImportRoutes(parts)),
        below('import', () => sidecarRoutes(parts)),
        below(['import', 'collection'], () => projectImportRoutes(parts)),
        below('item', () => shapeImportRoutes(parts)),
        below('item', () => componentImportRoutes(parts)),
        below(['file', 'storage'], () => fileImportRoutes(parts)),
        below('storage', () => autoImportRoutes(parts)),
      ],
      jobTypes: importTypes(parts),
      offers: { importer: createImporter(parts) },
      workers: [autoImportKind(parts)],
    };
  },
});
