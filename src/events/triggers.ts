import type { EventCatalogue, EventName } from './catalogue.ts';
import type { MetadataChange, Pairs } from './payloads.ts';

/** Where notifications are registered: `/item/notification`. */
export type Resource =
  | '/item'
  | '/collection'
  | '/group'
  | '/job'
  | '/storage'
  | '/storage/file'
  | '/quota'
  | '/notification';

/** The properties of a payload that hold this. */
type Holding<P, T> = { [K in keyof P]-?: NonNullable<P[K]> extends T ? K : never }[keyof P] & string;

type Simple = string | number | readonly string[];

/** One thing that a body tells: a property of the payload under its own name, or one of the others. */
type OutputBy<Text extends string, Time extends string, Paired extends string, Changed extends string> =
  | Text
  | { readonly key: string; readonly of: Text }
  | { readonly key: string; readonly time: Time }
  /** The name of the acting user. */
  | { readonly key: string; readonly actor: true }
  /** Each pair is a key. */
  | { readonly pairs: Paired }
  /** Each changed field is a key. */
  | { readonly changes: Changed };

export type Output = OutputBy<string, string, string, string>;
type OutputOf<P> = OutputBy<
  Holding<P, Simple>,
  Holding<P, number>,
  Holding<P, Pairs>,
  Holding<P, readonly MetadataChange[]>
>;

export interface Trigger<O = Output> {
  readonly resource: Resource;
  /** Keys whose value is always the same. */
  readonly says: Readonly<Record<string, string>>;
  /** What else is told, in this order. */
  readonly tells: readonly O[];
  /** The version of the API that brought it, where that was not the first. */
  readonly since?: string;
  /** It is told of when it has happened, so that a synchronous notification cannot refuse it. */
  readonly fact?: true;
}

type AllTriggers = { [N in EventName]: Trigger<OutputOf<EventCatalogue[N]>> };

const action = (value: string) => ({ action: value });
const about = (notificationType: string, notificationTrigger: string) => ({ notificationType, notificationTrigger });

const accessKeys = ['itemId', 'accessId', 'permission', 'user', 'group'] as const;
const shapeKeys = ['itemId', 'shapeId', 'shapeTag'] as const;
const changeKeys = ['changeSetId', { key: 'userName', actor: true }, { changes: 'changes' }] as const;
const jobKeys = [
  ...(['jobId', 'status', 'type', 'user', 'totalSteps', 'currentStepNumber', 'currentStepStatus'] as const),
  { key: 'started', time: 'started' },
  'itemId',
  { key: 'item', of: 'itemId' },
  { pairs: 'data' },
  { pairs: 'notificationData' },
] as const;
const fileKeys = ['fileId', 'storageId', 'shapeId', 'itemId'] as const;
const quotaKeys = ['ruleId', 'itemLimit', 'storageLimit', 'itemUsage', 'storageUsage'] as const;
const troubleKeys = ['notificationId', 'reason', 'failures'] as const;
const creator = { key: 'username', actor: true } as const;

/**
 * Every event that can fire a notification. Its name is the path of its element in a NotificationDocument, below
 * `trigger`. The trigger language and the bodies are made from these rows.
 */
