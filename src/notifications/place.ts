import { findEntity, nameInEvents, noSuchEntity } from '../entities/find.ts';
import { type Call, caller } from '../http/call.ts';
import { type Access, type Params, role } from '../http/route.ts';
import type { Maybe } from '../lib/maybe.ts';
import type { Statement } from '../store/contract.ts';
import type { NotificationParts } from './parts.ts';
import { noSuchNotification } from './registration/rules.ts';
import { findNotification, type NotificationRow, type Place } from './registration/store.ts';
import { pathOf, type RegistrationResource, type ResourceRow, resourceTable } from './resources.ts';

/** A path below which notifications are: of all entities of a resource, or of one. */
export interface NotificationPlace {
  /** `/group/notification`, `/group/:entity/notification`. */
  readonly path: string;
  readonly resource: RegistrationResource;
  /** What the one entity is called in a refusal. Undefined: it is about all. */
  readonly entity: string | undefined;
  readonly read: Access;
  readonly write: Access;
  /** Who may have this service call an address is told what the address answered: nobody else learns of it that way. */
  mayWrite(call: Call): Maybe<boolean>;
}

/** Every one, in the order in which they are to be matched: what is about all before what has a name in the path. */
export const places: readonly NotificationPlace[] = resourceTable.flatMap((row) => {
  const general = [row.resource, ...(row.aliases ?? [])].map((base) => at(row, pathOf(base)));
  return row.entity === undefined ? general : [...general, at(row, pathOf(`${row.resource}/:entity`), row.entity)];
});

function at({ resource, role: name }: ResourceRow, path: string, entity?: string): NotificationPlace {
  const [reader, writer] = [`_${name}_notification_read`, `_${name}_notification_write`];
  const mayWrite = (call: Call) => caller(call).has(writer);
  return { path, resource, entity, read: role(reader), write: role(writer), mayWrite };
}

/** Where a request looks, and the guards that the entity which its path names is still there. */
export interface Location {
  readonly place: Place;
  entityThere(): readonly Statement[];
}

/** 403 for a caller who may not read the entity: what notifications and deliveries say of it would tell of it. */
export async function locate(
  parts: NotificationParts,
  at: NotificationPlace,
  params: Params,
  call: Call,
): Promise<Location> {
  const { resource, entity: noun } = at;
  if (noun === undefined) return { place: { resource, entity: '' }, entityThere: () => [] };
  const name = params['entity']!;
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
  at: NotificationPlace,
  params: Params,
  call: Call,
): Promise<Place> => (await locate(parts, at, params, call)).place;

/** The notification that a path names, by its id or by an external id. */
export async function notificationOf(
  parts: NotificationParts,
  at: NotificationPlace,
  params: Params,
  call: Call,
): Promise<NotificationRow> {
  const name = params['notification']!;
  const [row] = await findNotification(parts.store, { ...(await placeOf(parts, at, params, call)), name });
  if (!row) throw noSuchNotification(name);
  return row;
}
