import { below } from '../http/route-group.ts';
import type { ItemsContext } from '../items/public.ts';
import { defineRoom, readAndWrite } from '../room/define-room.ts';
import { folderTriggers } from './folder-triggers-sql.ts';
import { placementKind } from './kind.ts';
import { placingRoutes } from './routes.ts';
import { ruledBy, wantedPaths } from './services.ts';
import { shapeRuleTriggers } from './shape-triggers-sql.ts';
import * as tables from './tables.ts';
import { placingTriggers } from './triggers-sql.ts';
import { watermarkKind } from './watermarks/kind.ts';

/** Storage rules of items, collections and libraries, and the copies, moves and deletions that carry them out. */
export const placing = defineRoom({
  name: 'placing',
  tables,
  schema: [...placingTriggers, ...shapeRuleTriggers, ...folderTriggers],
  roles: readAndWrite('site_rule'),
  open(context: ItemsContext) {
    return {
      routes: [below(['item', 'collection', 'library'], () => placingRoutes(context))],
      workers: [placementKind(context), watermarkKind(context)],
      services: { ruledBy, wantedPaths },
    };
  },
});
