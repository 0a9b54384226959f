import { below } from '../../http/route-group.ts';
import { type ExportSettings, exportTemplatesHook, openExportParts } from '../../production/exporting/public.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import * as documents from './documents.ts';
import { filesByTemplate } from './files.ts';
import { templateRoutes } from './routes.ts';
import { noSuchTemplate } from './rules.ts';
import { findTemplate } from './store.ts';
import * as tables from './tables.ts';

/** Trees of elements that define the files of exports. */
export const exportTemplates = defineRoom({
  name: 'export-templates',
  extension: { says: 'Templates that define the files of exports.' },
  tables,
  documents: [documents],
  open(context: RoomContext<ExportSettings>) {
    const parts = openExportParts(context);
    return {
      hooks: [
        hooked(exportTemplatesHook, {
          async mustExist(name) {
            if (!(await findTemplate(parts.store, { name }))) throw noSuchTemplate(name);
          },
          files: (job, call, asked) => filesByTemplate(parts, job, call, asked),
        }),
      ],
      routes: [below('export-template', () => templateRoutes(parts))],
    };
  },
});
