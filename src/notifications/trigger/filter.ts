import type { Happening } from '../../events/define.ts';
import { compileFile, type FileSource } from './file-filter.ts';
import { compileJob, type JobSource } from './job-filter.ts';
import { compileMetadata, type MetadataSource } from './metadata-filter.ts';

/** What a trigger restricts its events to, as plain data. `of` is the element below `trigger` that holds it. */
export type CompiledFilterSource = MetadataSource | JobSource | FileSource;

/** Asks the payload of an event that the subscription names. Depends on its source only, so it can be kept. */
export type Filter = (payload: Happening['payload']) => boolean;

/** Throws a `bad-value` that names the element, for a source that `checkTrigger` would not have let in. */
export function compileFilter(source: CompiledFilterSource): Filter {
  if (source.of === 'job') return compileJob(source) as Filter;
  if (source.of === 'file') return compileFile(source) as Filter;
  return compileMetadata(source) as Filter;
}

/** Whether a subscription to this event, found by a selector, really means it. */
export function matches(filter: Filter | undefined, event: Pick<Happening, 'payload'>): boolean {
  return filter === undefined || filter(event.payload);
}
