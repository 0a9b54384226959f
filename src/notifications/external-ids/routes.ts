import { externalIdRoutes } from '../../entities/external-ids/routes.ts';
import type { Route } from '../../http/route.ts';
import type { NotificationParts } from '../parts.ts';
import { type NotificationResource, notificationOf } from '../place.ts';
import { noSuchNotification } from '../registration/rules.ts';
import { notificationThere } from '../registration/store.ts';

/** Names that others give a notification. Its lists and refusals are older than those of other kinds. */
export const notificationExternalIds = (parts: NotificationParts, at: NotificationResource): readonly Route[] =>
  externalIdRoutes(parts, {
    kind: { type: 'notification', noun: 'Notification' },
    path: `${at.path}/:notification{opaque}`,
    read: at.read,
    write: at.write,
    acting: 'allowed',
    find: (params, call) => notificationOf(parts, at, params, call),
    changed: ({ id }, changes) => ({
      changes: [notificationThere({ id }, noSuchNotification(id)), ...changes],
      events: [],
    }),
    taken: 'already-exists',
    listedAs: 'notification',
  });