export const triggers = {
  'item/create': { resource: '/item', says: action('CREATE'), tells: ['itemId'] },
  'item/delete': { resource: '/item', says: action('DELETE'), tells: ['itemId'] },
  'metadata/modify': { resource: '/item', says: {}, tells: ['itemId', ...changeKeys] },
  'access/create': { resource: '/item', says: about('access', 'CREATE'), tells: accessKeys },
  'access/delete': { resource: '/item', says: about('access', 'DELETE'), tells: accessKeys },
  'access/change': { resource: '/item', says: about('access', 'CHANGE'), tells: accessKeys, since: '4.0' },
  'shape/create': { resource: '/item', says: about('shape', 'CREATE'), tells: shapeKeys },
  'shape/modify': { resource: '/item', says: about('shape', 'MODIFY'), tells: shapeKeys },
  'shape/delete': { resource: '/item', says: about('shape', 'DELETE'), tells: shapeKeys },

  'collection/create': { resource: '/collection', says: action('CREATE'), tells: ['collectionId'] },
  'collection/delete': { resource: '/collection', says: action('DELETE'), tells: ['collectionId'] },
  'collection/modify': { resource: '/collection', says: about('collection', 'MODIFY'), tells: ['collectionId'] },
  'collection/metadata/modify': { resource: '/collection', says: {}, tells: ['collectionId', ...changeKeys] },

  'group/create': { resource: '/group', says: action('CREATE'), tells: ['group', creator] },
  'group/delete': { resource: '/group', says: action('DELETE'), tells: ['group', creator] },
  'group/modify': {
    resource: '/group',
    says: action('MODIFY'),
    tells: ['group', creator, 'mode', 'affectedGroup', 'affectedUser'],
  },

  'job/create': { resource: '/job', says: action('CREATE'), tells: jobKeys },
  'job/update': { resource: '/job', says: action('UPDATE'), tells: jobKeys, fact: true },
  'job/stop': { resource: '/job', says: action('STOP'), tells: jobKeys, fact: true },
  'job/finished': { resource: '/job', says: action('FINISHED'), tells: jobKeys, fact: true },
  'job/fail': { resource: '/job', says: action('FAIL'), tells: jobKeys, fact: true },

  'storage/create': { resource: '/storage', says: action('CREATE'), tells: ['storageId'] },
  'storage/delete': { resource: '/storage', says: action('DELETE'), tells: ['storageId'] },
  'storage/filename': {
    resource: '/storage',
    says: action('FILENAME'),
    tells: ['storageId', 'fileId', 'itemId', 'shapeId', 'componentId', 'username', 'metadata', 'shapeTag'],
  },
  'file/new': { resource: '/storage/file', says: action('NEW'), tells: fileKeys, fact: true },
  'file/change': { resource: '/storage/file', says: action('CHANGE'), tells: fileKeys, fact: true },
  'file/close': { resource: '/storage/file', says: action('CLOSE'), tells: fileKeys, fact: true },
  'file/delete': { resource: '/storage/file', says: action('DELETE'), tells: fileKeys, fact: true },
  'file/hash': { resource: '/storage/file', says: action('HASH'), tells: fileKeys, since: '4.1', fact: true },

  'quota/warning': { resource: '/quota', says: about('quota', 'WARNING'), tells: quotaKeys, fact: true },
  'quota/created': { resource: '/quota', says: about('quota', 'CREATE'), tells: quotaKeys },
  'quota/delete': { resource: '/quota', says: about('quota', 'DELETE'), tells: quotaKeys },

  'notification/paused': {
    resource: '/notification',
    says: about('notification', 'PAUSED'),
    tells: [...troubleKeys, { key: 'until', time: 'until' }],
    fact: true,
  },
  'notification/disabled': {
    resource: '/notification',
    says: about('notification', 'DISABLED'),
    tells: troubleKeys,
    fact: true,
  },
  'notification/recovered': {
    resource: '/notification',
    says: about('notification', 'RECOVERED'),
    tells: ['notificationId'],
    fact: true,
  },
  'notification/parked': {
    resource: '/notification',
    says: about('notification', 'PARKED'),
    tells: ['notificationId', 'reason', 'parked'],
    fact: true,
  },
} as const satisfies Partial<AllTriggers>;

/** The name of an event that can fire a notification. */
export type TriggerEvent = keyof typeof triggers;

/** A row without the type of its payload. */
export const triggerOf = (name: TriggerEvent): Trigger => triggers[name];

export const triggerEvents = Object.keys(triggers) as TriggerEvent[];

export const isTrigger = (name: string): name is TriggerEvent => Object.hasOwn(triggers, name);

/** The kind of the entity that an event is about, which is also the last word of where it is registered. */
export function entityTypeOf(name: EventName): string {
  if (!isTrigger(name)) return name.slice(0, name.indexOf('/'));
  const { resource } = triggerOf(name);
  return resource.slice(resource.lastIndexOf('/') + 1);
}

/** It is told of and cannot be undone: nobody can object to it. */
export const isFact = (name: string): boolean => isTrigger(name) && triggerOf(name).fact === true;
