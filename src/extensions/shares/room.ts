import { sharedLibraryHook } from '../../assets/search/public.ts';
import { below } from '../../http/route-group.ts';
import { guestUploadHook } from '../../production/ingest/public.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { endWithLogin } from '../../room/kept-caller-sql.ts';
import * as documents from './documents.ts';
import { shareEvents } from './events.ts';
import { guestRoutes } from './guest-routes.ts';
import { shareProperties } from './policy.ts';
import { type ShareContext, shareRoutes } from './routes.ts';
import { libraryUnshared, removeSharesOf, shareSchema } from './store.ts';
import * as tables from './tables.ts';
import { arrivalOfParts } from './upload.ts';

/** Addresses by which people without an account see items, or upload some. */
export const shares = defineRoom({
  name: 'shares',
  extension: { says: 'Links that show an item, a collection or a library to people without an account.' },
  tables: { share: tables.share, shareUse: tables.shareUse, shareUpload: tables.shareUpload },
  schema: globalThis.isEdgeModule ? [] : shareSchema(),
  documents: [documents],
  events: shareEvents,
  properties: shareProperties,
  roles: readAndWrite('share'),
  open(context: ShareContext) {
    return {
      routes: [
        below(['share', 'item', 'collection', 'library'], () => shareRoutes(context)),
        below('APInoauth', () => guestRoutes(context)),
      ],
      hooks: [
        hooked(sharedLibraryHook, (id, refusal) => libraryUnshared({ id }, refusal)),
        hooked(guestUploadHook, arrivalOfParts(context)),
      ],
      onDelete: {
        user: ({ id }) => [removeSharesOf({ userId: id })],
        login: endWithLogin(tables.share, { outlivesLogout: true }),
      },
    };
  },
});
