import type { Happening, Triggers } from '../../../core/events/event-kinds.ts';
import type { FileState, ItemChange, JobState } from '../../../core/events/payloads.ts';
import { isRecord } from '../../../core/lib/checks.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import type { EventRecord } from '../../../core/store/contract.ts';
import { type PlaceholderNotification, readStored } from '../documents/notification.ts';
import type { NotificationTrigger } from '../documents/notification-trigger.ts';
import { selectorsOfPeople } from '../mail/kinds.ts';
import { type CompiledFilterSource, compileFilter, type TriggerFilter } from './filter.ts';
import type { MetadataSource } from './metadata-filter.ts';

/** Event of a notification's trigger, with its selectors and filter. */
interface Subscription {
  readonly event: string;
  /** Keys of the index. A matching event looks up at least one of them. `''`: any event. */
  readonly selectors: readonly string[];
  /** Further conditions, for `compileFilter`. Undefined: none. */
  readonly filter: CompiledFilterSource | undefined;
}

/**
 * Subscriptions of a notification; several events of one trigger are alternatives. A placeholder needs its own id, with
 * which jobs are started. Without events it subscribes to the end of its jobs.
 */
export function subscriptionsOf(
  triggers: Triggers,
  { trigger }: PlaceholderNotification,
  id?: string,
): readonly Subscription[] {
  if (trigger === undefined) return [subscription('job/stop', jobSource({ placeholder: true }, id))];
  return eventsOf(triggers, trigger).map((event) => subscription(event, sourceOf(event, trigger, id)));
}

const any = [''] as const;

/** The selectors under which an event looks for subscriptions. */
export function selectorsOfEvent(event: Pick<Happening, 'name' | 'payload'>): readonly string[] {
  const people = selectorsOfPeople(event);
  if (people.length > 0) return ['', ...people];
  const payload = event.payload as Partial<ItemChange & JobState & FileState>;
  if (payload.changes) return ['', ...new Set(payload.changes.map(({ field }) => field))];
  if (payload.jobId !== undefined) {
    const { type = '', notification } = payload;
    return notification === undefined ? ['', type] : ['', type, startedWith(notification)];
  }
  return payload.fileId === undefined ? any : ['', payload.storageId ?? ''];
}

/** Events whose elements the trigger contains. */
export function eventsOf(triggers: Triggers, trigger: NotificationTrigger): readonly string[] {
  return triggers.names.filter((event) => {
    let at: unknown = trigger;
    for (const element of event.split('/')) at = isRecord(at) ? at[element] : undefined;
    return at !== undefined;
  });
}

const subscription = (event: string, filter: CompiledFilterSource | undefined): Subscription => ({
  event,
  selectors: selectorsOf(filter),
  filter,
});

function sourceOf(event: string, trigger: NotificationTrigger, id: string | undefined) {
  const { metadata, collection, job, file } = trigger;
  if (event === 'metadata/modify') return metadataSource(event, metadata?.modify);
  if (event === 'collection/metadata/modify') return metadataSource(event, collection?.metadata?.modify);
  if (job !== undefined) return jobSource(job, id);
  const storage = file?.storage?.trim();
  return storage ? ({ of: 'file', storage } as const) : undefined;
}

type MetadataParameters = NonNullable<NotificationTrigger['metadata']>['modify'];

function metadataSource(of: MetadataSource['of'], parameters: MetadataParameters = {}): MetadataSource | undefined {
  const { field, language, track, interval } = parameters;
  const source: MetadataSource = {
    of,
    field: namesIn(field),
    language: namesIn(language),
    track: namesIn(track),
    interval: namesIn(interval),
  };
  const restricts = [source.field, source.language, source.track, source.interval].some((names) => names.length > 0);
  return restricts ? source : undefined;
}

function jobSource(job: NonNullable<NotificationTrigger['job']>, id: string | undefined) {
  const { type = [], step, jobdata } = job.filter ?? {};
  const types = namesIn(...type);
  if (job.placeholder !== true) {
    if (types.length === 0 && step === undefined && jobdata === undefined) return undefined;
    return { of: 'job', types, step, jobdata } as const;
  }
  if (id === undefined) throw new ServiceError('internal', { explanation: 'Expected the id of a placeholder: none' });
  return { of: 'job', types, step, jobdata, notification: id } as const;
}

/** Comma-separated, in one text or several. Blank means all, as forms send it. */
function namesIn(...texts: readonly (string | undefined)[]): readonly string[] {
  const names = texts.flatMap((text) => text?.split(',') ?? []).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/** An index finds whole names alone. */
const isPattern = (name: string): boolean => name.includes('*') || name === 'all';

function selectorsOf(source: CompiledFilterSource | undefined): readonly string[] {
  if (source === undefined) return any;
  if (source.of === 'file') return [source.storage];
  if (source.of !== 'job') return source.field.length === 0 || source.field.some(isPattern) ? any : source.field;
  if (source.notification !== undefined) return [startedWith(source.notification)];
  return source.types.length === 0 ? any : source.types;
}

const startedWith = (notification: string) => `notification=${notification}`;

/** Whether a selector of this source is exact: then no commit has to ask the filter of the notification. */
export function saidBySelectors(source: CompiledFilterSource | undefined): boolean {
  if (source === undefined || source.of === 'file') return true;
  if (source.of !== 'job') {
    const { field, language, track, interval } = source;
    const isNamed = field.length > 0 && !field.some(isPattern);
    return isNamed && language.length + track.length + interval.length === 0;
  }
  const { types, step, jobdata, notification } = source;
  if (step !== undefined || jobdata !== undefined) return false;
  if (notification !== undefined) return types.length === 0;
  // A type that looks like the selector of a placeholder would find its jobs.
  return types.length > 0 && !types.some((type) => type.includes('='));
}

/** Filters of one notification, by event. */
export type Filters = ReadonlyMap<string, TriggerFilter | undefined>;

/** Filters of a notification. An unreadable one has none: it fires for no event, instead of refusing every change. */
export function filtersOf(triggers: Triggers, id: string, document: string, log: Log): Filters {
  try {
    const all = subscriptionsOf(triggers, readStored(document), id);
    return new Map(all.map(({ event, filter }) => [event, filter && compileFilter(filter)] as const));
  } catch (error) {
    log.write('error', 'notification-unreadable', { notification: id, ...describeError(error) });
    return new Map();
  }
}

export function accepts(filters: Filters, event: EventRecord): boolean {
  if (!filters.has(event.name)) return false;
  const filter = filters.get(event.name);
  return filter === undefined || filter(event.payload as Parameters<TriggerFilter>[0]);
}
