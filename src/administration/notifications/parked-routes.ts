import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { whole } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Route, route } from '../../http/route.ts';
import { pageWithin } from '../../room/entities/page-weight.ts';
import { parkedListDocument } from './documents/notification-state.ts';
import { inBatches } from './in-batches.ts';
import { deleteParked, isParked, listParked } from './outbox-sql.ts';
import { type NotificationParts, type NotificationResource, notificationIn } from './place.ts';
import type { NotificationRow } from './registration/store.ts';
import { sendOneAgain } from './replay/replays.ts';

/** Rows deleted in one commit. */
const batch = 1000;

/** A parked event that a path names. Its commit checks that it is there. */
interface ParkedEvent {
  /** Id of the notification. */
  readonly id: string;
  readonly lane: string;
  readonly sequence: number;
  /** The event in the path, for the refusal. */
  readonly name: string;
}

const missing = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'ParkedEvent', id: name.slice(0, 80) });

/** Routes for parked events, which stay until a user replays or deletes them. */
export function parkedRoutes(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const { store, clock, settings } = parts;
  const all = `${at.path}/:notification{opaque}/parked`;
  const one = `${all}/:sequence`;
  const ofAll = notificationIn(parts, at);
  const sequence: PathEntity<ParkedEvent, { readonly notification: NotificationRow }> = {
    kind: 'parked-event',
    find: (name, _call, { notification: { id, lane } }) => ({
      ...{ id, lane, name },
      sequence: /^\d{1,15}$/.test(name) ? Number(name) : 0,
    }),
    stays: ({ id, sequence, name }) => isParked({ notificationId: id, sequence }, missing(name)),
  };
  const ofOne = { ...ofAll, sequence };
  return [
    route({
      method: 'GET',
      path: all,
      says: 'The parked events of a notification.',
      query: {
        since: whole('The sequence of the first event to answer', { defaultValue: 0 }),
        number: whole(`Maximum number of entries, up to ${settings.maxPage}`, {
          least: 1,
          defaultValue: settings.maxPage,
          atMost: settings.maxPage,
        }),
      },
      entities: ofAll,
      answers: parkedListDocument,
      access: at.read,
      async handle(call, { notification: { id } }) {
        const { since: first, number: limit } = call.query;
        const event = await pageWithin(listParked, store, { id, first, limit }, settings.maxPageValues);
        const next = event.length === limit ? event.at(-1)!.sequence + 1 : undefined;
        return { event, next };
      },
    }),
    route({
      method: 'DELETE',
      path: all,
      says: 'Deletes all parked events.',
      entities: ofAll,
      access: at.write,
      acting: 'allowed',
      async handle(call, { notification: { id } }) {
        const next = (limit: number) => listParked(store, { id, first: 0, limit });
        await inBatches(batch, next, async (rows) => {
          const sequences = rows.map(({ sequence }) => sequence);
          await call.commit(changing(deleteParked({ id, sequences })));
        });
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Deletes one parked event.',
      entities: ofOne,
      access: at.write,
      acting: 'allowed',
      handle: (call, { sequence: { id, sequence } }) =>
        call.commit(changing(deleteParked({ id, sequences: [sequence] }))),
    }),
    route({
      method: 'POST',
      path: `${one}/retry`,
      says: 'Sends one parked event again.',
      entities: ofOne,
      access: at.write,
      acting: 'allowed',
      handle: (call, { sequence: { id, lane, sequence } }) =>
        call.commit(sendOneAgain({ id, lane, sequence, now: clock.now() })),
    }),
  ];
}
