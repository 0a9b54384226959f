import type { NotificationResource } from './trigger/check.ts';

/** Everything that has a `notification` below it. */
export type RegistrationResource = NotificationResource;

/** One place where notifications are registered. */
export interface ResourceRow {
  readonly resource: RegistrationResource;
  /** Other paths of the same. */
  readonly aliases?: readonly string[];
  /** The middle of its roles: `_group_notification_read`. */
  readonly role: string;
  /** What its entities are called in a refusal. Undefined: it has none that a notification could be about. */
  readonly entity?: string;
  /** The event that is the last one of an entity: notifications about it go with it. */
  readonly ends?: string;
}

/** In the order in which paths are matched: `/storage/file` before the storage of that name. */
export const resourceTable: readonly ResourceRow[] = [
  { resource: '/item', role: 'item', entity: 'Item', ends: 'item/delete' },
  { resource: '/collection', role: 'collection', entity: 'Collection', ends: 'collection/delete' },
  { resource: '/job', role: 'job', entity: 'Job' },
  { resource: '/storage/file', aliases: ['/file'], role: 'file' },
  { resource: '/storage', role: 'storage', entity: 'Storage', ends: 'storage/delete' },
  { resource: '/quota', role: 'quota', entity: 'QuotaRule', ends: 'quota/delete' },
  { resource: '/group', role: 'group', entity: 'Group', ends: 'group/delete' },
  { resource: '/document', role: 'document', entity: 'Document', ends: 'document/delete' },
  { resource: '/deletion-lock', role: 'deletion_lock', entity: 'DeletionLock', ends: 'deletionLock/delete' },
  { resource: '/notification', role: 'placeholder' },
];

/** The path below which its notifications are; those of `/notification` are placeholders. */
export const pathOf = (resource: string): string =>
  resource === '/notification' ? resource : `${resource}/notification`;

const ended = new Map<string, RegistrationResource>();
for (const { ends, resource } of resourceTable) if (ends !== undefined) ended.set(ends, resource);

/** The resource of which an entity goes with this event. */
export const resourceEnding = (event: string): RegistrationResource | undefined => ended.get(event);
