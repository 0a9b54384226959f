import type { ItemsContext } from '../../assets/items/public.ts';
import { below } from '../../http/route-group.ts';
import { defineRoom } from '../../room/define-room.ts';
import { storageDriversOf } from '../../storage/public.ts';
import * as documents from './documents.ts';
import { restoreType } from './restore-job.ts';
import { restoreRoutes } from './routes.ts';

/** Restores of files from archive classes of storages. */
export const archives = defineRoom({
  name: 'archives',
  extension: { says: 'Restores of files from archive classes of storages, with their time and cost.' },
  documents: [documents],
  open(context: ItemsContext) {
    const parts = { ...context, places: storageDriversOf(context) };
    return {
      routes: [below(['item', 'file', 'storage'], () => restoreRoutes(parts))],
      jobTypes: [restoreType(parts)],
    };
  },
});
