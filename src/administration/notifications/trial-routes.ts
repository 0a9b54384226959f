import { badParameter, text } from '../../http/parameters/index.ts';
import { type Route, route } from '../../http/route.ts';
import { happened } from './events.ts';
import { resume } from './health/rules.ts';
import type { NotificationParts } from './parts.ts';
import { type NotificationResource, notificationIn } from './place.ts';
import { readStored } from './stored.ts';
import { subscriptionsOf } from './trigger/subscriptions.ts';

/** Sends a sample to one notification, the way everything else goes: what came of it is in its log. */
export function trialRoutes(parts: NotificationParts, at: NotificationResource): readonly Route[] {
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
        const sample = happened('notification/test', id, {
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
