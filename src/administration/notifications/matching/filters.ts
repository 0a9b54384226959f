import type { Triggers } from '../../../core/events/event-kinds.ts';
import { describeError, type Log } from '../../../core/lib/log.ts';
import type { EventRecord } from '../../../core/store/contract.ts';
import { readStored } from '../stored.ts';
import { type CompiledFilterSource, compileFilter, type TriggerFilter } from '../trigger/filter.ts';
import { isPattern, subscriptionsOf } from '../trigger/subscriptions.ts';

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
