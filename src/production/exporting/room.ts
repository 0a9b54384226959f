import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { listRoutes } from './lists/routes.ts';
import { listType } from './lists/type.ts';
import { exportLocationDocument, exportLocationListDocument } from './location.ts';
import { locationRoutes } from './location-routes.ts';
import { type ExportSettings, exportSettings, openExportParts } from './parts.ts';
import { exportRoutes, pictureExportRoutes } from './routes.ts';
import { exportType } from './running/type.ts';
import * as tables from './tables.ts';

/** Copies files of items to places outside of the items. */
export const exporting = defineRoom({
  name: 'exporting',
  settings: exportSettings,
  tables,
  documents: [exportLocationDocument, exportLocationListDocument],
  open(context: RoomContext<ExportSettings>) {
    const parts = openExportParts(context);
    return {
      routes: [
        below(['item', 'collection', 'library'], () => exportRoutes(parts)),
        below(['thumbnail', 'poster'], () => pictureExportRoutes(parts)),
        below('export-location', () => locationRoutes(parts)),
        below(['item', 'library'], () => listRoutes(parts)),
      ],
      jobTypes: [exportType(parts), listType(parts)],
    };
  },
});
