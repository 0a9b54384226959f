import type { Triggers } from '../../core/events/event-kinds.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Maybe } from '../../core/lib/maybe.ts';
import type { Random } from '../../core/lib/random.ts';
import type { Vault } from '../../core/lib/vault.ts';
import type { Store } from '../../core/store/store.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { type Access, role } from '../../http/route.ts';
import type { Services } from '../../room/context.ts';
import { findEntity, nameInEvents, noSuchEntity } from '../../room/entities/find.ts';
import type { EntityKinds } from '../../room/entity.ts';
import { type Caller, subjectOf } from '../../security/caller.ts';
import type { NamedAction } from '../../security/ini/security-parts.ts';
import type { Mailer } from './mail/mailer.ts';
import { noSuchNotification } from './registration/rules.ts';
import {
  findNotification,
  type NotificationRow,
  type NotificationScope,
  notificationThere,
} from './registration/store.ts';
import { type RegistrationResource, type RegistrationRow, resourcePath, resourceTable } from './resources.ts';
import type { NotificationSettings } from './settings.ts';

/** Parts of the routes of notifications. */
export interface NotificationParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly triggers: Triggers;
  readonly settings: Pick<NotificationSettings, 'maxPage' | 'maxPageValues' | 'maxNotifications' | 'maxParked'>;
  /** Encrypts secrets. Undefined: there is no key, so no secret can be stored. */
  readonly vault: Vault | undefined;
  readonly services: { readonly secrets: Services['secrets'] };
  /** Kinds of entities by resource, such as `/group`. Resources without a kind have no entities. */
  readonly entities: EntityKinds;
  /** Actions of plugins in the current configuration. */
  actions(): readonly NamedAction[];
  fingerprint(text: string): string;
  readonly mailer: Mailer;
  /** Reason why no setting permits calls to the address. Undefined: callable. */
  uncallable(url: string, whileSaved?: boolean): string | undefined;
}

/** Path below which notifications are registered, for one entity or for all entities of a resource. */
export interface NotificationResource {
  /** Path such as `/group/notification` or `/group/:entity/notification`. */
  readonly path: string;
  readonly resource: RegistrationResource;
  /** Noun for the entity in a refusal. Undefined: the path is for all entities. */
  readonly entity: string | undefined;
  readonly level: RegistrationRow['level'];
  readonly read: Access;
  readonly write: Access;
  /** Whether the caller may choose receivers. Answers of receivers are shown only then. */
  mayWrite(call: Caller): Maybe<boolean>;
}

/** All paths in the order of matching: paths for all entities before paths with an entity's name. */
export const places: readonly NotificationResource[] = resourceTable.flatMap((row) => {
  const general = [row.resource, ...(row.aliases ?? [])].map((base) => at(row, resourcePath(base)));
  return row.entity === undefined
    ? general
    : [...general, at(row, resourcePath(`${row.resource}/:entity`), row.entity)];
});

function at({ resource, role: name, level }: RegistrationRow, path: string, entity?: string): NotificationResource {
  const [reader, writer] = [`_${name}_notification_read`, `_${name}_notification_write`];
  const mayWrite = (call: Caller) => subjectOf(call).has(writer);
  return { path, resource, entity, level, read: role(reader), write: role(writer), mayWrite };
}

/** An entity that notifications are about, as the scope of its notifications. */
interface ScopedEntity extends NotificationScope {
  readonly id: string;
}

type ScopeParts = Pick<NotificationParts, 'store' | 'entities'>;

/**
 * The entity in paths to notifications about one. 403 if the caller may not read it, since notifications and deliveries
 * would reveal it.
 */
export function scopeIn(
  { store, entities }: ScopeParts,
  { resource, entity: noun, level }: NotificationResource,
): Readonly<Record<string, PathEntity<ScopedEntity>>> {
  if (noun === undefined) return {};
  const kind = Object.hasOwn(entities, resource) ? entities[resource] : undefined;
  const missing = (name: string) => noSuchEntity({ noun }, name);
  const entity: PathEntity<ScopedEntity> = {
    kind: kind?.type ?? noun,
    level,
    async find(name, call) {
      const entity = kind && (await findEntity(store, kind, name));
      if (!kind || !entity) throw missing(name);
      await kind.mayRead?.(call, entity, name);
      return { id: entity.id, resource, entity: nameInEvents(kind, entity) };
    },
    ...(kind && { stays: ({ id }) => kind.mustExist(id, missing(id)) }),
  };
  return { entity };
}

interface Scoped {
  /** Left out in paths for all entities. */
  readonly entity?: ScopedEntity | undefined;
}

/** Scope of the notifications at a path. */
export const scopeOf = ({ resource }: NotificationResource, { entity }: Scoped): NotificationScope => ({
  resource,
  entity: entity?.entity ?? '',
});

/** Entities in paths of one notification, which is named by its id or by an external id. */
export function notificationIn(parts: ScopeParts, at: NotificationResource) {
  const notification: PathEntity<NotificationRow, Scoped> = {
    kind: 'notification',
    async find(name, _call, segments) {
      const [row] = await findNotification(parts.store, { ...scopeOf(at, segments), name });
      if (!row) throw noSuchNotification(name);
      return row;
    },
    stays: ({ id }) => notificationThere({ id }, noSuchNotification(id)),
  };
  const { entity } = scopeIn(parts, at);
  return { ...(entity && { entity }), notification };
}
