import type { Call } from '../../http/call.ts';
import { documentOrText, documentTypes, type MediaType } from '../../http/negotiation.ts';
import { list, text, whole } from '../../http/parameters/index.ts';
import { plain, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, route, segment } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { type MetadataLock, metadataLockDocument, metadataLockListDocument } from '../documents/metadata.ts';
import type { MetadataResource } from '../places.ts';
import type { MetadataContext } from '../settings.ts';
import type { MetadataOwner } from '../store.ts';
import { changeEditLock, createLock, deleteLock, expectHolder, type LockWish, noSuchEditLock } from './rules.ts';
import { editLocksOf, type LockRow } from './store.ts';

const read = role('_metadata_lock_read');
const write = role('_metadata_lock_write');

const query = {
  field: list(text('Fields to lock. Default: all')),
  timeout: whole('Seconds until the lock expires', { usual: 60, least: 1, most: 86_400 }),
};

/** Routes for locks that keep other users from changing fields. */
export function metadataLockRoutes(parts: MetadataContext, place: MetadataResource): readonly Route[] {
  const { store, clock, render } = parts;
  const path = `${place.path}/metadata-lock`;
  const one = `${path}/:lock`;

  const answer = (type: MediaType, lock: MetadataLock): Reply =>
    type === 'text/plain' ? plain(lock.id!) : render(type, metadataLockDocument, lock);

  const locks = ({ kind, id }: MetadataOwner): Promise<readonly LockRow[]> =>
    Promise.resolve(editLocksOf(store, { kind, id, now: clock.now() }));

  async function lockIn(call: Call, params: Params, level: 'READ' | 'WRITE') {
    const owner = await place.find(call, params, level);
    const lock = (await locks(owner)).find(({ id }) => id === params['lock']);
    if (lock) return { owner, lock };
    throw noSuchEditLock(segment(params, 'lock'));
  }

  const expectOwn = async (call: Call, lock: LockRow): Promise<void> =>
    expectHolder(lock, subjectOf(call).name, await subjectOf(call).has(administrator));

  return [
    route({
      method: 'GET',
      path,
      says: `The locks on the metadata ${place.of}.`,
      answers: metadataLockListDocument,
      access: read,
      async handle(call, params) {
        const rows = await locks(await place.find(call, params, 'READ'));
        return { lock: rows.map(documentFrom) };
      },
    }),
    route({
      method: 'POST',
      path,
      says: `Locks fields of the metadata ${place.of} against changes by other users.`,
      query,
      answers: [metadataLockDocument, 'text'],
      access: write,
      acting: 'allowed',
      produces: documentOrText,
      async handle(call, type, params) {
        const owner = await place.find(call, params, 'WRITE');
        const now = clock.now();
        const { field: fields = [], timeout } = call.query;
        const wish = { user: subjectOf(call).name, fields, expiresAt: now + timeout * 1000 };
        const id = await store.nextId('metadata-lock');
        const { changes, events } = createLock(id, owner, wish, now);
        await call.commit({ changes: [...place.mustExist(owner), ...changes], events });
        return answer(type, lockFrom(id, wish));
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: `One lock on the metadata ${place.of}.`,
      answers: metadataLockDocument,
      access: read,
      produces: documentTypes,
      handle: async (call, type, params) => answer(type, documentFrom((await lockIn(call, params, 'READ')).lock)),
    }),
    route({
      method: 'PUT',
      path: one,
      says: `Extends a lock on the metadata ${place.of}.`,
      query,
      answers: metadataLockDocument,
      access: write,
      acting: 'allowed',
      produces: documentTypes,
      async handle(call, type, params) {
        const { owner, lock } = await lockIn(call, params, 'WRITE');
        await expectOwn(call, lock);
        const now = clock.now();
        const { field: fields = fieldsOf(lock), timeout } = call.query;
        const wish = { user: lock.user, fields, expiresAt: now + timeout * 1000 };
        await call.commit(changeEditLock(lock, owner, wish, now));
        return answer(type, lockFrom(lock.id, wish));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: `Ends a lock on the metadata ${place.of}.`,
      access: write,
      acting: 'allowed',
      async handle(call, params) {
        const { lock } = await lockIn(call, params, 'WRITE');
        await expectOwn(call, lock);
        await call.commit(deleteLock(lock));
      },
    }),
  ];
}

const fieldsOf = ({ fields }: LockRow): readonly string[] => JSON.parse(fields) as readonly string[];

const documentFrom = (lock: LockRow): MetadataLock => lockFrom(lock.id, { ...lock, fields: fieldsOf(lock) });

const lockFrom = (id: string, { user, fields, expiresAt }: LockWish): MetadataLock => ({
  id,
  user,
  expires: expiresAt,
  field: fields,
});
