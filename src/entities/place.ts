import type { Call } from '../http/call.ts';
import type { Access, Acting, Params } from '../http/route.ts';
import type { RoomContext } from '../room/context.ts';
import type { Entity, EntityKind, KindName } from '../room/entity.ts';
import type { CommitPlan, Statement } from '../store/contract.ts';
import type { Reader } from '../store/statement.ts';
import { entityNamed, noSuchEntity } from './find.ts';

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

/** Path of entities of one kind, for routes that all rooms share. */
export interface EntityResource<E extends Entity = Entity> extends EntityPath {
  readonly kind: KindName;
  /** The entity that the path names. Throws the refusal where there is none. */
  find(params: Params, call: Call): Promise<E>;
  /** Makes a commit of changes to what belongs to an entity: guards that it is still there, and adds its events if it has some. */
  changed(entity: E, changes: readonly Statement[]): CommitPlan;
  /** Runs a change after those of the same entity that came before it. Left out: changes of one entity meet no other. */
  inTurn?<T>(params: Params, decide: () => Promise<T>): Promise<T>;
}

/** A place of a kind. The last segment of its path names the entity; changes have no event. */
export function entityAt<E extends Entity>(reader: Reader, kind: EntityKind<E>, path: EntityPath): EntityResource<E> {
  const param = /\/:(\w+)$/.exec(path.path)?.[1];
  if (param === undefined) throw new Error(`Expected a path that ends with a parameter: "${path.path}"`);
  return {
    ...path,
    kind,
    find: (params) => entityNamed(reader, kind, params[param]!),
    changed: ({ id }, changes) => ({
      changes: [kind.mustExist(id, noSuchEntity(kind, id)), ...changes],
      events: [],
    }),
  };
}
