import { pageWithin } from '../../entities/page-weight.ts';
import type { Call } from '../../http/call.ts';
import { documentTypes } from '../../http/negotiation.ts';
import { whole } from '../../http/parameters/index.ts';
import { type Params, type Route, route, segment } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parkedListDocument } from '../documents/notification-state.ts';
import { inBatches } from '../in-batches.ts';
import type { NotificationParts } from '../parts.ts';
import { type NotificationResource, notificationOf } from '../place.ts';
import { sendOneAgain } from '../replay/rules.ts';
import { deleteParked, isParked, listParked } from './store.ts';

/** Rows deleted in one commit. */
const batch = 1000;

/** Routes for parked events, which stay until a user replays or deletes them. */
export function parkedRoutes(parts: NotificationParts, at: NotificationResource): readonly Route[] {
  const { store, clock, settings } = parts;
  const all = `${at.path}/:notification{opaque}/parked`;
  const one = `${all}/:sequence`;
  return [
    route({
      method: 'GET',
      path: all,
      says: 'The parked events of a notification.',
      query: {
        since: whole('The sequence of the first event to answer', { usual: 0 }),
        number: whole(`Maximum number of entries, up to ${settings.maxPage}`, {
          least: 1,
          usual: settings.maxPage,
          atMost: settings.maxPage,
        }),
      },
      answers: parkedListDocument,
      access: at.read,
      produces: documentTypes,
      async handle(call, type, params) {
        const { id } = await notificationOf(parts, at, params, call);
        const { since: first, number: limit } = call.query;
        const event = await pageWithin(listParked, store, { id, first, limit }, settings.maxPageValues);
        const next = event.length === limit ? event.at(-1)!.sequence + 1 : undefined;
        return parts.render(type, parkedListDocument, { event, next });
      },
    }),
    route({
      method: 'DELETE',
      path: all,
      says: 'Deletes all parked events.',
      access: at.write,
      acting: 'allowed',
      async handle(call, params) {
        const { id } = await notificationOf(parts, at, params, call);
        const next = (limit: number) => listParked(store, { id, first: 0, limit });
        await inBatches(batch, next, async (rows) => {
          const sequences = JSON.stringify(rows.map(({ sequence }) => sequence));
          await call.commit({ changes: [deleteParked({ id, sequences })], events: [] });
        });
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Deletes one parked event.',
      access: at.write,
      acting: 'allowed',
      async handle(call, params) {
        const { guard, id, sequence } = await parkedOf(params, call);
        const changes = [guard, deleteParked({ id, sequences: JSON.stringify([sequence]) })];
        await call.commit({ changes, events: [] });
      },
    }),
    route({
      method: 'POST',
      path: `${one}/retry`,
      says: 'Sends one parked event again.',
      access: at.write,
      acting: 'allowed',
      async handle(call, params) {
        const { guard, id, lane, sequence } = await parkedOf(params, call);
        const work = sendOneAgain({ id, lane, sequence, now: clock.now() });
        await call.commit({ ...work, changes: [guard, ...work.changes] });
      },
    }),
  ];

  async function parkedOf(params: Params, call: Call) {
    const { id, lane } = await notificationOf(parts, at, params, call);
    const name = segment(params, 'sequence');
    const sequence = /^\d{1,15}$/.test(name) ? Number(name) : 0;
    const missing = new ServiceError('no-such-entity', { type: 'ParkedEvent', id: name.slice(0, 80) });
    return { id, lane, sequence, guard: isParked({ id, sequence }, missing) };
  }
}
