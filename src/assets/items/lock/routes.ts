import { noSuchEntity } from '../../../entities/find.ts';
import type { Call } from '../../../http/call.ts';
import { documentTypes } from '../../../http/negotiation.ts';
import { date, text } from '../../../http/parameters/index.ts';
import { done } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { mayRead, mayWrite } from '../../access/access.ts';
import type { AssetParts } from '../../parts.ts';
import { itemName, itemNamed, read, write } from '../kinds.ts';
import { type ItemRow, itemMustExist } from '../store.ts';
import { lockDocument } from './documents.ts';
import { expiryOf, unlockedFor } from './rules.ts';
import { findLock, putLock, removeLock } from './store.ts';

/** Routes for locks that keep other users from changing an item. */
export function itemLockRoutes(parts: AssetParts): readonly Route[] {
  const { store, clock, render } = parts;
  const path = '/item/:item/lock';

  async function writable(call: Call, name: string): Promise<ItemRow> {
    const row = await itemNamed(store, name);
    await mayWrite(store, call, itemName, row);
    return row;
  }

  const setting = (method: 'POST' | 'PUT', says: string): Route =>
    route({
      method,
      path,
      says,
      query: {
        duration: text('Duration in ISO 8601. Default: one day'),
        timestamp: date('Start time. Default: now'),
      },
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { id } = await writable(call, params.item);
        const now = clock.now();
        const { name, user } = subjectOf(call);
        const expiresAt = expiryOf(call.query.duration, call.query.timestamp, now);
        const changes = [
          itemMustExist(id, noSuchEntity(itemName, id)),
          unlockedFor(call, id, now),
          putLock({ itemId: id, userId: user?.id ?? '', user: name, expiresAt }),
        ];
        await call.commit({ changes, events: [] });
        return done;
      },
    });

  return [
    setting('POST', 'Locks an item: nobody else changes it until then.'),
    setting('PUT', 'Sets until when the item stays locked.'),
    route({
      method: 'GET',
      path,
      says: 'The lock of an item: its user and when it ends.',
      answers: lockDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type, params) {
        const row = await itemNamed(store, params.item);
        await mayRead(store, call, itemName, row);
        const lock = await findLock(store, { itemId: row.id, now: clock.now() });
        if (!lock) throw noSuchEntity({ noun: 'Lock' }, row.id);
        return render(type, lockDocument, { id: row.id, user: lock.user, expires: lock.expiresAt });
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Unlocks an item. Administrators may remove locks of other users.',
      access: write,
      acting: 'allowed',
      produces: [],
      async handle(call, _type, params) {
        const { id } = await writable(call, params.item);
        const own = (await subjectOf(call).has(administrator)) ? [] : [unlockedFor(call, id, clock.now())];
        await call.commit({ changes: [...own, removeLock({ itemId: id })], events: [] });
        return done;
      },
    }),
  ];
}
