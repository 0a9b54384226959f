import { text } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import { subjectOf } from '../../../security/caller.ts';
import type { NamedAction } from '../../../security/ini/security-parts.ts';
import { elementOf, missingActionOf } from '../actions/plugin-action.ts';
import { readStored } from '../documents/notification.ts';
import { type NotificationHealth, notificationHealthDocument } from '../documents/notification-state.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { NotificationParts } from '../place.ts';
import { type NotificationResource, notificationIn } from '../place.ts';
import { calledBy } from '../secrets/endpoint.ts';
import { pause, resume } from './rules.ts';
import { findHealth, type HealthRow } from './store.ts';

/** Why no delivery of a stored notification can be made before an operator acts. Undefined: nothing is missing. */
function missingAction(document: string, actions: () => readonly NamedAction[], mailer: Mailer): string | undefined {
  const stored = readStored(document);
  if (stored.action.smtp) return mailer.lack(stored.action.smtp.url);
  const element = elementOf(stored);
  return element && missingActionOf(actions(), element);
}

/** Why the settings permit no call to its address, which stays hidden: more users read the health than the address. */
function blockedCall(document: string, uncallable: NotificationParts['uncallable']): string | undefined {
  const { url } = calledBy(readStored(document).action);
  return url && uncallable(url)?.split(':', 1)[0];
}

const maxCounted = 10_000;

/** Routes for the state of a notification's deliveries, and for pause and resume. */
export function healthRoutes(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const { store, clock } = parts;
  const one = `${at.path}/:notification{opaque}`;
  const entities = notificationIn(parts, at);
  return [
    route({
      method: 'GET',
      path: `${one}/health`,
      says: 'The health of a notification.',
      entities,
      answers: notificationHealthDocument,
      access: at.read,
      async handle(call, { notification: { id, document: stored } }) {
        const [row] = await findHealth(store, { id, limit: maxCounted + 1 });
        const missing = missingAction(stored, parts.actions, parts.mailer);
        const blocked = blockedCall(stored, parts.uncallable);
        const document = { ...documentOf(row!, clock.now()), missing, blocked };
        // Reasons of people are public. Those of receivers and runtimes are shown only to users who may change
        // notifications.
        const isShown = isByHand(row!) || (await at.mayWrite(call));
        return isShown ? document : { ...document, reason: undefined };
      },
    }),
    route({
      method: 'POST',
      path: `${one}/pause`,
      says: 'Pauses the deliveries of a notification.',
      entities,
      query: { reason: text('Reason, shown in the health') },
      access: at.write,
      acting: 'allowed',
      async handle(call, { notification }) {
        const reason = call.query.reason ?? `Paused by ${subjectOf(call).name}`;
        await call.commit(pause(notification, reason, clock.now()));
      },
    }),
    route({
      method: 'POST',
      path: `${one}/resume`,
      says: 'Resumes the deliveries of a notification.',
      entities,
      access: at.write,
      acting: 'allowed',
      handle: (call, { notification }) => call.commit(resume(parts.triggers, notification, clock.now())),
    }),
  ];
}

const isByHand = ({ state, resumeAt }: HealthRow): boolean => state === 'paused' && resumeAt === null;

const documentOf = (row: HealthRow, now: number): NotificationHealth => ({
  state: row.state,
  since: row.stateSince,
  reason: row.reason ?? undefined,
  resume: row.resumeAt ?? undefined,
  lane: row.lane,
  waiting: Math.min(row.waiting, maxCounted),
  waitingMore: row.waiting > maxCounted || undefined,
  oldestWaiting: row.oldest ?? undefined,
  nextAttempt: row.ready !== null && row.ready > now ? row.ready : undefined,
  parked: row.parked,
  delivered: row.delivered,
  failed: row.failed,
  lost: row.lost,
  failures: row.failures,
  failingSince: row.failingSince ?? undefined,
  lastDelivery: row.deliveredAt ?? undefined,
  lastFailure: row.failedAt ?? undefined,
});
