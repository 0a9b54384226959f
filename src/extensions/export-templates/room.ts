import { openParts } from '../../exporting/parts.ts';
import type { ExportSettings } from '../../exporting/settings.ts';
import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { exportTemplateDocument } from './documents.ts';
import { templateRoutes } from './routes.ts';
import * as tables from './tables.ts';

/** Trees of elements that define the files of exports. */
export const exportTemplates = defineRoom({
  name: 'export-templates',
  tables,
  documents: [exportTemplateDocument],
  open(context: RoomContext<ExportSettings>) {
    const parts = openParts(context);
    return { routes: [below('export-template', () => templateRoutes(parts))] };
  },
});
