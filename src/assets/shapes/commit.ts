import type { Call } from '../../http/call.ts';
import type { Statement, Work } from '../../store/contract.ts';
import { unlockedFor } from '../items/lock/rules.ts';
import { itemMustExist } from '../items/store.ts';
import { prepareMetadata, systemChange } from '../metadata/write.ts';
import type { AssetParts } from '../parts.ts';
import type { Shape } from './load.ts';
import { itemGone } from './places.ts';
import { itemFits } from './rules.ts';
import { type SystemFields, tagsAfter, tagsOf } from './system-fields.ts';

interface ShapeCommit {
  /** What else the metadata of the item says from then on. */
  readonly fields?: SystemFields;
  /** The item has more of something. */
  readonly grows?: boolean;
}

/**
 * Commits what a request changes of the shapes of one item, and what the metadata of the item says of them. Call it
 * within `retryWhenChanged`. `shapes`: those that the item had.
 */
export async function commitShapes(
  parts: AssetParts,
  call: Call,
  itemId: string,
  shapes: readonly Shape[],
  work: Work,
  { fields = {}, grows = false }: ShapeCommit = {},
): Promise<void> {
  const before = tagsOf(shapes);
  const after = tagsAfter(shapes, itemId, work.events);
  const isSame = before.length === after.length && before.every((tag) => after.includes(tag));
  const told = { ...fields, ...(!isSame && { shapeTag: after }) };
  const metadata =
    Object.keys(told).length === 0
      ? { changes: [], events: [], touches: [] }
      : await prepareMetadata(parts, { kind: 'item', id: itemId }, [systemChange(told)]);
  const limits = grows ? itemFits(itemId, parts.settings) : [];
  await parts.commit(
    {
      changes: [...itemChangeable(parts, call, itemId), ...work.changes, ...metadata.changes, ...limits],
      events: [...work.events, ...metadata.events],
      touches: [...(work.touches ?? []), ...(metadata.touches ?? [])],
    },
    call,
  );
}

/** The item is there, and nobody else has locked it. */
export const itemChangeable = ({ clock }: Pick<AssetParts, 'clock'>, call: Call, id: string): readonly Statement[] => [
  itemMustExist(id, itemGone(id)),
  unlockedFor(call, id, clock.now()),
];
