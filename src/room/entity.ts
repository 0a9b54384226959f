import type { Call } from '../http/call.ts';
import type { ServiceError } from '../lib/errors.ts';
import type { Maybe } from '../lib/maybe.ts';
import type { Statement } from '../store/contract.ts';

/** One entity, as its room found it. */
export interface Entity {
  /** Tables keep under it what belongs to the entity. */
  readonly id: string;
}

/** How a kind of entity is called. */
export interface KindName {
  /** In tables: `storage`. Entities of two kinds may have the same id, so tables keep the type beside the id. */
  readonly type: string;
  /** In refusals: `Storage`. */
  readonly noun: string;
}

/**
 * A kind of entity, which its room declares once. Notifications, external ids and key-value metadata of the kind find
 * its entities by this.
 */
export interface EntityKind<E extends Entity = Entity> extends KindName {
  /** By its id, or by its name where paths have names. A kind with external ids is found by its id in any case. */
  find(name: string): Maybe<E | undefined>;
  /** Inside of a commit: the entity is still there. */
  mustExist(id: string, refusal: ServiceError): Statement;
  /** Where not everybody with the role may: throws the refusal of a caller who may not read the entity. */
  mayRead?(call: Call, entity: E): Promise<void>;
  /** Of the same kinds: whether a user may read it. A name that the service does not know is no reason to doubt. */
  readableBy?(user: string, entity: E): Promise<boolean>;
  /** What events call it, where that is not its id. */
  nameInEvents?(entity: E): string;
}

/** By the resource below which its entities are: `/storage`. */
export type EntityKinds = Readonly<Record<string, EntityKind>>;
