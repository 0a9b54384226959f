import { below } from '../../http/route-group.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import {
  shareDocument,
  sharedAnnotationDocument,
  sharedAnnotationListDocument,
  sharedItemDocument,
  sharedItemListDocument,
  shareEntranceDocument,
  shareGuestDocument,
  shareListDocument,
  shareUseListDocument,
} from './documents.ts';
import { shareEvents } from './events.ts';
import { guestRoutes } from './guest-routes.ts';
import { type ShareContext, shareRoutes } from './routes.ts';
import { removeSharesOf, shareSchema } from './store.ts';
import * as tables from './tables.ts';

/** Addresses by which people without an account see items, or upload some. */
export const shares = defineRoom({
  name: 'shares',
  extension: { says: 'Links that show an item, a collection or a library to people without an account.' },
  tables: { share: tables.share, shareUse: tables.shareUse },
  schema: shareSchema,
  documents: [
    shareDocument,
    sharedAnnotationDocument,
    sharedAnnotationListDocument,
    shareListDocument,
    shareUseListDocument,
    shareEntranceDocument,
    shareGuestDocument,
    sharedItemDocument,
    sharedItemListDocument,
  ],
  events: shareEvents,
  roles: readAndWrite('share'),
  open(context: ShareContext) {
    return {
      routes: [
        below(['share', 'item', 'collection', 'library'], () => shareRoutes(context)),
        below('APInoauth', () => guestRoutes(context)),
      ],
      onDelete: { user: ({ id }) => [removeSharesOf({ userId: id })] },
    };
  },
});
