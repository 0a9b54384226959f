import { parseDateTime } from '../../../core/documents/index.ts';
import { existing } from '../../../core/lib/checks.ts';
import { groupBy } from '../../../core/lib/group-by.ts';
import { typeInWords } from '../../../core/lib/messages.ts';
import { serialOf } from '../../../core/lib/serial.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { answer } from '../../../http/answers.ts';
import {
  badParameter,
  choice,
  flag,
  list,
  page,
  pageOf,
  type QueryOf,
  repeated,
  text,
} from '../../../http/parameters/index.ts';
import type { PathEntities, PathEntity } from '../../../http/path-entity.ts';
import { type Route, role, route } from '../../../http/route.ts';
import { changeInTurn } from '../../../room/entities/changes.ts';
import { pathEntity } from '../../../room/entities/find.ts';
import { keyValueRoutes } from '../../../room/entities/key-values/routes.ts';
import type { EntityResource } from '../../../room/entities/place.ts';
import type { Entity, EntityKind } from '../../../room/entity.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import { administrator } from '../../../security/subject.ts';
import { fileKind } from '../../../storage/public.ts';
import { guardedEntity } from '../../access/public.ts';
import { accessOf, notYours, type Viewer } from '../../access/public-reading.ts';
import { collectionKind, itemKind } from '../contract/entities.ts';
import { libraryKind } from '../library-entity.ts';
import type { ItemsContext } from '../settings.ts';
import {
  type DeletionLock,
  deletionLockDocument,
  deletionLockListDocument,
  effectiveLocksOn,
  lockDocuments,
  type Protected,
} from './documents.ts';
import { deletionLockKind, mayUseFile, mustHaveLocked, tellable } from './entity.ts';
import { changeDeletionLock, changeLockMetadata, endDeletionLock, lockEntity, noSuchDeletionLock } from './rules.ts';
import {
  allLocks,
  checkLockPage,
  countAllLocks,
  countLocksOf,
  type DeletionLockRow,
  deletionLocksOf,
  entityOf as entityOfLock,
  findDeletionLock,
  lockType,
} from './store.ts';

/** Query parameters that filter deletion locks. */
const lockParameters = (maxPage: number) => ({
  ...page(maxPage, 100),
  onlyEffective: flag('Only the effective lock of each entity', false),
  username: list(text('Only locks of these users')),
  metadata: repeated('Only locks with this metadata: key=value'),
  range: text('Only locks that expire in this range: [d..d], (d..d), (*..d] or [d..*)'),
});

type LockQuery = QueryOf<ReturnType<typeof lockParameters>>;

/** Filter as parameters of the SQL queries. */
function filterOf(query: LockQuery) {
  const { username, metadata, range } = query;
  const pairs = metadata.map((pair) => {
    const end = pair.indexOf('=');
    if (end < 1) throw badParameter('metadata', 'Expected key=value', pair);
    return [pair.slice(0, end), pair.slice(end + 1)];
  });
  return {
    ...pageOf(query),
    ...rangeOf(range),
    users: username === undefined ? null : JSON.stringify(username),
    pairs,
  };
}

function rangeOf(range: string | undefined): { readonly from: number; readonly to: number } {
  const all = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };
  if (range === undefined) return all;
  const [, opens, first, last, closes] = /^([[(])(.+?)\.\.(.+)([\])])$/.exec(range) ?? [];
  if (first === undefined || last === undefined) throw badRange(range);
  const timeOf = (end: string) => (end === '*' ? undefined : (parseDateTime(end) ?? Number.NaN));
  const [from, to] = [timeOf(first), timeOf(last)];
  if (Number.isNaN(from) || Number.isNaN(to)) throw badRange(range);
  return {
    from: from === undefined ? all.from : from + (opens === '(' ? 1 : 0),
    to: to === undefined ? all.to : to - (closes === ')' ? 1 : 0),
  };
}

const badRange = (range: string) =>
  badParameter('range', 'Expected two times in brackets, such as [2030-01-01T00:00:00Z..*)', range);

const read = role('_deletion_lock_read');
const write = role('_deletion_lock_write');
const writing = { access: write, acting: 'allowed' } as const;

/** Reading a lock needs READ on the entity, changing it ALL. */
type Level = 'READ' | 'ALL';

/** Kind of entity that locks protect, with its entities in paths. */
interface Lockable {
  readonly type: string;
  readonly noun: string;
  at(level: Level): PathEntity<Entity>;
}

const article = ({ noun }: Lockable): string => `${/^[AEIO]/.test(noun) ? 'an' : 'a'} ${typeInWords(noun)}`;

const lockable = <E extends Entity>(reader: Reader, kind: EntityKind<E>): Lockable => ({
  type: kind.type,
  noun: kind.noun,
  at: guardedEntity(reader, kind) as Lockable['at'],
});

