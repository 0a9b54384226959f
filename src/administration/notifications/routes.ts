import { badParameter, text } from '../../http/parameters/index.ts';
import type { PathEntities } from '../../http/path-entity.ts';
import { type Route, route } from '../../http/route.ts';
import { below, firstSegment, type RouteGroup } from '../../http/route-group.ts';
import { externalIdRoutes } from '../../room/entities/external-ids/routes.ts';
import { attemptRoutes } from './attempts/routes.ts';
import { readStored } from './documents/notification.ts';
import { notificationEvent } from './events.ts';
import { healthRoutes } from './health/routes.ts';
import { resume } from './health/rules.ts';
import { parkedRoutes } from './parked-routes.ts';
import type { NotificationParts } from './place.ts';
import { type NotificationResource, notificationIn, places } from './place.ts';
import { registrationRoutes } from './registration/routes.ts';
import { type ReplayParts, replayRoutes } from './replay/routes.ts';
import { secretRoutes } from './secrets/routes.ts';
import { subscriptionsOf } from './trigger/subscriptions.ts';

/** Sends a sample to one notification, the way everything else goes: what came of it is in its log. */
function trialRoutes(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: `${at.path}/:notification{opaque}/test`,
      says: 'Sends a sample to a notification.',
      entities: notificationIn(parts, at),
      query: { trigger: text('Event of the sample: one that the notification can receive') },
      access: at.write,
      acting: 'allowed',
      async handle(call, { notification }) {
        const { id, document, state } = notification;
        const events = subscriptionsOf(parts.triggers, readStored(document), id).map(({ event }) => event);
        const event = eventFrom(call.query.trigger, events);
        const sample = notificationEvent('notification/test', id, {
          notification: id,
          event,
          payload: parts.triggers.sampleOf(event),
        });
        // Resumes a disabled notification. If its receiver still fails, the next failure disables it again.
        const { changes } =
          state === 'disabled' ? resume(parts.triggers, notification, parts.clock.now()) : { changes: [] };
        await call.commit({ changes, events: [sample] });
      },
    }),
  ];
}

/** Event of the sample. Only events of the notification's triggers are allowed. */
function eventFrom(given: string | undefined, events: readonly string[]): string {
  const name = given ?? events[0]!;
  if (events.includes(name)) return name;
  const explanation = `Expected one of ${events.join(', ')}`;
  throw badParameter('trigger', explanation, name);
}

/** Names that others give a notification. Its lists and refusals are older than those of other kinds. */
function notificationExternalIds(parts: NotificationParts, at: NotificationResource): readonly Route[] {
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

const kinds = [
  registrationRoutes,
  notificationExternalIds,
  secretRoutes,
  healthRoutes,
  attemptRoutes,
  parkedRoutes,
  replayRoutes,
  trialRoutes,
];

/** Routes at all paths where notifications are registered. */
export const notificationRoutes = (parts: ReplayParts): readonly RouteGroup[] =>
  places.map((at) => below(firstSegment(at.path), () => kinds.flatMap((routes) => routes(parts, at))));
