import type { NotificationResource } from './trigger/check.ts';

/** Resource with a path `notification` below it. */
export type RegistrationResource = NotificationResource;

/** Resource at which notifications are registered. */
export interface RegistrationRow {
  readonly resource: RegistrationResource;
  /** Alternative paths of the resource. */
  readonly aliases?: readonly string[];
  /** Middle part of its roles, such as `_group_notification_read`. */
  readonly role: string;
  /** Noun for its entities in a refusal. Undefined: notifications about single entities do not exist. */
  readonly entity?: string;
  /** Level of access entries that callers need on the entity. Undefined: its kind has no entries. */
  readonly level?: 'READ';
  /** Last event of an entity, after which notifications about the entity are deleted. */
  readonly ends?: string;
}

/** Resources in the order of matching: `/storage/file` before a storage with the name `file`. */
export const resourceTable: readonly RegistrationRow[] = [
  { resource: '/item', role: 'item', entity: 'Item', level: 'READ', ends: 'item/delete' },
  { resource: '/collection', role: 'collection', entity: 'Collection', level: 'READ', ends: 'collection/delete' },
  { resource: '/job', role: 'job', entity: 'Job' },
  { resource: '/storage/file', aliases: ['/file'], role: 'file' },
  { resource: '/storage', role: 'storage', entity: 'Storage', ends: 'storage/delete' },
  { resource: '/quota', role: 'quota', entity: 'QuotaRule', ends: 'quota/delete' },
  { resource: '/group', role: 'group', entity: 'Group', ends: 'group/delete' },
  { resource: '/document', role: 'document', entity: 'Document', ends: 'document/delete' },
  { resource: '/deletion-lock', role: 'deletion_lock', entity: 'DeletionLock', ends: 'deletionLock/delete' },
  { resource: '/session', role: 'session' },
  { resource: '/share', role: 'share' },
  { resource: '/notification', role: 'placeholder' },
];

/** The path below which its notifications are; those of `/notification` are placeholders. */
export const resourcePath = (resource: string): string =>
  resource === '/notification' ? resource : `${resource}/notification`;

const ended = new Map<string, RegistrationResource>();
for (const { ends, resource } of resourceTable) if (ends !== undefined) ended.set(ends, resource);

/** The resource of which an entity goes with this event. */
export const resourceEnding = (event: string): RegistrationResource | undefined => ended.get(event);
