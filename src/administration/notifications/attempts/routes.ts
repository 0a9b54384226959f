import { ServiceError } from '../../../core/lib/errors.ts';
import { badParameter, choice, date, text, whole } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { type Route, route } from '../../../http/route.ts';
import { type Delivery, deliveryDocument, deliveryListDocument } from '../documents/notification-state.ts';
import type { NotificationParts } from '../place.ts';
import { type NotificationResource, notificationIn } from '../place.ts';
import type { NotificationRow } from '../registration/store.ts';
import { sendOneAgain } from '../replay/replays.ts';
import { type AttemptRow, attemptStates, findAttempt, listAttempts, type WholeAttempt } from './store.ts';

const defaultRows = 100;
const maxRows = 1000;
const newest = { started: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** The log of deliveries of one notification. */
export function attemptRoutes(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const { store, clock } = parts;
  const all = `${at.path}/:notification{opaque}/delivery`;
  const one = `${all}/:delivery`;
  const ofAll = notificationIn(parts, at);
  const delivery: PathEntity<WholeAttempt, { readonly notification: NotificationRow }> = {
    kind: 'delivery',
    async find(name, _call, { notification }) {
      const id = /^\d{1,15}$/.test(name) ? Number(name) : 0;
      const [row] = await findAttempt(store, { notificationId: notification.id, id });
      if (row) return row;
      throw new ServiceError('no-such-entity', { type: 'Delivery', id: name.slice(0, 80) });
    },
  };
  const ofOne = { ...ofAll, delivery };
  return [
    route({
      method: 'GET',
      path: all,
      says: 'The log of deliveries of a notification, the newest first.',
      query: {
        since: date('Only the deliveries that began at this time or later'),
        before: text('Next page: "next" of the previous page'),
        state: choice('Only the deliveries with this outcome', attemptStates),
        entity: text('Only the deliveries about this entity'),
        number: whole(`Maximum number of entries, up to ${maxRows}`, {
          least: 1,
          defaultValue: defaultRows,
          atMost: maxRows,
        }),
      },
      entities: ofAll,
      answers: deliveryListDocument,
      access: at.read,
      async handle(call, { notification: { id } }) {
        const { since = 0, before, state, entity, number: limit } = call.query;
        const filter = { notificationId: id, since, before: cursorFrom(before), state, entity, limit };
        const rows = await listAttempts(call.reader, filter, parts.settings.maxPageValues);
        const last = rows.length === limit ? rows.at(-1) : undefined;
        return { delivery: rows.map(documentOf), next: last && `${last.started}-${last.id}` };
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: 'One delivery, with what the receiver answered.',
      entities: ofOne,
      answers: deliveryDocument,
      access: at.read,
      async handle(call, { delivery }) {
        const { waitingSince, parkedSince, says, answer } = delivery;
        return {
          ...documentOf(delivery),
          ...((await at.mayWrite(call)) && { explanation: says ?? undefined, answer: answer ?? undefined }),
          waits: waitingSince !== null,
          parked: parkedSince !== null,
        };
      },
    }),
    route({
      method: 'POST',
      path: `${one}/retry`,
      says: 'Sends the event of one delivery again.',
      entities: ofOne,
      access: at.write,
      acting: 'allowed',
      async handle(call, { notification: { id, lane }, delivery }) {
        const { sequence } = delivery;
        if (sequence === null) throw beforeTheChange(delivery);
        await call.commit(sendOneAgain({ id, lane, sequence, now: clock.now() }));
      },
    }),
  ];
}

function cursorFrom(before: string | undefined): typeof newest {
  if (before === undefined) return newest;
  const [, started, id] = /^(\d{1,15})-(\d{1,15})$/.exec(before) ?? [];
  if (started !== undefined && id !== undefined) return { started: Number(started), id: Number(id) };
  throw badParameter('before', 'Expected what "next" of a page says', before);
}

/** Delivery without answer and explanation, which are only shown for single deliveries. */
function documentOf(row: AttemptRow): Delivery {
  const { id, sequence, event, entityId, number, started, ended, state } = row;
  return {
    id,
    event: sequence ?? undefined,
    trigger: event,
    entity: entityId,
    attempt: number,
    started,
    ended,
    duration: ended - started,
    state,
    status: row.status ?? undefined,
    error: row.error ?? undefined,
    address: row.address ?? undefined,
  };
}

function beforeTheChange({ id }: AttemptRow): ServiceError {
  const explanation = 'Expected a delivery of something that happened: the receiver was asked before the change';
  return new ServiceError('bad-value', { context: 'path', id: String(id), explanation });
}
