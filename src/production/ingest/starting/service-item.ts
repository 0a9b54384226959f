import { prepareItem } from '../../../assets/items/public.ts';
import type { MetadataDocumentValue } from '../../../assets/metadata/public-reading.ts';
import type { Pairs } from '../../../core/events/payloads.ts';
import { together } from '../../../core/store/commit-plan.ts';
import { type CommitPlan, systemActor } from '../../../core/store/contract.ts';
import { beginServiceJob } from '../../../room/jobs/contract.ts';
import type { JobPriority } from '../../../room/jobs/job-type.ts';
import type { IngestParts } from '../parts.ts';
import { type ImportType, type ImportWish, newImport } from '../steps/import-job.ts';

interface ServiceItem {
  readonly type: ImportType;
  /** Undefined: the service itself. */
  readonly user: { readonly id: string; readonly name: string } | undefined;
  readonly wish: ImportWish;
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
  { type, user, wish, metadata, tags, settings, priority = 'MEDIUM', data = [], projection }: ServiceItem,
): Promise<ServiceImport> {
  const name = user?.name ?? systemActor.user;
  const creator = { name, userId: user?.id, grantor: { grantorId: user?.id ?? null, rooted: 0 } };
  const importTag = ['original'];
  const newItem = await prepareItem(parts, creator, {
    externalIds: [],
    metadata,
    expected: { container: 1 },
    tags: importTag,
    settings,
  });
  const job = newImport(type, {
    ...wish,
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
