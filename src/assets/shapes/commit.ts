import type { CommitPlan } from '../../core/store/contract.ts';
import type { Caller } from '../../security/caller.ts';
import { unlockedFor } from '../items/contract/lock/rules.ts';
import { type MetadataContext, prepareMetadata, systemChange } from '../metadata/public.ts';
import type { Shape } from './load.ts';
import { itemFits } from './rules.ts';
import { type SystemFields, tagsAfter, tagsOf } from './system-fields.ts';

interface ShapeCommit {
  /** Further system fields to set in the metadata of the item. */
  readonly fields?: SystemFields;
  /** True: limits of the item must be checked. */
  readonly grows?: boolean;
}

/**
 * Commits changes of the shapes of one item, with the system fields derived from them. Caller within `inTurnOfItem`,
 * in a route whose path names the item: it guards that the item exists. `shapes`: the previous ones.
 */
export async function commitShapes(
  parts: MetadataContext,
  call: Caller,
  itemId: string,
  shapes: readonly Shape[],
  work: CommitPlan,
  { fields = {}, grows = false }: ShapeCommit = {},
): Promise<void> {
  const before = tagsOf(shapes);
  const after = tagsAfter(shapes, itemId, work.events);
  const isSame = before.length === after.length && before.every((tag) => after.includes(tag));
  const systemFields = { ...fields, ...(!isSame && { shapeTag: after }) };
  const metadata =
    Object.keys(systemFields).length === 0
      ? { changes: [], events: [], touches: [] }
      : await prepareMetadata(parts, { kind: 'item', id: itemId }, [systemChange(systemFields)]);
  const limits = grows ? itemFits(itemId, parts.settings) : [];
  await call.commit({
    changes: [unlockedFor(call, itemId, parts.clock.now()), ...work.changes, ...metadata.changes, ...limits],
    events: [...work.events, ...metadata.events],
    touches: [...(work.touches ?? []), ...(metadata.touches ?? [])],
  });
}