/** Files have no entries: those of their items count. */
function lockableFile(reader: Reader): Lockable {
  const { type, noun } = fileKind(reader);
  const file = pathEntity(reader, fileKind(reader));
  const at = (level: Level): PathEntity<Entity> => ({
    ...(file as PathEntity<Entity>),
    async find(name, call, segments) {
      const { id } = await file.find(name, call, segments);
      await mustHaveLocked(reader, call, { type, id }, level);
      return { id };
    },
  });
  return { type, noun, at };
}

async function lockNamed(reader: Reader, id: string): Promise<DeletionLockRow> {
  return existing(await findDeletionLock(reader, { id }), noSuchDeletionLock, id);
}

/** Routes for deletion locks on items, collections, libraries and files. */
export function deletionLockRoutes(parts: ItemsContext): readonly Route[] {
  const { store, clock, settings } = parts;
  const file = lockableFile(store);
  const query = lockParameters(settings.maxPage);

  /** The effective lock among the other ones of an entity, to find out whether a change replaces it. */
  async function considered(entity: Protected, except: string) {
    const now = clock.now();
    const [other] = await effectiveLocksOn(store, [entity], now, except);
    return { now, other, mostBytes: settings.maxMetadataBytes };
  }

  /** Serialises changes of the locks of one entity: each reports the effective lock afterwards. */
  const inTurn = <T>({ type, id }: Protected, decide: () => Promise<T>): Promise<T> =>
    changeInTurn(parts, { kind: `deletion-lock ${type}`, id }, decide);

  /** Whether the caller may change a lock: its user, an administrator, or for `lifts` the owner of a locked file. */
  async function isOwn(call: Caller, { userId, entityType, entityId }: DeletionLockRow, lifts: boolean) {
    const subject = subjectOf(call);
    if (userId === subject.user?.id || (await subject.has(administrator))) return true;
    return lifts && entityType === 'file' && (await mayUseFile(store, call, entityId, 'OWNER'));
  }

  /** Locks in paths. `type`: kind of the entity in the path. Undefined: the path names the lock alone. */
  const lockAt = (type: string | undefined, level: Level, lifts = false): PathEntity<DeletionLockRow> => ({
    ...pathEntity(store, deletionLockKind(store)),
    async find(id, call, segments) {
      const row = await lockNamed(store, id);
      if (type === undefined) await mustHaveLocked(store, call, entityOfLock(row), level);
      else if (row.entityType !== type || row.entityId !== (segments['entity'] as Entity).id) {
        throw noSuchDeletionLock(id);
      }
      if (level !== 'READ' && !(await isOwn(call, row, lifts))) {
        throw notYours(`Expected a deletion lock of the user ${subjectOf(call).name}`, id);
      }
      return row;
    },
  });

  const documentOf = async (row: DeletionLockRow): Promise<DeletionLock> =>
    (await lockDocuments(store, [row], clock.now()))[0]!;

  /** Routes of one lock. `kind`: of the entity in the path. Undefined: the path names the lock alone. */
  const ofLock = (path: string, kind?: Lockable): readonly Route[] => {
    const entities = (level: Level, lifts = false): { readonly lock: PathEntity<DeletionLockRow> } => ({
      ...(kind && { entity: kind.at(level) }),
      lock: lockAt(kind?.type, level, lifts),
    });
    /** Changes of the metadata count as changes of the lock. */
    const metadata: EntityResource<DeletionLockRow> = {
      path,
      kind: { type: lockType, noun: 'DeletionLock' },
      read,
      ...writing,
      write,
      entities: (use) => entities(use === 'read' ? 'READ' : 'ALL') as PathEntities,
      current: ({ id }) => lockNamed(store, id),
      changed: (row, changes) => changeLockMetadata(row, changes, clock.now()),
      inTurn: (row, decide) => inTurn(entityOfLock(row), decide),
    };
    return [
      route({
        method: 'GET',
        path,
        says: 'One deletion lock.',
        entities: entities('READ'),
        answers: deletionLockDocument,
        access: read,
        handle: (_call, { lock }) => documentOf(lock),
      }),
      route({
        method: 'PUT',
        path,
        says: 'Changes when a deletion lock expires, and its metadata.',
        entities: entities('ALL'),
        reads: deletionLockDocument,
        answers: deletionLockDocument,
        ...writing,
        async handle(call, { lock }) {
          const { id } = lock;
          const current = async () => (await findDeletionLock(store, { id })) ?? lock;
          await inTurn(entityOfLock(lock), async () => {
            const other = await considered(entityOfLock(lock), id);
            await call.commit(changeDeletionLock(await current(), call.body, other));
          });
          return documentOf(await current());
        },
      }),
      route({
        method: 'DELETE',
        path,
        says: 'Removes a deletion lock.',
        entities: entities('ALL', true),
        ...writing,
        handle: (call, { lock }) =>
          inTurn(entityOfLock(lock), async () => {
            await call.commit(endDeletionLock(lock, await considered(entityOfLock(lock), lock.id)));
          }),
      }),
      ...keyValueRoutes(parts, metadata),
    ];
  };

  const ofKind = (kind: Lockable, base: string): readonly Route[] => {
    const { type } = kind;
    const path = `${base}/deletion-lock`;
    return [
      route({
        method: 'POST',
        path,
        says: `Locks ${article(kind)} against deletion until the lock expires.`,
        entities: { entity: kind.at('ALL') },
        reads: deletionLockDocument,
        answers: deletionLockDocument,
        ...writing,
        async handle(call, { entity: { id: entityId } }) {
          const id = await store.nextId('deletion-lock');
          const { name, user } = subjectOf(call);
          const lock = {
            id,
            serial: serialOf(id),
            entityType: type,
            entityId,
            userId: user?.id ?? '',
            user: name,
            modifiedAt: clock.now(),
          };
          const entity = { type, id: entityId };
          await inTurn(entity, async () => {
            await call.commit(lockEntity(lock, call.body, await considered(entity, id)));
          });
          return documentOf((await findDeletionLock(store, { id }))!);
        },
      }),
      route({
        method: 'GET',
        path,
        says: `The deletion locks of ${article(kind)} and its parents.`,
        entities: { entity: kind.at('READ') },
        query,
        answers: answer(deletionLockListDocument, { list: 'lock' }),
        access: read,
        async handle(call, { entity: { id } }) {
          const entity = { type, id };
          const { reader } = call;
          const viewer = await accessOf(reader, call);
          const rows = await seenAmong(
            reader,
            viewer,
            await deletionLocksOf(reader, { ...entity, ...filterOf(call.query) }),
          );
          const locks = await documentsOf(reader, rows, entity);
          // A total would reveal locks of collections that the caller may not read.
          const filter = { ...entity, ...filterOf(call.query) };
          const [counted] = viewer.administrator ? await countLocksOf(reader, filter) : [];
          return listed(locks, call.query.onlyEffective, counted?.total);
        },
      }),
      ...ofLock(`${path}/:lock`, kind),
    ];
  };

  /** Locks of entities that the viewer may read. */
  async function seenAmong(
    reader: Reader,
    viewer: Viewer,
    rows: readonly DeletionLockRow[],
  ): Promise<readonly DeletionLockRow[]> {
    const readable = new Map<string, ReadonlySet<string>>();
    for (const [kind, ofOne] of groupBy(rows, ({ entityType }) => entityType)) {
      const ids = ofOne.map(({ entityId }) => entityId);
      readable.set(kind, await tellable(reader, viewer, kind, ids));
    }
    return rows.filter(({ entityType, entityId }) => readable.get(entityType)!.has(entityId));
  }

  async function documentsOf(reader: Reader, rows: readonly DeletionLockRow[], entity?: Protected) {
    await checkLockPage(
      reader,
      rows.map(({ id }) => id),
      settings.maxPageValues,
    );
    return lockDocuments(reader, rows, clock.now(), entity);
  }

  /** With `onlyEffective`, the total is unknown: effective locks are determined per page. */
  const listed = (lock: readonly DeletionLock[], onlyEffective: boolean, count: number | undefined) =>
    onlyEffective ? { lock: lock.filter(({ isEffective }) => isEffective) } : { count, lock };

  return [
    ...ofKind(lockable(store, itemKind(store)), '/item/:entity'),
    ...ofKind(lockable(store, collectionKind(store)), '/collection/:entity'),
    ...ofKind(lockable(store, libraryKind(store)), '/library/:entity'),
    ...ofKind(file, '/file/:entity{opaque}'),
    ...ofKind(file, '/storage/file/:entity{opaque}'),
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
      answers: answer(deletionLockListDocument, { list: 'lock' }),
      access: read,
      async handle(call) {
        const { entityTypes, onlyEffective } = call.query;
        const { reader } = call;
        const types =
          entityTypes && !entityTypes.includes('all')
            ? JSON.stringify(entityTypes.map((each) => each.toLowerCase()))
            : null;
        const rows = await allLocks(reader, { ...filterOf(call.query), types });
        const viewer = await accessOf(reader, call);
        const seen = await seenAmong(reader, viewer, rows);
        // A total would reveal locks that the caller may not read.
        const [counted] = viewer.administrator ? await countAllLocks(reader, { ...filterOf(call.query), types }) : [];
        return listed(await documentsOf(reader, seen), onlyEffective, counted?.total);
      },
    }),
    ...ofLock('/deletion-lock/:lock'),
  ];
}
