import { creatorOf, itemAhead, prepareItem } from '../../../assets/items/public.ts';
import type { MetadataDocumentValue } from '../../../assets/metadata/public-reading.ts';
import { requireTags } from '../../../assets/shapes/public.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { Statement } from '../../../core/store/contract.ts';
import { type JobCaller, jobAhead, type StartedJob } from '../../../room/jobs/contract.ts';
import { subjectOf } from '../../../security/caller.ts';
import type { IngestParts } from '../parts.ts';
import type { ImportType, ImportWish } from '../steps/import-job.ts';
import { beginImport } from './ordering.ts';

interface NewItem {
  readonly type: ImportType;
  readonly wish: ImportWish;
  readonly externalIds: readonly string[];
  readonly metadata: MetadataDocumentValue | undefined;
  readonly importTag: readonly string[];
  /** Tags that have to be known. */
  readonly tags: readonly string[];
  readonly settings: string | undefined;
  /** Adds statements to the commit. */
  also?(job: StartedJob): readonly Statement[];
}

/** Starts the reads of `prepareImport`, for `Store.ahead`. */
export const importAhead = (parts: IngestParts, caller: JobCaller, tags: readonly string[]): Promise<unknown> =>
  Promise.all([
    requireTags(parts.store, [...new Set(tags)]),
    itemAhead(parts, subjectOf(caller).user?.id),
    jobAhead(parts),
  ]);

/**
 * Prepares an item without a file, and the job that imports the file, for one commit. The item exists with its rights
 * from the request on, and errors in its metadata are answers of the request.
 */
export async function prepareImport(
  parts: IngestParts,
  caller: JobCaller,
  { type, wish, externalIds, metadata, importTag, tags, settings, also }: NewItem,
): Promise<StartedJob & { readonly itemId: string }> {
  parts.store.ahead(() => [importAhead(parts, caller, [...importTag, ...tags])]);
  const tagGuards = await requireTags(parts.store, [...new Set([...importTag, ...tags])]);
  const newItem = await prepareItem(parts, await creatorOf(caller), {
    externalIds,
    metadata,
    expected: { container: 1 },
    tags: importTag,
    settings,
  });
  const job = await beginImport(parts, caller, type, {
    ...wish,
    itemId: newItem.id,
    shapeId: newItem.shapeId,
    importTag,
  });
  const work = together(changing(...tagGuards), newItem, job.work, changing(...(also?.(job) ?? [])));
  return { ...job, work, itemId: newItem.id };
}
