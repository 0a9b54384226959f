import { after, type Maybe } from '../../core/lib/maybe.ts';
import type { Statement } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { findEntity, noSuchEntity, pathEntity } from '../../room/entities/find.ts';
import type { Entity, EntityKind, KindName } from '../../room/entity.ts';
import type { Caller } from '../../security/caller.ts';
import { type Guarded, generic, type Operation, type OperationType, type RequiredLevel } from './levels.ts';
import { placedAhead } from './reading.ts';
import { idsAmong, insertOwner, mayHaveAll, removeEntries } from './store.ts';
import { accessOf, expectLevel, mustHave, type Viewer } from './viewer.ts';

type May = (reader: Reader, call: Caller, kind: KindName, entity: Entity, name?: string) => Promise<void>;

export const mayRead: May = (reader, call, kind, entity, name) =>
  mustHave(reader, call, kind, entity, 'READ', undefined, name);

export const mayWrite: May = (reader, call, kind, entity, name) =>
  mustHave(reader, call, kind, entity, 'WRITE', undefined, name);

/**
 * Entity in a path by the level that the caller needs on it. `operation`: a word for at least one field or tag, which
 * the route asks for later, or an operation for all of them.
 */
type GuardedEntity<E> = (level: RequiredLevel, operation?: OperationType | Operation) => PathEntity<E>;

/** Entities of a kind in paths. `absent`: the refusal for unknown names. */
export const guardedEntity =
  <E extends Entity>(
    reader: Reader,
    kind: EntityKind<E>,
    absent = (name: string) => noSuchEntity(kind, name),
  ): GuardedEntity<E> =>
  (level, operation = generic) => ({
    ...pathEntity(reader, kind),
    ahead: (name) => Promise.all([kind.find(name), placedAhead(reader, kind.type, name)]),
    level,
    operation: operation === generic ? undefined : typeof operation === 'object' ? `all ${operation.type}` : operation,
    find: (name, call) =>
      after(findEntity(reader, kind, name), (entity) => {
        if (!entity) throw absent(name);
        return after(expectLevel(reader, call, kind, entity, level, operation, name), () => entity);
      }),
  });

/** Ids of entities of one kind that the viewer may read. */
export const readableAmong = (
  reader: Reader,
  viewer: Viewer,
  kind: string,
  ids: readonly string[],
): Maybe<ReadonlySet<string>> => havingAmong(reader, viewer, kind, ids, 'READ');

/** Ids of entities of one kind on which the viewer has the level. */
export function havingAmong(
  reader: Reader,
  viewer: Viewer,
  kind: string,
  ids: readonly string[],
  level: RequiredLevel,
): Maybe<ReadonlySet<string>> {
  if (ids.length === 0 || mayHaveAll(viewer, kind as Guarded, level)) return new Set(ids);
  return idsAmong(reader, viewer, kind as Guarded, ids, level);
}

interface NewOwner {
  readonly type: Guarded;
  readonly id: string;
  readonly serial: number;
  readonly entryId: string;
  /** Undefined: owned by the service. */
  readonly userId: string | undefined;
}

/** Inserts the OWNER entry in the commit that creates the entity. Sends no event. */
export const ownerOf = ({ type, id, serial, entryId, userId }: NewOwner): Statement =>
  insertOwner({
    entityType: type,
    entityId: id,
    id: entryId,
    entitySerial: serial,
    userId: userId ?? null,
    reach: ownerReach(type),
  });

/** The OWNER entry of a library covers the library alone, not the items that it lists. */
const ownerReach = (type: Guarded): number => (type === 'library' ? 1 : 43);

export const forgetAccess = (type: string, id: string): Statement => removeEntries({ entityType: type, entityId: id });

/** Entities of a page that the caller may read, in the order of the page. */
export function readableIds(
  reader: Reader,
  call: Caller,
  kind: Guarded,
  ids: readonly string[],
): Maybe<readonly string[]> {
  if (ids.length === 0) return ids;
  return after(accessOf(reader, call), (viewer) =>
    after(readableAmong(reader, viewer, kind, ids), (readable) => ids.filter((id) => readable.has(id))),
  );
}
