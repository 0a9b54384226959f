import { externalIdRoutes } from '../../entities/external-ids/routes.ts';
import { type Route, segment } from '../../http/route.ts';
import type { NotificationParts } from '../parts.ts';
import { type NotificationResource, notificationIn } from '../place.ts';
import { noSuchNotification } from '../registration/rules.ts';
import { notificationThere } from '../registration/store.ts';

/** Names that others give a notification. Its lists and refusals are older than those of other kinds. */
export function notificationExternalIds(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const { entity: scope, notification } = notificationIn(parts, at);
  return externalIdRoutes(parts, {
    kind: { type: 'notification', noun: 'Notification' },
    path: `${at.path}/:notification{opaque}`,
    read: at.read,
    write: at.write,
    acting: 'allowed',
    async find(params, call) {
      const entity = await scope?.find(segment(params, 'entity'), call, params);
      return notification.find(segment(params, 'notification'), call, { entity });
    },
    changed: ({ id }, changes) => ({
      changes: [notificationThere({ id }, noSuchNotification(id)), ...changes],
      events: [],
    }),
    taken: 'already-exists',
    listedAs: 'notification',
  });
}
