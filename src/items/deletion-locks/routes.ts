import { accessOf, notYours, type RequiredLevel } from '../../access/public-reading.ts';
import { entityNamed } from '../../entities/find.ts';
import { keyValueRoutes } from '../../entities/key-values/routes.ts';
import type { EntityResource } from '../../entities/place.ts';
import { changeInTurn } from '../../entities/turns.ts';
import { type Call, onlyReads, requireDocument } from '../../http/call.ts';
import { documentTypes, type MediaType } from '../../http/negotiation.ts';
import { choice, list } from '../../http/parameters/index.ts';
import { renderList } from '../../http/render-list.ts';
import { done, type Reply } from '../../http/reply.ts';
import { type Params, type Route, role, route, segment } from '../../http/route.ts';
import { groupBy } from '../../lib/group-by.ts';
import { typeInWords } from '../../lib/sentence.ts';
import { fileKind } from '../../media/public.ts';
import { serialOf } from '../../media/public-reading.ts';
import type { EntityKind } from '../../room/entity.ts';
import { accountOf, subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import type { Reader } from '../../store/statement.ts';
import { collectionKind } from '../contract/collection/kind.ts';
import { itemKind } from '../contract/item/kind.ts';
import { libraryKind } from '../libraries/kinds.ts';
import type { ItemsContext } from '../settings.ts';
import { type DeletionLock, deletionLockDocument, deletionLockListDocument } from './documents.ts';
import { lockDocuments, type Protected } from './load.ts';
import { filterOf, lockParameters } from './parameters.ts';
import { mayUseFile, mustHaveLocked, tellable } from './rights.ts';
import { changeDeletionLock, changeLockMetadata, endDeletionLock, lockEntity, noSuchDeletionLock } from './rules.ts';
import {
  allLocks,
  checkLockPage,
  countAllLocks,
  countLocksOf,
  type DeletionLockRow,
  deletionLocksOf,
  effectiveLock,
  entityOf as entityOfLock,
  findDeletionLock,
  lockType,
} from './store.ts';

const read = role('_deletion_lock_read');
const write = role('_deletion_lock_write');

const levelOf = (call: Call): RequiredLevel => (onlyReads(call) ? 'READ' : 'ALL');

const article = ({ noun }: EntityKind): string => `${/^[AEIO]/.test(noun) ? 'an' : 'a'} ${typeInWords(noun)}`;

/** Routes for deletion locks on items, collections, libraries and files. */
export function deletionLockRoutes(parts: ItemsContext): readonly Route[] {
  const { store, clock, settings, limits, render } = parts;
  const kinds: ReadonlyMap<string, EntityKind> = new Map<string, EntityKind>([
    ['item', itemKind(store)],
    ['collection', collectionKind(store)],
    ['library', libraryKind(store)],
    ['file', fileKind(store)],
  ]);

  /** The effective lock among the other ones of an entity, to find out whether a change replaces it. */
  async function considered(type: string, id: string, except: string) {
    const now = clock.now();
    const [other] = await effectiveLock(store, { type, id, now, except });
    return { now, other, mostBytes: settings.maxMetadataBytes };
  }

  /** Serialises changes of the locks of one entity: each reports the effective lock afterwards. */
  const inTurn = <T>({ type, id }: Protected, decide: () => Promise<T>): Promise<T> =>
    changeInTurn(parts, { kind: `deletion-lock ${type}`, id }, decide);

  const query = lockParameters(settings.maxPage);

  /** Whether the caller may remove locks of other users: the owner of an item may, on its files. */
  const mayLift = async (call: Call, { entityType, entityId }: DeletionLockRow): Promise<boolean> =>
    entityType === 'file' && (await mayUseFile(store, call, entityId, 'OWNER'));

  /** Finds the lock, for a caller with that level on the locked entity. */
  async function lockFor(
    call: Call,
    id: string,
    level: RequiredLevel,
    { entity, lifts }: { readonly entity: Protected | undefined; readonly lifts: boolean },
  ): Promise<DeletionLockRow> {
    const row = await findDeletionLock(store, { id });
    if (!row || (entity && (row.entityType !== entity.type || row.entityId !== entity.id)))
      throw noSuchDeletionLock(id);
    await mustHaveLocked(store, call, entityOfLock(row), level);
    const { user, name } = subjectOf(call);
    const isOwn = level === 'READ' || row.userId === user?.id || (await subjectOf(call).has(administrator));
    if (!isOwn && !(lifts && (await mayLift(call, row))))
      throw notYours(`Expected a deletion lock of the user ${name}`, id);
    return row;
  }

  async function answer(type: MediaType, row: DeletionLockRow): Promise<Reply> {
    const [document] = await lockDocuments(store, [row], clock.now());
    return render(type, deletionLockDocument, document!);
  }

  async function change(call: Call, type: MediaType, row: DeletionLockRow): Promise<Reply> {
    const document = await requireDocument(call, deletionLockDocument, limits);
    await inTurn(entityOfLock(row), async () => {
      const now = (await findDeletionLock(store, { id: row.id })) ?? row;
      await call.commit(changeDeletionLock(now, document, await considered(row.entityType, row.entityId, row.id)));
    });
    return answer(type, (await findDeletionLock(store, { id: row.id })) ?? row);
  }

  async function remove(call: Call, row: DeletionLockRow): Promise<Reply> {
    await inTurn(entityOfLock(row), async () => {
      await call.commit(endDeletionLock(row, await considered(row.entityType, row.entityId, row.id)));
    });
    return done;
  }

  /** Changes of the metadata count as changes of the lock. */
  const metadataPlace = (
    path: string,
    find: (call: Call, params: Params, level: RequiredLevel) => Promise<DeletionLockRow>,
  ): EntityResource<DeletionLockRow> => ({
    path,
    kind: { type: lockType, noun: 'DeletionLock' },
    read,
    write,
    acting: 'allowed',
    find: (params, call) => find(call, params, levelOf(call)),
    changed: (row, changes) => changeLockMetadata(row, changes, clock.now()),
    async inTurn(params, decide) {
      const id = segment(params, 'lock');
      const row = await findDeletionLock(store, { id });
      if (!row) throw noSuchDeletionLock(id);
      return inTurn(entityOfLock(row), decide);
    },
  });

  /** Routes of one lock. `entityOf`: the entity in the path; undefined if the path names the lock alone. */
  const ofLock = (path: string, entityOf: (params: Params) => Promise<Protected | undefined>): readonly Route[] => {
    const find = async (call: Call, params: Params, level: RequiredLevel, lifts = false) =>
      lockFor(call, segment(params, 'lock'), level, { entity: await entityOf(params), lifts });
    return [
      route({
        method: 'GET',
        path,
        says: 'One deletion lock.',
        answers: deletionLockDocument,
        access: read,
        produces: documentTypes,
        handle: async (call, type, params) => answer(type, await find(call, params, 'READ')),
      }),
      route({
        method: 'PUT',
        path,
        says: 'Changes when a deletion lock expires, and its metadata.',
        reads: deletionLockDocument,
        answers: deletionLockDocument,
        access: write,
        acting: 'allowed',
        produces: documentTypes,
        handle: async (call, type, params) => change(call, type, await find(call, params, 'ALL')),
      }),
      route({
        method: 'DELETE',
        path,
        says: 'Removes a deletion lock.',
        access: write,
        acting: 'allowed',
        produces: [],
        handle: async (call, _type, params) => remove(call, await find(call, params, 'ALL', true)),
      }),
      ...keyValueRoutes(parts, metadataPlace(path, find)),
    ];
  };

  const ofKind = (kind: EntityKind, base: string): readonly Route[] => {
    const path = `${base}/deletion-lock`;
    const entityOf = async (params: Params): Promise<Protected> => ({
      type: kind.type,
      id: (await entityNamed(store, kind, segment(params, 'entity'))).id,
    });
    return [
      route({
        method: 'POST',
        path,
        says: `Locks ${article(kind)} against deletion until the lock expires.`,
        reads: deletionLockDocument,
        answers: deletionLockDocument,
        access: write,
        acting: 'allowed',
        produces: documentTypes,
        async handle(call, type, params) {
          const document = await requireDocument(call, deletionLockDocument, limits);
          const entity = await entityOf(params);
          await mustHaveLocked(store, call, entity, 'ALL');
          const id = await store.nextId('deletion-lock');
          const { name, user } = subjectOf(call);
          const made = {
            id,
            serial: serialOf(id),
            entityType: kind.type,
            entityId: entity.id,
            userId: user?.id ?? '',
            user: name,
            modifiedAt: clock.now(),
          };
          await inTurn(entity, async () => {
            await call.commit(lockEntity(kind, made, document, await considered(kind.type, entity.id, id)));
          });
          return answer(type, (await findDeletionLock(store, { id }))!);
        },
      }),
      route({
        method: 'GET',
        path,
        says: `The deletion locks of ${article(kind)} and its parents.`,
        query,
        answers: deletionLockListDocument,
        access: read,
        produces: documentTypes,
        async handle(call, type, params) {
          const entity = await entityOf(params);
          await mustHaveLocked(store, call, entity, 'READ');
          const reader = store.reader(accountOf(call));
          const rows = await deletionLocksOf(reader, { ...entity, ...filterOf(call.query) });
          const locks = await documentsOf(reader, rows, entity);
          const [counted] = await countLocksOf(reader, { ...entity, ...filterOf(call.query) });
          return listed(type, locks, call.query.onlyEffective, counted?.total);
        },
      }),
      ...ofLock(`${path}/:lock`, entityOf),
    ];
  };

  async function documentsOf(reader: Reader, rows: readonly DeletionLockRow[], entity?: Protected) {
    await checkLockPage(
      reader,
      rows.map(({ id }) => id),
      settings.maxPageValues,
    );
    return lockDocuments(reader, rows, clock.now(), entity);
  }

  /** With `onlyEffective`, the total is unknown: effective locks are determined per page. */
  const listed = (
    type: MediaType,
    locks: readonly DeletionLock[],
    onlyEffective: boolean,
    total: number | undefined,
  ): Promise<Reply> => {
    const list = onlyEffective
      ? { lock: locks.filter(({ isEffective }) => isEffective) }
      : { count: total, lock: locks };
    return renderList(render, type, deletionLockListDocument, list, 'lock');
  };

  return [
    ...ofKind(kinds.get('item')!, '/item/:entity'),
    ...ofKind(kinds.get('collection')!, '/collection/:entity'),
    ...ofKind(kinds.get('library')!, '/library/:entity'),
    ...ofKind(kinds.get('file')!, '/file/:entity{opaque}'),
    ...ofKind(kinds.get('file')!, '/storage/file/:entity{opaque}'),
    route({
      method: 'GET',
      path: '/deletion-lock',
      says: 'The deletion locks of entities that the caller may read, in order of creation.',
      query: {
        ...query,
        entityTypes: list(
          choice('Only locks of entities of these kinds', ['Item', 'Collection', 'Library', 'File', 'all']),
        ),
      },
      answers: deletionLockListDocument,
      access: read,
      produces: documentTypes,
      async handle(call, type) {
        const { entityTypes, onlyEffective } = call.query;
        const reader = store.reader(accountOf(call));
        const types =
          entityTypes && !entityTypes.includes('all')
            ? JSON.stringify(entityTypes.map((each) => each.toLowerCase()))
            : null;
        const rows = await allLocks(reader, { ...filterOf(call.query), types });
        const readable = new Map<string, ReadonlySet<string>>();
        const viewer = await accessOf(reader, call);
        for (const [kind, ofOne] of groupBy(rows, ({ entityType }) => entityType)) {
          const ids = ofOne.map(({ entityId }) => entityId);
          readable.set(kind, await tellable(reader, viewer, kind, ids));
        }
        const seen = rows.filter(({ entityType, entityId }) => readable.get(entityType)!.has(entityId));
        // A total would reveal locks that the caller may not read.
        const [counted] = viewer.administrator ? await countAllLocks(reader, { ...filterOf(call.query), types }) : [];
        return listed(type, await documentsOf(reader, seen), onlyEffective, counted?.total);
      },
    }),
    ...ofLock('/deletion-lock/:lock', async () => undefined),
  ];
}
