import type { Maybe } from '../core/lib/maybe.ts';
import type { Statement } from '../core/store/contract.ts';
import type { Caller } from '../security/caller.ts';

/**
 * Entity that a segment of a path names, with the level that the caller of the route needs on it. `S`: segments that
 * its finder looks at.
 */
export interface PathEntity<E = unknown, S = Readonly<Record<string, unknown>>> {
  /** Kind of the entity, such as `item`. */
  readonly kind: string;
  /** Level of access entries. Undefined: entities of the kind have no entries, so the role of the route decides. */
  readonly level?: string | undefined;
  /** Operation of which the caller needs the level for at least one part, or for all of it. Left out: all operations. */
  readonly operation?: string | undefined;
  /**
   * Finds the entity. Throws the refusal: 404 if there is none, 403 if the caller lacks the level. `segments`: those of
   * the path, with the entities declared before this one in place of their names.
   */
  find(name: string, caller: Caller, segments: S): Maybe<E>;
  /** Starts the read that `find` begins with, before anything is known of the caller. */
  ahead?(name: string): Maybe<unknown>;
  /** Guard for the commits of a route that writes: the entity still exists. Undefined: it always does. */
  stays?(entity: E): Statement | undefined;
}

/** Entities of a path by its segments. */
export type PathEntities = Readonly<Record<string, PathEntity>>;

/** Type of an entity, as its finder returns it. */
export type EntityOf<T> = T extends PathEntity<infer E> ? E : never;
