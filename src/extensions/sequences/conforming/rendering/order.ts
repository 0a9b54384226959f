import { itemMustExist } from '../../../../assets/items/store.ts';
import { requireTags } from '../../../../assets/shape-tags/known.ts';
import { itemFor, itemGone } from '../../../../assets/shapes/places.ts';
import { badParameter, list, type QueryOf, text } from '../../../../http/parameters/index.ts';
import type { Wanted } from '../../../../jobs/contract.ts';
import type { Memo } from '../../../../jobs/job-type.ts';
import { jobParameters } from '../../../../jobs/parameters.ts';
import type { Caller } from '../../../../security/caller.ts';
import { changing, together } from '../../../../store/commit-plan.ts';
import type { CommitPlan } from '../../../../store/contract.ts';
import type { TranscodingParts } from '../../../../transcoding/parts.ts';
import { requirePresets } from '../../../../transcoding/presets/required.ts';
import type { Plan } from './plan.ts';

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
export interface Destination {
  readonly id: string;
  readonly begins: CommitPlan;
}

/** Item named by the caller. 403 if the caller lacks WRITE. */
export async function destinationNamed(
  { store }: Pick<TranscodingParts, 'store'>,
  caller: Caller,
  name: string,
): Promise<Destination> {
  const { id } = await itemFor(store, caller, name, 'WRITE');
  return { id, begins: changing(itemMustExist(id, itemGone(id))) };
}

/** Order of the job, with the commit plan beside it. `more`: what the memo has beside the plan and the tags. */
export async function renderOrder(
  { store }: Pick<TranscodingParts, 'store'>,
  { id, begins }: Destination,
  { tags, plan, original, more }: RenderOrder,
): Promise<readonly [order: Wanted, beside: CommitPlan]> {
  const memo = {
    ...{ itemId: id, tags: tags.join(','), plan: JSON.stringify(plan) },
    ...more,
    ...(original !== undefined && { original }),
  };
  const data = [['itemId', id] as const, ...tags.map((tag) => ['tags', tag] as const)];
  const known = await requireTags(store, tags);
  return [{ type: 'TIMELINE', data, memo }, together(begins, changing(...known))];
}

interface RenderOrder {
  readonly tags: readonly string[];
  readonly plan: Plan;
  readonly original: string | undefined;
  readonly more: Memo;
}
