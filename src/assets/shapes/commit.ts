import type { Call } from '../../http/call.ts';
import type { Work } from '../../store/contract.ts';
import { itemMustExist } from '../items/store.ts';
import type { AssetParts } from '../parts.ts';
import type { Shape } from './load.ts';
import { itemGone } from './places.ts';

/** Commits what a request changes of the shapes of one item. `_shapes`: those that the item had. */
export async function commitShapes(
  parts: AssetParts,
  call: Call,
  itemId: string,
  _shapes: readonly Shape[],
  work: Work,
): Promise<void> {
  await parts.commit({ ...work, changes: [itemMustExist(itemId, itemGone(itemId)), ...work.changes] }, call);
}
