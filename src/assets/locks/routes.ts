import { entityNamed } from '../../entities/find.ts';
import { accountOf, type Call, caller, requireDocument } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { choice, list } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, route } from '../../http/route.ts';
import { groupBy } from '../../lib/group-by.ts';
import { serialOf } from '../../media/files/store.ts';
import type { EntityKind } from '../../room/entity.ts';
import { administrator } from '../../security/subject.ts';
import { accessOf, mustHave, readableAmong, type Wanted } from '../access/access.ts';
import { notYours } from '../access/refusals.ts';
import { collectionKind } from '../collections/kinds.ts';
import { itemKind } from '../items/kinds.ts';
import type { AssetParts } from '../parts.ts';
import { type DeletionLock, deletionLockDocument, deletionLockListDocument } from './documents.ts';
import { lockDocuments, type Protected } from './load.ts';
import { filterOf, lockParameters } from './parameters.ts';
import { changeLock, lockEntity, noSuchLock, removeLock } from './rules.ts';
import { allLocks, type DeletionLockRow, findDeletionLock, locksOf } from './store.ts';

const read = role('_deletion_lock_read');
const write = role('_deletion_lock_write');

/** Locks that keep items and collections from being deleted. */
export function deletionLockRoutes(parts: AssetParts): readonly Route[] {
  const { store, clock, settings, limits, render, commit } = parts;
  const kinds: ReadonlyMap<string, EntityKind> = new Map<string, EntityKind>([
    ['item', itemKind(store)],
    ['collection', collectionKind(store)],
  ]);
  const query = lockParameters(settings.maxPage);

  /** The lock, for a caller with that access to what it is set on. */
  async function lockFor(call: Call, id: string, level: Wanted, entity?: Protected): Promise<DeletionLockRow> {
    const row = await findDeletionLock(store, { id });
    if (!row || (entity && (row.entityType !== entity.type || row.entityId !== entity.id))) throw noSuchLock(id);
    await mustHave(store, call, kinds.get(row.entityType)!, { id: row.entityId }, level);
    const { user, name } = caller(call);
    const isOwn = level === 'READ' || row.userId === user?.id || (await caller(call).has(administrator));
    if (!isOwn) throw notYours(`Expected a deletion lock of the user ${name}`, id);
    return row;
  }

  async function answer(type: MediaType, row: DeletionLockRow): Promise<Reply> {
    const [document] = await lockDocuments(store, [row], clock.now());
    return render(type, deletionLockDocument, document!);
  }

  async function change(call: Call, type: MediaType, row: DeletionLockRow): Promise<Reply> {
    const document = await requireDocument(call, deletionLockDocument, limits);
    await commit(changeLock(row, document, clock.now(), settings.maxMetadataBytes), call);
    return answer(type, (await findDeletionLock(store, { id: row.id })) ?? row);
  }

  async function remove(call: Call, row: DeletionLockRow): Promise<Reply> {
    await commit(removeLock(row), call);
    return done;
  }

  /** `entityOf`: what the path of an entity names. Undefined where the path has the lock alone. */
  const ofLock = (path: string, entityOf: (params: Params) => Promise<Protected | undefined>): readonly Route[] => {
    const find = async (call: Call, params: Params, level: Wanted) =>
      lockFor(call, params['lock']!, level, await entityOf(params));
    return [
      {
        method: 'GET',
        path,
        says: 'One deletion lock.',
        answers: deletionLockDocument,
        access: read,
        produces: documentTypes,
        handle: async (call, type, params) => answer(type, await find(call, params, 'READ')),
      },
      {
        method: 'PUT',
        path,
        says: 'Changes when a deletion lock expires, and its metadata.',
        reads: deletionLockDocument,
        answers: deletionLockDocument,
        access: write,
        acting: 'allowed',
        produces: documentTypes,
        handle: async (call, type, params) => change(call, type, await find(call, params, 'ALL')),
      },
      {
        method: 'DELETE',
        path,
        says: 'Removes a deletion lock.',
        access: write,
        acting: 'allowed',
        produces: [],
        handle: async (call, _type, params) => remove(call, await find(call, params, 'ALL')),
      },
    ];
  };

  const ofKind = (kind: EntityKind): readonly Route[] => {
    const path = `/${kind.type}/:entity/deletion-lock`;
    const entityOf = async (params: Params): Promise<Protected> => ({
      type: kind.type,
      id: (await entityNamed(store, kind, params['entity']!)).id,
    });
    return [
      {
        method: 'POST',
        path,
        says: `Keeps a ${kind.type} from being deleted until the lock expires.`,
        reads: deletionLockDocument,
        answers: deletionLockDocument,
        access: write,
        acting: 'allowed',
        produces: documentTypes,
        async handle(call, type, params) {
          const document = await requireDocument(call, deletionLockDocument, limits);
          const entity = await entityOf(params);
          await mustHave(store, call, kind, entity, 'ALL');
          const id = await store.nextId('deletion-lock');
          const { name, user } = caller(call);
          const made = {
            id,
            serial: serialOf(id),
            entityType: kind.type,
            entityId: entity.id,
            userId: user?.id ?? '',
            user: name,
            modifiedAt: clock.now(),
          };
          await commit(lockEntity(kind, made, document, settings.maxMetadataBytes), call);
          return answer(type, (await findDeletionLock(store, { id }))!);
        },
      },
      route({
        method: 'GET',
        path,
        says: `The deletion locks of a ${kind.type}, and those of the collections above it.`,
        query,
        answers: deletionLockListDocument,
        access: read,
        produces: documentTypes,
        async handle(call, type, params) {
          const entity = await entityOf(params);
          await mustHave(store, call, kind, entity, 'READ');
          const reader = store.reader(accountOf(call));
          const rows = await locksOf(reader, { ...entity, ...filterOf(call.query) });
          const locks = await lockDocuments(reader, rows, clock.now(), entity);
          return listed(type, locks, call.query.onlyEffective);
        },
      }),
      ...ofLock(`${path}/:lock`, entityOf),
    ];
  };

  const listed = (type: MediaType, locks: readonly DeletionLock[], onlyEffective: boolean): Promise<Reply> => {
    const lock = onlyEffective ? locks.filter(({ isEffective }) => isEffective) : locks;
    return renderList(render, type, deletionLockListDocument, { lock }, 'lock');
  };

  return [
    ...[...kinds.values()].flatMap(ofKind),
    route({
      method: 'GET',
      path: '/deletion-lock',
      says: 'The deletion locks of entities that the caller may read, in the order in which they were made.',
      query: { ...query, entityTypes: list(choice('Only locks of entities of these kinds', ['Item', 'Collection'])) },
      answers: deletionLockListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type) {
        const { entityTypes, onlyEffective } = call.query;
        const reader = store.reader(accountOf(call));
        const types = entityTypes ? JSON.stringify(entityTypes.map((each) => each.toLowerCase())) : null;
        const rows = await allLocks(reader, { ...filterOf(call.query), types });
        const readable = new Map<string, ReadonlySet<string>>();
        const viewer = await accessOf(reader, call);
        for (const [kind, ofOne] of groupBy(rows, ({ entityType }) => entityType)) {
          const ids = ofOne.map(({ entityId }) => entityId);
          readable.set(kind, await readableAmong(reader, viewer, kind, ids));
        }
        const seen = rows.filter(({ entityType, entityId }) => readable.get(entityType)!.has(entityId));
        return listed(type, await lockDocuments(reader, seen, clock.now()), onlyEffective);
      },
    }),
    ...ofLock('/deletion-lock/:lock', async () => undefined),
  ];
}
