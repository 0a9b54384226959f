import type { Happening } from '../../../core/events/event-kinds.ts';
import type { FileState } from '../../../core/events/payloads.ts';
import { compileJob, type JobSource } from './job-filter.ts';
import { compileMetadata, type MetadataSource } from './metadata-filter.ts';

interface FileSource {
  readonly of: 'file';
  readonly storage: string;
}

function compileFile({ storage }: FileSource): (file: FileState) => boolean {
  return (file) => file.storageId === storage;
}

/** Filter of a trigger, as plain data. `of`: the element below `trigger`. */
export type CompiledFilterSource = MetadataSource | JobSource | FileSource;

/** Tests the payload of a subscribed event. Depends only on its source, so it can be cached. */
export type TriggerFilter = (payload: Happening['payload']) => boolean;

/** Compiles a filter. Throws `bad-value` with the element for a source that `checkTrigger` refuses. */
export function compileFilter(source: CompiledFilterSource): TriggerFilter {
  if (source.of === 'job') return compileJob(source) as TriggerFilter;
  if (source.of === 'file') return compileFile(source) as TriggerFilter;
  return compileMetadata(source) as TriggerFilter;
}

/** Whether a subscription to this event, found by a selector, really means it. */
export function matches(filter: TriggerFilter | undefined, event: Pick<Happening, 'payload'>): boolean {
  return filter === undefined || filter(event.payload);
}
