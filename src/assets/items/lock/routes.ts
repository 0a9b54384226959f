import { dateTime, document, element, string } from '../../../core/documents/describe.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { date, text } from '../../../http/parameters/index.ts';
import { type Route, route } from '../../../http/route.ts';
import { noSuchEntity } from '../../../room/entities/find.ts';
import { subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { itemAt, read, write } from '../contract/item/entity.ts';
import { expiryOf, unlockedFor } from '../contract/lock/rules.ts';
import { findLock, putLock, removeLockRow } from '../contract/lock/store.ts';
import type { ItemsContext } from '../settings.ts';

export const lockDocument = document('LockDocument', {
  id: element(string).says('The locked entity.'),
  user: element(string),
  expires: element(dateTime),
});

/** Routes for locks that keep other users from changing an item. */
export function itemLockRoutes({ store, clock }: ItemsContext): readonly Route[] {
  const path = '/item/:item/lock';
  const item = itemAt(store);

  const setting = (method: 'POST' | 'PUT', says: string): Route =>
    route({
      method,
      path,
      says,
      entities: { item: item('WRITE') },
      query: {
        duration: text('Duration in ISO 8601. Default: one day'),
        timestamp: date('Start time. Default: now'),
      },
      access: write,
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        const now = clock.now();
        const { name, user } = subjectOf(call);
        const expiresAt = expiryOf(call.query.duration, call.query.timestamp, now);
        const lock = putLock({ itemId: id, userId: user?.id ?? '', user: name, expiresAt });
        await call.commit(changing(unlockedFor(call, id, now), lock));
      },
    });

  return [
    setting('POST', 'Locks an item: nobody else changes it until then.'),
    setting('PUT', 'Sets until when the item stays locked.'),
    route({
      method: 'GET',
      path,
      says: 'The lock of an item: its user and when it ends.',
      entities: { item: item('READ') },
      answers: lockDocument,
      access: read,
      async handle(_call, { item: { id } }) {
        const lock = await findLock(store, { itemId: id, now: clock.now() });
        if (!lock) throw noSuchEntity({ noun: 'Lock' }, id);
        return { id, user: lock.user, expires: lock.expiresAt };
      },
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Unlocks an item. Administrators may remove locks of other users.',
      entities: { item: item('WRITE') },
      access: write,
      acting: 'allowed',
      async handle(call, { item: { id } }) {
        const own = (await subjectOf(call).has(administrator)) ? [] : [unlockedFor(call, id, clock.now())];
        await call.commit(changing(...own, removeLockRow({ itemId: id })));
      },
    }),
  ];
}
