import { externalIdRoutes } from '../../entities/external-ids/routes.ts';
import type { PathEntities } from '../../http/path-entity.ts';
import type { Route } from '../../http/route.ts';
import type { NotificationParts } from '../parts.ts';
import { type NotificationResource, notificationIn } from '../place.ts';

/** Names that others give a notification. Its lists and refusals are older than those of other kinds. */
export function notificationExternalIds(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const entities = notificationIn(parts, at);
  return externalIdRoutes(parts, {
    kind: { type: 'notification', noun: 'Notification' },
    path: `${at.path}/:notification{opaque}`,
    read: at.read,
    write: at.write,
    acting: 'allowed',
    entities: () => entities as PathEntities,
    taken: 'already-exists',
    listedAs: 'notification',
  });
}
