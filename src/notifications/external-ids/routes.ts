import { externalIdRoutes } from '../../entities/external-ids/routes.ts';
import { findEntities, type Route } from '../../http/route.ts';
import type { NotificationParts } from '../parts.ts';
import { type NotificationResource, notificationIn } from '../place.ts';
import { noSuchNotification } from '../registration/rules.ts';
import { type NotificationRow, notificationThere } from '../registration/store.ts';

/** Names that others give a notification. Its lists and refusals are older than those of other kinds. */
export function notificationExternalIds(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const entities = notificationIn(parts, at);
  return externalIdRoutes(parts, {
    kind: { type: 'notification', noun: 'Notification' },
    path: `${at.path}/:notification{opaque}`,
    read: at.read,
    write: at.write,
    acting: 'allowed',
    find: async (params, call) => (await findEntities(entities, params, call))['notification'] as NotificationRow,
    changed: ({ id }, changes) => ({
      changes: [notificationThere({ id }, noSuchNotification(id)), ...changes],
      events: [],
    }),
    taken: 'already-exists',
    listedAs: 'notification',
  });
}
