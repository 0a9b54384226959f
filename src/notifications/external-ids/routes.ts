import { externalIdentifierListDocument } from '../../documents/index.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { done } from '../../http/reply.ts';
import type { Route } from '../../http/route.ts';
import type { NotificationParts } from '../parts.ts';
import { type NotificationPlace, notificationOf } from '../place.ts';
import { add, mostExternalIds, remove, removeAll } from './rules.ts';
import { externalIdsOf } from './store.ts';

/** Names that others give a notification, by which they find it again. */
export function externalIdRoutes(parts: NotificationParts, at: NotificationPlace): readonly Route[] {
  const all = `${at.path}/:notification{opaque}/external-id`;
  const one = `${all}/:externalId{opaque}`;
  return [
    {
      method: 'GET',
      path: all,
      says: 'The external ids of a notification.',
      answers: externalIdentifierListDocument,
      access: at.read,
      produces: documentTypes,
      async handle(_call, type, params) {
        const { id } = await notificationOf(parts, at, params);
        const rows = await externalIdsOf(parts.store, { id, limit: mostExternalIds });
        const list = rows.map(({ externalId }) => ({ entityId: id, entityType: 'notification', externalId }));
        return parts.render(type, externalIdentifierListDocument, { id: list });
      },
    },
    {
      method: 'DELETE',
      path: all,
      says: 'Deletes all external ids of a notification.',
      access: at.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { id } = await notificationOf(parts, at, params);
        await parts.commit(removeAll(id), call);
        return done;
      },
    },
    {
      method: 'PUT',
      path: one,
      says: 'Gives a notification an external id.',
      access: at.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { id } = await notificationOf(parts, at, params);
        await parts.commit(add(id, params['externalId']!), call);
        return done;
      },
    },
    {
      method: 'DELETE',
      path: one,
      says: 'Deletes one external id of a notification.',
      access: at.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { id } = await notificationOf(parts, at, params);
        await parts.commit(remove(id, params['externalId']!), call);
        return done;
      },
    },
  ];
}
