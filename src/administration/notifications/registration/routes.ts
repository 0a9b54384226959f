import { uriListDocument } from '../../../core/documents/index.ts';
import type { Triggers } from '../../../core/events/event-kinds.ts';
import { aliasIn } from '../../../core/lib/secret.ts';
import { addressOf } from '../../../http/address.ts';
import { answer } from '../../../http/answers.ts';
import type { Call } from '../../../http/call.ts';
import { noteEnd } from '../../../http/ends.ts';
import { raw } from '../../../http/forms.ts';
import { page, pageOf } from '../../../http/parameters/index.ts';
import { located } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import {
  asShown,
  type PlaceholderNotification,
  placeholderNotificationDocument,
  readStored,
} from '../documents/notification.ts';
import { inBatches } from '../in-batches.ts';
import type { NotificationParts } from '../place.ts';
import { type NotificationResource, notificationIn, scopeIn, scopeOf } from '../place.ts';
import { laneOf } from '../secrets/endpoint.ts';
import { maskSecret } from '../secrets/masking.ts';
import { sealChanged, sealSecret } from '../secrets/sealing.ts';
import { eventsOf } from '../trigger/subscriptions.ts';
import { checkAuthor, checkNotification } from './check.ts';
import { change, create, documentAt, noSuchNotification, removeAllNotifications } from './rules.ts';
import { countIds, findNotification, listIds } from './store.ts';

/** Rows deleted in one commit. */
const batch = 500;

/** Clients read the text without an end of its last line. */
const uriList = answer(uriListDocument, { text: ({ uri = [] }) => uri.join('\r\n') });

/** Tells the caller of events that end. */
export function noteEnding({ trace }: Call, triggers: Triggers, { trigger = {} }: PlaceholderNotification): void {
  for (const event of eventsOf(triggers, trigger)) {
    const { ends } = triggers.of(event);
    if (ends) noteEnd(trace, `event ${event}`, ends);
  }
}

/** Create, list, read, change and delete, at one place. */
export function registrationRoutes(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const { store, clock, settings } = parts;
  const one = `${at.path}/:notification{opaque}`;
  const ofAll = scopeIn(parts, at);
  const ofOne = notificationIn(parts, at);
  const checkUse = async (call: Caller, secret = ''): Promise<void> => {
    const alias = aliasIn(secret);
    if (alias !== undefined) await parts.services.secrets.mayUse(call, alias);
  };
  return [
    route({
      method: 'GET',
      path: at.path,
      says: 'The notifications for this resource.',
      entities: ofAll,
      query: page(settings.maxPage),
      answers: uriList,
      access: at.read,
      async handle(call, segments) {
        const scope = scopeOf(at, segments);
        const [ids, counts] = await Promise.all([
          listIds(call.reader, { ...scope, ...pageOf(call.query) }),
          call.type === 'text/plain' ? undefined : countIds(store, scope),
        ]);
        const address = addressOf(call);
        const hits = counts && (counts[0]?.hits ?? 0);
        return { hits, uri: ids.map(({ id }) => `${address}/${id}`) };
      },
    }),
    route({
      method: 'POST',
      path: at.path,
      says: 'Creates a notification.',
      entities: ofAll,
      reads: documentAt(at.resource),
      answers: raw(uriList.forms, uriList.types),
      access: at.write,
      acting: 'refused',
      async handle(call, segments) {
        const { body, path } = call;
        await checkAuthor(call, body);
        checkNotification(parts, body, at.resource);
        noteEnding(call, parts.triggers, body);
        const { masked, secret } = maskSecret(body, undefined);
        await checkUse(call, secret);
        const id = await store.nextId('notification');
        const work = create(parts.triggers, {
          id,
          scope: scopeOf(at, segments),
          user: subjectOf(call).name,
          now: clock.now(),
          max: settings.maxNotifications,
          notification: masked,
          sealed: await sealSecret(parts.vault, secret, id),
          lane: laneOf(masked, parts.fingerprint),
        });
        await call.commit(work);
        const reply = await uriList.reply({ uri: [id] }, call);
        return located(reply, call, ...path.split('/').slice(1).map(decodeURIComponent), id);
      },
    }),
    route({
      method: 'DELETE',
      path: at.path,
      says: 'Deletes all notifications for this resource.',
      entities: ofAll,
      access: at.write,
      acting: 'allowed',
      async handle(call, segments) {
        const scope = scopeOf(at, segments);
        const next = (limit: number) => listIds(store, { ...scope, offset: 0, limit });
        await inBatches(batch, next, (rows) => {
          const ids = rows.map(({ id }) => id);
          return call.commit(removeAllNotifications(ids, clock.now()));
        });
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One notification; its secret is masked.',
      entities: ofOne,
      answers: placeholderNotificationDocument,
      access: at.read,
      handle: (_call, { notification: { document } }) => asShown(readStored(document)),
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Changes a notification.',
      entities: ofOne,
      reads: documentAt(at.resource),
      answers: placeholderNotificationDocument,
      access: at.write,
      acting: 'refused',
      async handle(call, { notification }) {
        const { body } = call;
        const { id, resource, entity } = notification;
        await checkAuthor(call, body);
        checkNotification(parts, body, at.resource);
        noteEnding(call, parts.triggers, body);
        const { masked: changed } = await call.change(async (isRetry) => {
          const [row] = isRetry ? await findNotification(store, { resource, entity, name: id }) : [notification];
          if (!row) throw noSuchNotification(id);
          const received = maskSecret(body, readStored(row.document));
          const sealed = await sealChanged(parts.vault, received, row, (secret) => checkUse(call, secret));
          const { masked } = received;
          const next = { notification: masked, sealed, lane: laneOf(masked, parts.fingerprint) };
          return { masked, ...change(parts.triggers, row, next, clock.now()) };
        });
        return asShown(changed);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Deletes a notification.',
      entities: ofOne,
      access: at.write,
      acting: 'allowed',
      handle: (call, { notification: { id } }) => call.commit(removeAllNotifications([id], clock.now())),
    }),
  ];
}
