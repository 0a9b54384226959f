import { creatorOf, itemAhead, prepareItem } from '../../assets/items/public.ts';
import type { MetadataDocumentValue } from '../../assets/metadata/public-reading.ts';
import { requireTags } from '../../assets/shapes/public.ts';
import type { Pairs } from '../../core/events/payloads.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import { type CommitPlan, type Statement, systemActor } from '../../core/store/contract.ts';
import { beginJob, beginServiceJob, type JobCaller, jobAhead, type StartedJob } from '../../room/jobs/contract.ts';
import type { JobPriority } from '../../room/jobs/job-type.ts';
import { subjectOf } from '../../security/caller.ts';
import { originalName } from '../checking/public.ts';
import type { IngestParts } from './parts.ts';
import { callerMayHave, filesNamedBy } from './sources/foreign.ts';
import { type ImportRequest, type ImportType, newImport } from './steps/import-job.ts';

/** Prepares an import that a caller orders. Known files at its addresses are files that the caller may have. */
export async function beginImport(
  parts: IngestParts,
  caller: JobCaller,
  type: ImportType,
  request: ImportRequest & { readonly itemId: string },
): Promise<StartedJob> {
  const mayHave = callerMayHave(parts, caller);
  for (const named of [request.uri ?? [], request.sidecars ?? []].flat()) {
    for (const id of await filesNamedBy(parts.store, named)) await mayHave(id);
  }
  return beginJob(parts, caller, newImport(type, request));
}

interface NewItem {
  readonly type: ImportType;
  readonly request: ImportRequest;
  /** Path of a file that has no other name. */
  readonly path?: string | undefined;
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
  { type, request, path = '', externalIds, metadata, importTag, tags, settings, also }: NewItem,
): Promise<StartedJob & { readonly itemId: string }> {
  parts.store.ahead(() => [importAhead(parts, caller, [...importTag, ...tags])]);
  const tagGuards = await requireTags(parts.store, [...new Set([...importTag, ...tags])]);
  const newItem = await prepareItem(parts, await creatorOf(caller), {
    externalIds,
    metadata,
    filename: originalName(request, path),
    expected: { container: 1 },
    tags: importTag,
    settings,
  });
  const job = await beginImport(parts, caller, type, {
    ...request,
    itemId: newItem.id,
    shapeId: newItem.shapeId,
    importTag,
  });
  const work = together(changing(...tagGuards), newItem, job.work, changing(...(also?.(job) ?? [])));
  return { ...job, work, itemId: newItem.id };
}

interface ServiceItem {
  readonly type: ImportType;
  /** Undefined: the service itself. */
  readonly user: { readonly id: string; readonly name: string } | undefined;
  readonly request: ImportRequest;
  /** Path of a file that has no other name. */
  readonly path?: string | undefined;
  readonly metadata?: MetadataDocumentValue | undefined;
  /** Known tags that the new shape is transcoded to. */
  readonly tags: readonly string[];
  readonly settings?: string | undefined;
  readonly priority?: JobPriority | undefined;
  readonly data?: Pairs;
  /** Projection for XML sidecars. */
  readonly projection?: string | undefined;
}

interface ServiceImport {
  readonly itemId: string;
  readonly jobId: string;
  readonly work: CommitPlan;
}

/** Item with its import job, without a request: by a rule or a command. */
export async function prepareServiceImport(
  parts: IngestParts,
  { type, user, request, path = '', metadata, tags, settings, priority = 'MEDIUM', data = [], projection }: ServiceItem,
): Promise<ServiceImport> {
  const name = user?.name ?? systemActor.user;
  const creator = { name, userId: user?.id, grantor: { grantorId: user?.id ?? null, rooted: 0 } };
  const importTag = ['original'];
  const newItem = await prepareItem(parts, creator, {
    externalIds: [],
    metadata,
    filename: originalName(request, path),
    expected: { container: 1 },
    tags: importTag,
    settings,
  });
  const job = newImport(type, {
    ...request,
    itemId: newItem.id,
    shapeId: newItem.shapeId,
    importTag,
    tags,
    transcodes: tags.length > 0,
    thumbnails: 'regular',
    projection,
  });
  const origin = { user: user?.name, priority, actor: { ...systemActor, user: name }, data };
  const { jobId, work } = await beginServiceJob(parts, job, origin);
  return { itemId: newItem.id, jobId, work: together(newItem, work) };
}
