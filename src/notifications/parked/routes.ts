import { documentTypes } from '../../http/negotiation.ts';
import { integerParameter, limitParameter } from '../../http/parameter.ts';
import { done } from '../../http/reply.ts';
import type { Params, Route } from '../../http/route.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parkedListDocument } from '../documents/notification-state.ts';
import type { NotificationParts } from '../parts.ts';
import { type At, notificationOf } from '../place.ts';
import { sendOneAgain } from '../replay/rules.ts';
import { deleteParked, isParked, listParked } from './store.ts';

/** How many are deleted in one commit. */
const batch = 1000;

/** What was given up, until somebody sends it again or deletes it. */
export function parkedRoutes(parts: NotificationParts, at: At): readonly Route[] {
  const { store, clock, settings } = parts;
  const all = `${at.path}/:notification/parked`;
  const one = `${all}/:sequence`;
  return [
    {
      method: 'GET',
      path: all,
      access: at.read,
      produces: documentTypes,
      async handle({ parameters }, type, params) {
        const { id } = await notificationOf(parts, at, params);
        const first = integerParameter(parameters, 'since', 0) ?? 0;
        const limit = limitParameter(parameters, 'number', 1, settings.maxPage);
        const event = await listParked(store, { id, first, limit });
        const next = event.length === limit ? event.at(-1)!.sequence + 1 : undefined;
        return parts.render(type, parkedListDocument, { event, next });
      },
    },
    {
      method: 'DELETE',
      path: all,
      access: at.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { id } = await notificationOf(parts, at, params);
        for (;;) {
          const rows = await listParked(store, { id, first: 0, limit: batch });
          const sequences = JSON.stringify(rows.map(({ sequence }) => sequence));
          if (rows.length > 0) await parts.commit({ changes: [deleteParked({ id, sequences })], events: [] }, call);
          if (rows.length < batch) return done;
        }
      },
    },
    {
      method: 'DELETE',
      path: one,
      access: at.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { guard, id, sequence } = await parkedOf(params);
        const changes = [guard, deleteParked({ id, sequences: JSON.stringify([sequence]) })];
        await parts.commit({ changes, events: [] }, call);
        return done;
      },
    },
    {
      method: 'POST',
      path: `${one}/retry`,
      access: at.write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { guard, id, lane, sequence } = await parkedOf(params);
        const work = sendOneAgain({ id, lane, sequence, now: clock.now() });
        await parts.commit({ ...work, changes: [guard, ...work.changes] }, call);
        return done;
      },
    },
  ];

  async function parkedOf(params: Params) {
    const { id, lane } = await notificationOf(parts, at, params);
    const name = params['sequence']!;
    const sequence = /^\d{1,15}$/.test(name) ? Number(name) : 0;
    const missing = new ServiceError('no-such-entity', { type: 'ParkedEvent', id: name.slice(0, 80) });
    return { id, lane, sequence, guard: isParked({ id, sequence }, missing) };
  }
}
