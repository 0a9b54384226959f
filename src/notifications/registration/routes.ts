import { type UriList, uriListDocument } from '../../documents/index.ts';
import { addressOf } from '../../http/address.ts';
import { requireDocument } from '../../http/call.ts';
import { documentTypes, type MediaType, textOnly } from '../../http/negotiation.ts';
import { page, pageOf } from '../../http/parameters/index.ts';
import { done, located, plain, type Reply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { accountOf, subjectOf } from '../../security/caller.ts';
import { asShown } from '../action.ts';
import { placeholderNotificationDocument } from '../documents/notification.ts';
import { inBatches } from '../in-batches.ts';
import type { NotificationParts } from '../parts.ts';
import { locate, type NotificationResource, notificationOf, placeOf } from '../place.ts';
import { laneOf } from '../secrets/endpoint.ts';
import { maskSecret } from '../secrets/masking.ts';
import { sealChanged, sealSecret } from '../secrets/sealing.ts';
import { readStored } from '../stored.ts';
import { checkNotification } from './check.ts';
import { change, create, documentAt, type ReceivedNotification, removeAllNotifications } from './rules.ts';
import { countIds, listIds, type NotificationRow } from './store.ts';

/** Rows deleted in one commit. */
const batch = 500;

const listTypes: readonly MediaType[] = [...documentTypes, ...textOnly];

/** Create, list, read, change and delete, at one place. */
export function registrationRoutes(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const { store, clock, settings } = parts;
  const one = `${at.path}/:notification{opaque}`;
  return [
    route({
      method: 'GET',
      path: at.path,
      says: 'The notifications for this resource.',
      query: page(settings.maxPage),
      answers: [uriListDocument, 'text'],
      access: at.read,
      produces: listTypes,
      async handle(call, type, params) {
        const place = await placeOf(parts, at, params, call);
        const [ids, counts] = await Promise.all([
          listIds(store.reader(accountOf(call)), { ...place, ...pageOf(call.query) }),
          type === 'text/plain' ? undefined : countIds(store, place),
        ]);
        const address = addressOf(call);
        const hits = counts && (counts[0]?.hits ?? 0);
        return uris(type, { hits, uri: ids.map(({ id }) => `${address}/${id}`) });
      },
    }),
    route({
      method: 'POST',
      path: at.path,
      says: 'Creates a notification.',
      reads: documentAt(at.resource),
      answers: [uriListDocument, 'text'],
      access: at.write,
      acting: 'refused',
      produces: listTypes,
      async handle(call, type, params) {
        const { place, entityThere } = await locate(parts, at, params, call);
        const sent = await requireDocument(call, documentAt(at.resource), parts.limits);
        checkNotification(parts, sent, at.resource);
        const { masked, secret } = maskSecret(sent, undefined);
        const id = await store.nextId('notification');
        const work = create(parts.triggers, {
          id,
          place,
          user: subjectOf(call).name,
          now: clock.now(),
          most: settings.maxNotifications,
          entityThere: entityThere(),
          notification: masked,
          sealed: await sealSecret(parts.vault, secret, id),
          lane: laneOf(masked, parts.fingerprint),
        });
        await call.commit(work);
        return located(uris(type, { uri: [id] }), call, ...call.path.split('/').slice(1).map(decodeURIComponent), id);
      },
    }),
    route({
      method: 'DELETE',
      path: at.path,
      says: 'Deletes all notifications for this resource.',
      access: at.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const place = await placeOf(parts, at, params, call);
        const next = (limit: number) => listIds(store, { ...place, offset: 0, limit });
        await inBatches(batch, next, (rows) => {
          const ids = rows.map(({ id }) => id);
          return call.commit(removeAllNotifications(ids, clock.now()));
        });
        return done;
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One notification; its secret is masked.',
      answers: placeholderNotificationDocument,
      access: at.read,
      produces: documentTypes,
      handle: async (call, type, params) => answer(type, await notificationOf(parts, at, params, call)),
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Changes a notification.',
      reads: documentAt(at.resource),
      answers: placeholderNotificationDocument,
      access: at.write,
      acting: 'refused',
      produces: documentTypes,
      async handle(call, type, params) {
        const sent = await requireDocument(call, documentAt(at.resource), parts.limits);
        checkNotification(parts, sent, at.resource);
        return retryWhenChanged(async () => {
          const row = await notificationOf(parts, at, params, call);
          const found = maskSecret(sent, readStored(row.document));
          const sealed = await sealChanged(parts.vault, found, row);
          const next: ReceivedNotification = {
            notification: found.masked,
            sealed,
            lane: laneOf(found.masked, parts.fingerprint),
          };
          await call.commit(change(parts.triggers, row, next, clock.now()));
          return parts.render(type, placeholderNotificationDocument, asShown(found.masked));
        });
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Deletes a notification.',
      access: at.write,
      acting: 'allowed',
      async handle(call, params) {
        const { id } = await notificationOf(parts, at, params, call);
        await call.commit(removeAllNotifications([id], clock.now()));
      },
    }),
  ];

  function answer(type: MediaType, row: NotificationRow): Reply {
    return parts.render(type, placeholderNotificationDocument, asShown(readStored(row.document)));
  }

  function uris(type: MediaType, list: UriList): Reply {
    if (type === 'text/plain') return plain((list.uri ?? []).join('\r\n'));
    return parts.render(type, uriListDocument, list);
  }
}
