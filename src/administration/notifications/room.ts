import { below } from '../../http/route-group.ts';
import type { RoomContext } from '../../room/context.ts';
import { defineRoom, readAndWrite } from '../../room/define-room.ts';
import { hooked } from '../../room/hook.ts';
import { fileNameHook } from '../../storage/public.ts';
import { notificationCommands } from './commands.ts';
import { notificationDocument } from './documents/notification.ts';
import * as notificationStateDocuments from './documents/notification-state.ts';
import { createEngine } from './engine.ts';
import { notificationEvents } from './events.ts';
import * as feedDocuments from './feed/documents.ts';
import { everyEvent } from './feed/readable.ts';
import { feedRoutes } from './feed/routes.ts';
import { mailDocument, mailRoutes } from './mail/routes.ts';
import { removeMail } from './mail/user-sql.ts';
import { jobNotification } from './registration/placeholder.ts';
import { resourceTable } from './resources.ts';
import { notificationRoutes } from './routes.ts';
import { notificationsSchema } from './schema-sql.ts';
import { checkMailSettings, type NotificationSettings, notificationSettings } from './settings.ts';
import { findAllSynchronous } from './synchronous/store.ts';
import * as tables from './tables.ts';

/** Triggers, matching, outbox, delivery, actions, health of receivers, replay, the feed of events. */
export const notifications = defineRoom({
  name: 'notifications',
  commands: globalThis.isEdgeModule ? {} : notificationCommands,
  settings: notificationSettings,
  checkSettings: checkMailSettings,
  tables,
  schema: globalThis.isEdgeModule ? [] : notificationsSchema(),
  documents: [{ notificationDocument, mailDocument }, notificationStateDocuments, feedDocuments],
  events: notificationEvents,
  roles: ['_event_read', everyEvent, ...readAndWrite(...resourceTable.map(({ role }) => `${role}_notification`))],
  open(context: RoomContext<NotificationSettings>) {
    const { store, settings, security, clock } = context;
    const engine = createEngine(context);
    const { vault, depth, streams, replays, deliveries, waker, workers, operator, mailer, mailboxes } = engine;
    return {
      routes: [
        ...notificationRoutes({ ...context, settings, vault, replays, mailer, actions: security.actions }),
        below('user', () => mailRoutes(store, mailboxes)),
        below('event', () => feedRoutes({ ...context, settings, streams })),
      ],
      participants: engine.participants,
      hooks: [
        hooked(fileNameHook, {
          name: deliveries.filename,
          ahead: (entity) => findAllSynchronous(store, { event: 'storage/filename', entity }),
        }),
      ],
      services: {
        jobNotification: (query) => jobNotification(store, query),
        mailGiven: mailboxes.given,
        depthOf: (headers) => depth.of(headers),
        // A delivery of an event of one less tells this depth.
        depthHeaders: (of) => (of > 0 ? depth.headersFor(of - 1) : {}),
      },
      provides: { waker, vault, depth, operator, filename: deliveries.filename },
      onDelete: { user: ({ id: userId }) => removeMail({ userId, now: clock.now() }) },
      workers,
      quiet: streams.end,
      close: async () => streams.end(),
    };
  },
});
