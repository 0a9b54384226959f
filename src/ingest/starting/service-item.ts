import type { MetadataDocumentValue } from '../../assets/documents/metadata.ts';
import { prepareItem } from '../../assets/items/create.ts';
import type { Pairs } from '../../events/payloads.ts';
import { serviceOrder } from '../../jobs/contract.ts';
import type { JobOrder, JobPriority } from '../../jobs/job-type.ts';
import { together } from '../../store/commit-plan.ts';
import { type CommitPlan, systemActor } from '../../store/contract.ts';
import type { IngestParts } from '../parts.ts';
import { type ImportWish, memoFrom } from '../steps/wanted.ts';
import { dataOf, type ImportType } from './ordering.ts';

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

/** Item with its import job, without a request: by a rule or a command. */
export async function prepareServiceImport(
  parts: IngestParts,
  { type, user, wish, metadata, tags, settings, priority = 'MEDIUM', data = [], projection }: ServiceItem,
): Promise<{ readonly work: CommitPlan; readonly order: JobOrder }> {
  const name = user?.name ?? systemActor.user;
  const creator = { name, userId: user?.id, grantor: { grantorId: user?.id ?? null, rooted: 0 } };
  const importTag = ['original'];
  const made = await prepareItem(parts, creator, {
    externalIds: [],
    metadata,
    expected: { container: 1 },
    tags: importTag,
    settings,
  });
  const others = {
    createThumbnails: true,
    ...(tags.length > 0 && { tags: tags.join(',') }),
    ...(projection && { projection }),
    // A sidecar writes no field that its user may not write. Without a user, the service itself has the rights.
    ...{ askerId: user?.id ?? null, administers: user === undefined },
  };
  const asked = { ...wish, itemId: made.id, shapeId: made.shapeId!, importTag, transcodes: tags.length > 0, others };
  const wanted = { type, data: [...dataOf(asked), ...data], memo: memoFrom(asked) };
  const actor = { ...systemActor, user: name };
  const order = await serviceOrder(parts, wanted, { user: user?.name, priority, actor });
  return { work: together(made, parts.services.startJob(order)), order };
}
