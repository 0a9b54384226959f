import { mayWrite } from '../../../assets/access/public.ts';
import { itemName } from '../../../assets/items/contract/entities.ts';
import { itemFor, loadShapes, mustHaveShapes, mustHaveTags } from '../../../assets/shapes/public.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { RestartedJob } from '../../../room/jobs/job-type.ts';
import type { Caller } from '../../../security/caller.ts';
import { sourcesOf } from '../outputs/prepare.ts';
import { replaceable } from '../outputs/shapes.ts';
import type { TranscodingParts } from '../parts.ts';
import { type TranscodeMemo, type TranscodeWish, tagsGiven, wishOf } from '../wish.ts';

/** Refuses callers who may not read the sources, or not write the shapes that the job makes and replaces. */
export async function orderBy(
  parts: TranscodingParts,
  caller: Caller,
  wish: TranscodeWish,
): Promise<readonly Statement[]> {
  const { store } = parts;
  const { itemId, destination, tags, original } = wish;
  const shapes = await loadShapes(store, itemId);
  const sources = await sourcesOf(parts, wish, shapes);
  await mustHaveShapes(store, caller, sources, 'READ');
  // The shape that loses `original` may be of an earlier version: `replaceable` asks for it.
  if (tags.length > 0) await mustHaveTags(store, caller, destination, tagsGiven(tags, original), []);
  return tags.length === 0 ? [] : replaceable(parts, caller, wish, shapes);
}

/** Refuses callers who start the job again without the rights of the routes. `makesShapes`: false if the tags only have sizes. */
export async function orderAgain(
  parts: TranscodingParts,
  { memo, caller }: Pick<RestartedJob<TranscodeMemo>, 'memo' | 'caller'>,
  makesShapes: boolean,
) {
  const { itemId, destination } = memo;
  await itemFor(parts.store, caller, itemId, 'WRITE');
  if (destination !== undefined) await mayWrite(parts.store, caller, itemName, { id: destination });
  const wish = wishOf(memo);
  return changing(...(await orderBy(parts, caller, makesShapes ? wish : { ...wish, tags: [] })));
}
