import type { Call } from '../http/call.ts';
import { type Access, type Params, role } from '../http/route.ts';
import { ServiceError } from '../lib/errors.ts';
import type { NotificationParts } from './parts.ts';
import { noSuchNotification } from './registration/rules.ts';
import { findNotification, type NotificationRow, type Place } from './registration/store.ts';
import { type RegistrationResource, type ResourceRow, resourceTable } from './resources.ts';

/** A path below which notifications are: of all entities of a resource, or of one. */
export interface At {
  /** `/group/notification`, `/group/:entity/notification`. */
  readonly path: string;
  readonly resource: RegistrationResource;
  readonly scoped: boolean;
  readonly read: Access;
  readonly write: Access;
}

const notFound = (entity: string | undefined, name: string) =>
  new ServiceError('no-such-entity', { type: entity ?? 'Entity', id: name.slice(0, 80) });

/** Every one, in the order in which they are to be matched: what is about all before what has a name in the path. */
export const places: readonly At[] = resourceTable.flatMap((row) => {
  const general = [row.resource, ...(row.aliases ?? [])].map((base) =>
    at(row, base === '/notification' ? base : `${base}/notification`, false),
  );
  return row.entity === undefined ? general : [...general, at(row, `${row.resource}/:entity/notification`, true)];
});

function at({ resource, role: name }: ResourceRow, path: string, scoped: boolean): At {
  const [read, write] = [role(`_${name}_notification_read`), role(`_${name}_notification_write`)];
  return { path, resource, scoped, read, write };
}

const entityName = new Map(resourceTable.map((row) => [row.resource, row.entity]));

/** Where a request looks: of an entity it must be there. */
export async function placeOf(parts: NotificationParts, at: At, params: Params): Promise<Place> {
  const { resource, scoped } = at;
  if (!scoped) return { resource, entity: '' };
  const entity = params['entity']!;
  const entities = Object.hasOwn(parts.entities, resource) ? parts.entities[resource] : undefined;
  if (!(await entities?.exists(entity))) throw noSuchEntity(resource, entity);
  return { resource, entity };
}

export const noSuchEntity = (resource: RegistrationResource, name: string): ServiceError =>
  notFound(entityName.get(resource), name);

/** The notification that a path names, by its id or by an external id. */
export async function notificationOf(parts: NotificationParts, at: At, params: Params): Promise<NotificationRow> {
  const name = params['notification']!;
  const [row] = await findNotification(parts.store, { ...(await placeOf(parts, at, params)), name });
  if (!row) throw noSuchNotification(name);
  return row;
}

/** The address that the caller used, to which more can be appended: what is told must lead back to the same host. */
export function addressOf({ request, path }: Call): string {
  const url = new URL(request.url);
  const host = request.headers.get('host') ?? url.host;
  const root = /^\/+API(?:[/;]|$)/.test(url.pathname) ? '/API' : '';
  return `${url.protocol}//${host}${root}${path.split('/').map(encodeURIComponent).join('/')}`;
}
