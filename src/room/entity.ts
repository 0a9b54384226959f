import type { ServiceError } from '../core/lib/errors.ts';
import type { Maybe } from '../core/lib/maybe.ts';
import type { Statement } from '../core/store/contract.ts';
import type { Caller } from '../security/caller.ts';

/** An entity, as its room found it. */
export interface Entity {
  /** Key of the entity's rows in tables. */
  readonly id: string;
}

/** Names of a kind of entity. */
export interface KindName {
  /** Type in tables, such as `storage`. Ids are unique only within a type, so tables keep the type beside the id. */
  readonly type: string;
  /** In refusals: `Storage`. */
  readonly noun: string;
}

/**
 * A kind of entity, which its room declares once. Notifications, external ids and key-value metadata of the kind find
 * its entities by this.
 */
export interface EntityKind<E extends Entity = Entity> extends KindName {
  /** Finds an entity by its id, or by its name if paths use names. Kinds with external ids must find it by its id. */
  find(name: string): Maybe<E | undefined>;
  /** Inside of a commit: the entity is still there. */
  mustExist(id: string, refusal: ServiceError): Statement;
  /** Throws if the caller may not read this entity. Undefined: the role suffices. `name`: as the caller wrote it. */
  mayRead?(call: Caller, entity: E, name: string): Promise<void>;
  /** Whether a user may read the entity, for kinds with `mayRead`. Unknown user names count as readers. */
  readableBy?(user: string, entity: E): Promise<boolean>;
  /** Name of the entity in events, if not its id. */
  nameInEvents?(entity: E): string;
}

/** Kinds by resource, such as `/storage`. */
export type EntityKinds = Readonly<Record<string, EntityKind>>;
