import { itemMustExist } from '../../../assets/items/contract/store.ts';
import { creatorOf, prepareItem } from '../../../assets/items/public.ts';
import { itemFor, itemGone, mustHaveTags, requireTags } from '../../../assets/shapes/public.ts';
import { mediaOfItem, mustAllBeUsable } from '../../../assets/usage/public.ts';
import { badValue } from '../../../core/documents/error.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../../core/store/contract.ts';
import { badParameter, list, type QueryOf, text } from '../../../http/parameters/index.ts';
import { replaceableOf, requirePresets, type TranscodingParts } from '../../../production/transcoding/public.ts';
import type { NewJob } from '../../../room/jobs/contract.ts';
import type { MemoInput } from '../../../room/jobs/memo.ts';
import { jobParameters } from '../../../room/jobs/parameters.ts';
import { type Caller, subjectOf } from '../../../security/caller.ts';
import type { SequenceRenderRequest } from './documents.ts';
import { type conformJob, renderJob } from './render-job.ts';

/** Parameters of every rendering. */
export const renderParameters = {
  tag: list(text('Shape tags: the job creates a shape for each')),
  original: text('Tag whose shape becomes the original'),
  destinationItem: text('The item that gets the shapes'),
  resourceId: text('Transcoder, stored in the data of the job'),
  ...jobParameters,
};
type Query = QueryOf<typeof renderParameters>;

/** Tags of the call, each once. Throws a refusal if the rendering cannot make their shapes. */
export async function tagsToRender(
  parts: TranscodingParts,
  { tag = [], original }: Pick<Query, 'tag' | 'original'>,
): Promise<readonly string[]> {
  const tags = [...new Set(tag)];
  if (tags.length === 0) throw badParameter('tag', 'Expected a shape tag');
  if (original !== undefined && !tags.includes(original)) {
    throw badParameter('original', 'Expected one of the values of tag', original);
  }
  await requirePresets(parts, tags);
  return tags;
}

/** Item that gets the shapes, with the work that makes it or expects it. */
interface RenderDestination {
  readonly id: string;
  readonly begins: CommitPlan;
}

/** Item named by the caller. 403 if the caller lacks WRITE on it, or on shapes with these tags. */
export async function destinationNamed(
  { store }: Pick<TranscodingParts, 'store'>,
  caller: Caller,
  name: string,
  tags: readonly string[],
): Promise<RenderDestination> {
  const { id } = await itemFor(store, caller, name, 'WRITE');
  await mustHaveTags(store, caller, id, tags);
  return { id, begins: changing(itemMustExist(id, itemGone(id))) };
}

/** A new item, for callers who may import. `metadata`: what the caller says of it. */
export async function newItem(
  parts: TranscodingParts,
  caller: Caller,
  metadata: SequenceRenderRequest['metadata'],
): Promise<RenderDestination> {
  if (!(await subjectOf(caller).has('_import'))) {
    const explanation = 'Expected the parameter destinationItem, or the role _import for a new item';
    throw new ServiceError('role-missing', { context: 'role', id: '_import', explanation });
  }
  const created = await prepareItem(parts, await creatorOf(caller), { externalIds: [], metadata, tags: [] });
  return { id: created.id, begins: created };
}

/** Refuses metadata beside an item that is there. */
export function expectNoMetadata(document: string, metadata: unknown, destinationItem: string | undefined): void {
  if (!metadata || destinationItem === undefined) return;
  throw badValue(`/${document}/metadata`, 'no metadata beside destinationItem: it is that of a new item', 'metadata');
}

/** Order of the job, with the commit plan beside it. */
export async function renderOrder(
  parts: TranscodingParts,
  caller: Caller,
  { id, begins }: RenderDestination,
  { tags, from, ...memo }: RenderOrder,
  description: typeof renderJob | typeof conformJob = renderJob,
): Promise<readonly [job: NewJob<RenderFields>, before: CommitPlan]> {
  const items = memo.plan.parts.flatMap(({ item }) => (item === undefined || item === id ? [] : [item]));
  // The job asks for the shapes of the items, which it chooses.
  await mustAllBeUsable(parts.store, caller, [...new Set(items)].map(mediaOfItem), parts.clock.now());
  const tagGuards = await requireTags(parts.store, tags);
  const free = from === undefined ? [] : await replaceableOf(parts, caller, id, { tags, from });
  const job = { job: description, memo: { ...memo, from, itemId: id, tags } };
  return [job, together(begins, changing(...tagGuards, ...free))];
}

type RenderFields = typeof renderJob.memo;
type RenderOrder = Omit<MemoInput<RenderFields>, 'itemId' | 'tags'> & { readonly tags: readonly string[] };
