import type { SettingsOf } from '../../../core/settings/kinds.ts';
import { below } from '../../../http/route-group.ts';
import type { RoomContext } from '../../../room/context.ts';
import { defineRoom } from '../../../room/define-room.ts';
import { hooked } from '../../../room/hook.ts';
import { libraryItemsHook } from '../../items/public.ts';
import type { engineSettings } from '../properties.ts';
import { libraryDeletionType } from './deletion.ts';
import * as documents from './documents.ts';
import { itemMetadataType } from './item-metadata-job.ts';
import { type LibrarySettings, librarySettings, openItemFinder } from './parts.ts';
import { currentItems } from './refresh.ts';
import { libraryRoutes } from './routes.ts';
import { forgetUser, libraryJob } from './store.ts';
import { libraryExpiryKind, libraryRefreshKind } from './work.ts';

/** Room of libraries: stored sets of items, and the queries that find them. */
export const libraries = defineRoom({
  name: 'libraries',
  tables: { libraryJob },
  settings: librarySettings,
  documents: [documents],
  open(context: RoomContext<LibrarySettings & SettingsOf<typeof engineSettings>>) {
    const parts = { ...context, findItems: openItemFinder(context) };
    return {
      routes: [below('library', () => libraryRoutes(parts))],
      workers: [libraryRefreshKind(parts), libraryExpiryKind(parts)],
      hooks: [hooked(libraryItemsHook, (id) => currentItems(parts, id))],
      jobTypes: [itemMetadataType(parts), libraryDeletionType(parts)],
      onDelete: { user: ({ id }) => [forgetUser({ userId: id })] },
    };
  },
});
