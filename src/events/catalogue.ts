import type {
  AccessEntry,
  CollectionChange,
  FileName,
  FileState,
  ItemChange,
  JobState,
  NotificationTrouble,
  QuotaState,
  ShapeState,
} from './payloads.ts';
import { entityTypeOf } from './triggers.ts';

/**
 * Everything that can happen, with what is said about it. The user who made it happen is kept beside every event.
 * Emitting an event that is not declared here does not compile. Those that can fire notifications have a row in
 * `triggers.ts`; what that row tells is named in the payload as receivers know it.
 */
export interface EventCatalogue {
  'user/create': { readonly user: string };
  /** `formerName`: of a user who was renamed. */
  'user/modify': { readonly user: string; readonly changed: readonly UserAspect[]; readonly formerName?: string };
  'user/delete': { readonly user: string };
  'configuration/modify': { readonly name: string; readonly key?: string };
  'group/create': { readonly group: string };
  'group/modify': {
    readonly group: string;
    readonly mode?: 'ADD' | 'REMOVE';
    readonly affectedGroup?: string;
    readonly affectedUser?: string;
  };
  'group/delete': { readonly group: string };

  'item/create': { readonly itemId: string };
  'item/delete': { readonly itemId: string };
  /** One change set. */
  'metadata/modify': ItemChange;
  'access/create': AccessEntry;
  'access/change': AccessEntry;
  'access/delete': AccessEntry;
  'shape/create': ShapeState;
  'shape/modify': ShapeState;
  'shape/delete': ShapeState;

  'collection/create': { readonly collectionId: string };
  'collection/delete': { readonly collectionId: string };
  /** Members came, went or moved. */
  'collection/modify': { readonly collectionId: string };
  'collection/metadata/modify': CollectionChange;

  'job/create': JobState;
  /** The status or the step changed; the last change is told too. */
  'job/update': JobState;
  /** Ended, well or badly. One of the next two comes with it. */
  'job/stop': JobState;
  'job/finished': JobState;
  'job/fail': JobState;

  'storage/create': { readonly storageId: string };
  'storage/delete': { readonly storageId: string };
  /** A file is about to be created: the answer of a receiver names it. */
  'storage/filename': FileName;
  'file/new': FileState;
  'file/change': FileState;
  'file/close': FileState;
  'file/delete': FileState;
  'file/hash': FileState;

  'quota/warning': QuotaState;
  'quota/created': QuotaState;
  'quota/delete': QuotaState;

  /** Its receiver failed again and again: it is left alone until then. Told before it is ever switched off. */
  'notification/paused': NotificationTrouble & { readonly until: number };
  'notification/disabled': NotificationTrouble;
  /** A delivery succeeded after a pause. */
  'notification/recovered': { readonly notificationId: string };
  /** Events were given up; told of the first one, the tenth, the hundredth. */
  'notification/parked': { readonly notificationId: string; readonly reason: string; readonly parked: number };

  /** Somebody tries a notification: it alone is told, as if the event in here had happened. */
  'notification/test': { readonly notification: string; readonly event: string; readonly payload: object };
}

export type UserAspect =
  | 'accessKey'
  | 'alias'
  | 'enabled'
  | 'metadata'
  | 'name'
  | 'password'
  | 'realName'
  | 'runAs'
  | 'token';

export type EventName = keyof EventCatalogue;

/** One event as a value: rules return it, the commit stores it. */
export interface Happening<N extends EventName = EventName> {
  readonly name: N;
  readonly entityType: string;
  readonly entityId: string;
  readonly payload: EventCatalogue[N];
}

/**
 * The entity is the one whose notifications may fire: the item, for whatever happens to its metadata, its shapes or
 * who may see it. Where no trigger says, its type is the first word of the name.
 */
export function happened<N extends EventName>(name: N, entityId: string, payload: EventCatalogue[N]): Happening<N> {
  return { name, entityType: entityTypeOf(name), entityId, payload };
}
