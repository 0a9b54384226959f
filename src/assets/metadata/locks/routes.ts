import { answer } from '../../../http/answers.ts';
import { list, text, whole } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { type Route, role, route } from '../../../http/route.ts';
import type { Entity } from '../../../room/entity.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { askerOf } from '../../definitions/public-reading.ts';
import { expectWritable } from '../allowed.ts';
import { type MetadataLock, metadataLockDocument, metadataLockListDocument } from '../documents.ts';
import { entitiesOf, type MetadataResource, ownerIn } from '../places.ts';
import type { MetadataContext } from '../settings.ts';
import type { MetadataOwner } from '../store.ts';
import { changeEditLock, createLock, deleteLock, expectHolder, type LockRequest, noSuchEditLock } from './rules.ts';
import { editLocksOf, type LockRow } from './store.ts';

const read = role('_metadata_lock_read');
const write = role('_metadata_lock_write');

const query = {
  field: list(text('Fields to lock. Default: all')),
  timeout: whole('Seconds until the lock expires', { defaultValue: 60, least: 1, max: 86_400 }),
};

/** Routes for locks that keep other users from changing fields. */
export function metadataLockRoutes({ store, clock }: MetadataContext, resource: MetadataResource): readonly Route[] {
  const path = `${resource.path}/metadata-lock`;
  const one = `${path}/:lock`;
  const [forReaders, forWriters] = [entitiesOf(resource, 'READ'), entitiesOf(resource, 'WRITE')];

  const locksOf = async ({ kind, id }: MetadataOwner): Promise<readonly LockRow[]> =>
    editLocksOf(store, { kind, id, now: clock.now() });

  const lock: PathEntity<LockRow, Readonly<Record<string, Entity>>> = {
    kind: 'metadata-lock',
    async find(id, _caller, segments) {
      const locks = await locksOf(ownerIn(resource, segments));
      const row = locks.find((each) => each.id === id);
      if (row) return row;
      throw noSuchEditLock(id);
    },
  };

  /** A lock keeps others from fields that its holder may write. Without fields it is about all of them. */
  const expectFields = async (caller: Caller, owner: MetadataOwner, fields: readonly string[]): Promise<void> =>
    expectWritable(store, await askerOf(caller), owner, fields);

  const expectOwn = async (caller: Caller, row: LockRow): Promise<void> =>
    expectHolder(row, subjectOf(caller).name, await subjectOf(caller).has(administrator));

  return [
    route({
      method: 'GET',
      path,
      says: `The locks on the metadata ${resource.of}.`,
      entities: forReaders,
      answers: metadataLockListDocument,
      access: read,
      handle: async (_call, segments) => ({ lock: (await locksOf(ownerIn(resource, segments))).map(documentFrom) }),
    }),
    route({
      method: 'POST',
      path,
      says: `Locks fields of the metadata ${resource.of} against changes by other users.`,
      entities: forWriters,
      query,
      answers: answer(metadataLockDocument, { text: ({ id = '' }) => id }),
      access: write,
      acting: 'allowed',
      async handle(call, segments) {
        const now = clock.now();
        const owner = ownerIn(resource, segments);
        const { field: fields = [], timeout } = call.query;
        await expectFields(call, owner, fields);
        const request = { user: subjectOf(call).name, fields, expiresAt: now + timeout * 1000 };
        const id = await store.nextId('metadata-lock');
        await call.commit(createLock(id, owner, request, now));
        return lockFrom(id, request);
      },
    }),
    route({
      method: 'GET',
      path: one,
      says: `One lock on the metadata ${resource.of}.`,
      entities: { ...forReaders, lock },
      answers: metadataLockDocument,
      access: read,
      handle: (_call, { lock }) => documentFrom(lock),
    }),
    route({
      method: 'PUT',
      path: one,
      says: `Extends a lock on the metadata ${resource.of}.`,
      entities: { ...forWriters, lock },
      query,
      answers: metadataLockDocument,
      access: write,
      acting: 'allowed',
      async handle(call, { lock }) {
        await expectOwn(call, lock);
        const now = clock.now();
        const { field: fields = fieldsOf(lock), timeout } = call.query;
        await expectFields(call, { kind: lock.ownerType, id: lock.ownerId } as MetadataOwner, fields);
        const request = { user: lock.user, fields, expiresAt: now + timeout * 1000 };
        await call.commit(changeEditLock(lock, request, now));
        return lockFrom(lock.id, request);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: `Ends a lock on the metadata ${resource.of}.`,
      entities: { ...forWriters, lock },
      access: write,
      acting: 'allowed',
      async handle(call, { lock }) {
        await expectOwn(call, lock);
        await call.commit(deleteLock(lock));
      },
    }),
  ];
}

const fieldsOf = ({ fields }: LockRow): readonly string[] => JSON.parse(fields) as readonly string[];

const documentFrom = (lock: LockRow): MetadataLock => lockFrom(lock.id, { ...lock, fields: fieldsOf(lock) });

const lockFrom = (id: string, { user, fields, expiresAt }: LockRequest): MetadataLock => ({
  id,
  user,
  expires: expiresAt,
  field: fields,
});
