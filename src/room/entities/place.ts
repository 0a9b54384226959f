import type { Maybe } from '../../core/lib/maybe.ts';
import { retryWhenChanged } from '../../core/lib/retry-when-changed.ts';
import type { CommitPlan, Statement } from '../../core/store/contract.ts';
import type { Reader } from '../../core/store/statement.ts';
import type { PathEntities, PathEntity } from '../../http/path-entity.ts';
import type { Access, Acting } from '../../http/route.ts';
import type { Caller } from '../../security/caller.ts';
import type { RoomContext } from '../context.ts';
import type { Entity, EntityKind, KindName } from '../entity.ts';
import { pathEntity } from './find.ts';

/** Parts of the routes of this folder. */
export type EntityParts = Pick<RoomContext, 'store'>;

/** Path of one entity, and the rights of the routes below it. */
export interface EntityPath {
  /** Path such as `/storage/:storage`. */
  readonly path: string;
  readonly read: Access;
  readonly write: Access;
  readonly acting: Acting;
}

/** Use of an entity by a route: the level that the caller needs depends on it. */
export type Use = 'read' | 'write';

/** Path of entities of one kind, for routes that all rooms share. */
export interface EntityResource<E extends Entity = Entity> extends EntityPath {
  readonly kind: KindName;
  /** Entities of the path. The last one is the entity of the resource. */
  entities(use: Use): PathEntities;
  /** The entity as it is now, for decisions in turn and after conflicts. Left out: changes do not depend on its state. */
  current?(entity: E): Promise<E>;
  /** Makes a commit of changes to what belongs to an entity, with its events if it has some. Default: only the changes. */
  changed?(entity: E, changes: readonly Statement[]): CommitPlan;
  /** Runs a change after those of the same entity that came before it. Left out: changes of one entity meet no other. */
  inTurn?<T>(entity: E, decide: () => Promise<T>): Promise<T>;
}

/** A resource of a kind. The last segment of its path names the entity; changes have no event. */
export function entityAt<E extends Entity>(
  reader: Reader,
  kind: EntityKind<E>,
  path: EntityPath,
  at: (use: Use) => PathEntity<E> = () => pathEntity(reader, kind),
): EntityResource<E> {
  const param = /\/:(\w+)$/.exec(path.path)?.[1];
  if (param === undefined) throw new Error(`Expected a path that ends with a parameter: "${path.path}"`);
  return {
    ...path,
    kind,
    entities: (use) => ({ [param]: at(use) }),
  };
}

/** Declaration of the entities of a resource, and the entity among the segments of a request. */
export function declared<E extends Entity>(resource: EntityResource<E>, use: Use) {
  const entities = resource.entities(use);
  const last = Object.keys(entities).at(-1)!;
  return { entities, entityIn: (segments: Readonly<Record<string, unknown>>): E => segments[last] as E };
}

/** Commit of changes to what belongs to an entity. */
export const changeOf = <E extends Entity>(
  resource: EntityResource<E>,
  entity: E,
  changes: readonly Statement[],
): CommitPlan => resource.changed?.(entity, changes) ?? { changes, events: [] };

/**
 * Commits the changes that `decide` makes, in turn where the resource has turns, and decides again when another request was
 * faster. Nothing to change is no change: no event tells of it.
 */
export function changeAt<E extends Entity>(
  resource: EntityResource<E>,
  caller: Caller,
  found: E,
  decide: (id: string) => Maybe<Statement[]>,
): Promise<void> {
  const { current = (entity: E) => entity } = resource;
  const apply = async (entity: E) => {
    const changes = await decide(entity.id);
    if (changes.length > 0) await caller.commit(changeOf(resource, entity, changes));
  };
  if (resource.inTurn) return resource.inTurn(found, async () => apply(await current(found)));
  return retryWhenChanged(async (isRetry) => apply(isRetry ? await current(found) : found));
}
