import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom } from '../../room/define-room.ts';
import { endWithLogin } from '../../room/kept-caller-sql.ts';
import { archiveDocument, archiveRoutes } from './archives/routes.ts';
import { listRoutes } from './lists/routes.ts';
import { listType } from './lists/type.ts';
import { exportLocationDocument, exportLocationListDocument } from './location.ts';
import { locationRoutes } from './location-routes.ts';
import { type ExportSettings, exportSettings, openExportParts } from './parts.ts';
import { exportRoutes, pictureExportRoutes } from './routes.ts';
import { exportType } from './running/type.ts';
import { removeOrdersOf } from './store.ts';
import * as tables from './tables.ts';

/** Copies files of items to places outside of the items. */
export const exporting = defineRoom({
  name: 'exporting',
  settings: exportSettings,
  tables,
  documents: [{ archiveDocument, exportLocationDocument, exportLocationListDocument }],
  open(context: RoomContext<ExportSettings>) {
    const parts = openExportParts(context);
    return {
      routes: [
        below(['item', 'export', 'APInoauth'], () => archiveRoutes(parts)),
        below(['item', 'collection', 'library'], () => exportRoutes(parts)),
        below(['thumbnail', 'poster'], () => pictureExportRoutes(parts)),
        below('export-location', () => locationRoutes(parts)),
        below(['item', 'library'], () => listRoutes(parts)),
      ],
      onDelete: {
        user: ({ id }) => [removeOrdersOf({ userId: id })],
        login: endWithLogin(tables.archiveOrder, { outlivesLogout: true }),
      },
      jobTypes: [exportType(parts), listType(parts)],
    };
  },
});
