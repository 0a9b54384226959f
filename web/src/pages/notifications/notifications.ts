import type { NotificationDocument, NotificationHealthDocument } from 'portico/types';
import { t } from '../../texts/index.ts';
import type { Tone } from '../jobs/jobs.ts';

/** Resources with notifications: the name in addresses of this page, the path of the API, and the middle of its roles. */
export const resources = [
  { name: 'item', path: '/item', role: 'item' },
  { name: 'collection', path: '/collection', role: 'collection' },
  { name: 'job', path: '/job', role: 'job' },
  { name: 'file', path: '/storage/file', role: 'file' },
  { name: 'storage', path: '/storage', role: 'storage' },
  { name: 'quota', path: '/quota', role: 'quota' },
  { name: 'group', path: '/group', role: 'group' },
  { name: 'placeholder', path: '', role: 'placeholder' },
] as const;
export type Resource = (typeof resources)[number];

export const resourceNamed = (name: string | undefined): Resource | undefined =>
  resources.find((each) => each.name === name);
export const readRole = ({ role }: Resource): string => `_${role}_notification_read`;
export const writeRole = ({ role }: Resource): string => `_${role}_notification_write`;
export const addressOfList = ({ path }: Resource): string => `${path}/notification`;
export const addressOf = (resource: Resource, id: string): string =>
  `${addressOfList(resource)}/${encodeURIComponent(id)}`;

/** Where a notification sends, in one line. */
export function receiverOf({ action }: NotificationDocument): string {
  const [kind, value] = Object.entries(action).find(([, each]) => each !== undefined && each !== null) ?? ['', {}];
  const texts = value as Readonly<Record<string, unknown>>;
  const place = ['url', 'queue', 'topic', 'endpoint', 'bean', 'script']
    .map((key) => texts[key])
    .find((each) => typeof each === 'string');
  return kind === 'http' ? String(place ?? '') : `${kind} ${String(place ?? '')}`.trim();
}

/** Machine that a notification calls, as PORTICO_OUTBOUND_ALLOW would list it. */
export const hostOf = ({ action }: NotificationDocument): string => new URL(action.http!.url).hostname;

/** Events of a trigger: `job finished`, `metadata modify`. */
export const eventsOf = ({ trigger }: NotificationDocument): readonly string[] =>
  Object.entries(trigger).flatMap(([kind, value]) =>
    value === undefined || value === null
      ? []
      : Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([name, each]) =>
          each === undefined || each === null || ['filter', 'contentFilter', 'interval'].includes(name)
            ? []
            : [`${kind} ${name}`],
        ),
  );

/** An event as a sentence: `job fail` and `job/fail` are "A job failed". One without words has its name. */
export function eventWords(name: string): string {
  const words = new Map(
    t('notifications.events')
      .split(';')
      .map((pair) => pair.split(':') as [string, string]),
  );
  const parts = name.split(/[ /]/).map((part) => words.get(part.toLowerCase()));
  return parts.includes(undefined) ? name : parts.join(' ');
}

type HealthWord = 'works' | 'failing' | 'paused' | 'disabled' | 'missing' | 'blocked' | 'new';

/** State of a notification in a word: the worst thing that is true of it. */
export function wordOf({
  state,
  missing,
  blocked,
  failures,
  parked,
  delivered,
}: NotificationHealthDocument): HealthWord {
  if (state === 'disabled') return 'disabled';
  if (state === 'paused') return 'paused';
  if (missing) return 'missing';
  if (blocked) return 'blocked';
  if (failures > 0 || parked > 0) return 'failing';
  return delivered > 0 ? 'works' : 'new';
}

const tones: Readonly<Record<HealthWord, Tone>> = {
  works: 'good',
  failing: 'bad',
  paused: 'warn',
  disabled: 'bad',
  missing: 'bad',
  blocked: 'bad',
  new: undefined,
};
export const toneOf = (word: HealthWord): Tone => tones[word];

const deliveryTones: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  failed: 'bad',
  parked: 'bad',
  dropped: 'bad',
  vetoed: 'warn',
};
export const deliveryTone = (state: string): Tone => deliveryTones[state];

/** The id at the end of an address. */
export const idIn = (uri: string): string => decodeURIComponent(uri.split('/').filter(Boolean).at(-1) ?? uri);

/** Events that a new notification of a resource may send, as its trigger names them. */
export const triggers: Readonly<Record<Resource['name'], readonly (readonly [kind: string, name: string])[]>> = {
  item: [
    ['item', 'create'],
    ['item', 'delete'],
    ['metadata', 'modify'],
    ['shape', 'create'],
    ['shape', 'delete'],
  ],
  collection: [
    ['collection', 'create'],
    ['collection', 'delete'],
    ['metadata', 'modify'],
  ],
  job: [
    ['job', 'create'],
    ['job', 'finished'],
    ['job', 'fail'],
    ['job', 'stop'],
    ['job', 'update'],
  ],
  file: [
    ['file', 'new'],
    ['file', 'close'],
    ['file', 'delete'],
  ],
  storage: [
    ['storage', 'create'],
    ['storage', 'delete'],
  ],
  quota: [],
  group: [
    ['group', 'create'],
    ['group', 'modify'],
    ['group', 'delete'],
  ],
  placeholder: [],
};

/** A notification that posts JSON. */
export function newNotification(
  url: string,
  chosen: readonly (readonly [kind: string, name: string])[],
): NotificationDocument {
  const trigger: Record<string, Record<string, string>> = {};
  for (const [kind, name] of chosen) trigger[kind] = { ...trigger[kind], [name]: '' };
  return {
    action: { http: { url, contentType: 'application/json' } },
    trigger: trigger as NotificationDocument['trigger'],
  };
}
