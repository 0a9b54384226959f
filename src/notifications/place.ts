import { findEntity, nameInEvents, noSuchEntity } from '../entities/find.ts';
import { type Access, type Params, role, segment } from '../http/route.ts';
import type { Maybe } from '../lib/maybe.ts';
import { type Caller, subjectOf } from '../security/caller.ts';
import type { Statement } from '../store/contract.ts';
import type { NotificationParts } from './parts.ts';
import { noSuchNotification } from './registration/rules.ts';
import { findNotification, type NotificationRow, type NotificationScope } from './registration/store.ts';
import { type RegistrationResource, type RegistrationRow, resourcePath, resourceTable } from './resources.ts';

/** Path below which notifications are registered, for one entity or for all entities of a resource. */
export interface NotificationResource {
  /** Path such as `/group/notification` or `/group/:entity/notification`. */
  readonly path: string;
  readonly resource: RegistrationResource;
  /** Noun for the entity in a refusal. Undefined: the path is for all entities. */
  readonly entity: string | undefined;
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

function at({ resource, role: name }: RegistrationRow, path: string, entity?: string): NotificationResource {
  const [reader, writer] = [`_${name}_notification_read`, `_${name}_notification_write`];
  const mayWrite = (call: Caller) => subjectOf(call).has(writer);
  return { path, resource, entity, read: role(reader), write: role(writer), mayWrite };
}

/** Location of a request, with guards that the entity in its path still exists. */
interface Location {
  readonly place: NotificationScope;
  entityThere(): readonly Statement[];
}

/**
 * Location of a request. 403 if the caller may not read the entity, since notifications and deliveries would reveal it.
 */
export async function locate(
  parts: NotificationParts,
  at: NotificationResource,
  params: Params,
  call: Caller,
): Promise<Location> {
  const { resource, entity: noun } = at;
  if (noun === undefined) return { place: { resource, entity: '' }, entityThere: () => [] };
  const name = segment(params, 'entity');
  const missing = () => noSuchEntity({ noun }, name);
  const kind = Object.hasOwn(parts.entities, resource) ? parts.entities[resource] : undefined;
  const entity = kind && (await findEntity(parts.store, kind, name));
  if (!kind || !entity) throw missing();
  await kind.mayRead?.(call, entity);
  return {
    place: { resource, entity: nameInEvents(kind, entity) },
    entityThere: () => [kind.mustExist(entity.id, missing())],
  };
}

export const placeOf = async (
  parts: NotificationParts,
  at: NotificationResource,
  params: Params,
  call: Caller,
): Promise<NotificationScope> => (await locate(parts, at, params, call)).place;

/** The notification that a path names, by its id or by an external id. */
export async function notificationOf(
  parts: NotificationParts,
  at: NotificationResource,
  params: Params,
  call: Caller,
): Promise<NotificationRow> {
  const name = segment(params, 'notification');
  const [row] = await findNotification(parts.store, { ...(await placeOf(parts, at, params, call)), name });
  if (!row) throw noSuchNotification(name);
  return row;
}
