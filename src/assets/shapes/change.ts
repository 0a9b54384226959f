import { nothing } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { Caller } from '../../security/caller.ts';
import { unlockedFor } from '../items/contract/item-locks.ts';
import { type MetadataContext, prepareMetadata, systemChange } from '../metadata/public.ts';
import { mustHaveShapes, mustHaveTags } from './allowed.ts';
import { deleteShapes, type NewShape, newShape, type RetainedFiles } from './create.ts';
import type { ShapeFrom } from './documents/from-rows.ts';
import { adoptFiles } from './files.ts';
import { latestOf, loadShapes, type Shape } from './load.ts';
import { inTurnOfItem } from './places.ts';
import { itemFits, losingTo, original, takeOriginal } from './rules.ts';
import { fieldsFollowing, originalOf, type SystemFields, tagsAfter, tagsOf } from './system-fields.ts';
import { checkTagName } from './tags.ts';

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

/** Creates a shape of the version or else of the latest one. The first shape of an item becomes the original. */
export const createShape = (
  parts: MetadataContext,
  call: Caller,
  itemId: string,
  from: Pick<ShapeFrom, 'tags'> &
    Partial<ShapeFrom> &
    Pick<NewShape, 'expected' | 'externalIds'> & { readonly version?: number | undefined },
  fields: SystemFields = {},
): Promise<string> =>
  inTurnOfItem(parts, itemId, async () => {
    const { store } = parts;
    const shapes = await loadShapes(store, itemId);
    const { version } = from;
    const essenceVersion = version ?? latestOf(shapes) ?? 0;
    const tags = from.tags.length === 0 && shapes.length === 0 ? [original] : from.tags;
    tags.forEach(checkTagName);
    const losing = version === undefined ? 'shape' : losingTo(shapes, { id: '', essenceVersion }, tags);
    await mustHaveTags(store, call, itemId, tags, losing);
    const requested = from.components ?? [];
    const adopted = await adoptFiles(
      store,
      call,
      requested.flatMap(({ files }) => files),
      '/ShapeDocument/file/id',
      false,
    );
    const components = requested.map((each) => ({ ...each, files: each.files.map((file) => adopted.ids.get(file)!) }));
    const shape = await newShape(parts, { ...from, itemId, essenceVersion, tags, components });
    const taken = tags.includes(original) ? takeOriginal(shapes, { id: shape.id, itemId, essenceVersion }) : nothing;
    const work = {
      changes: [...adopted.guards, ...taken.changes, ...shape.changes],
      events: [...shape.events, ...taken.events],
    };
    await commitShapes(parts, call, itemId, shapes, work, { fields, grows: true });
    return shape.id;
  });

interface Removal {
  readonly keepFiles: boolean;
  /** True: metadata that the shapes have set on the item is removed, too. */
  readonly updateMetadata?: boolean;
}

/** Deletes the selected shapes of an item. Returns the remaining ones. */
export const removeShapes = (
  parts: MetadataContext,
  call: Caller,
  itemId: string,
  chosen: (shapes: readonly Shape[]) => readonly Shape[],
  { keepFiles, updateMetadata = false }: Removal,
): Promise<readonly Shape[]> =>
  inTurnOfItem(parts, itemId, async () => {
    const shapes = await loadShapes(parts.store, itemId);
    const going = chosen(shapes);
    await mustHaveShapes(parts.store, call, going, 'WRITE');
    const keep: RetainedFiles = keepFiles ? { tags: ['*'] } : {};
    const work = await deleteShapes(parts, going, keep);
    const left = originalOf(shapes.filter((shape) => !going.includes(shape)));
    const fields = updateMetadata ? await fieldsFollowing(parts, itemId, going, left) : {};
    if (going.length > 0) await commitShapes(parts, call, itemId, shapes, work, { fields });
    return shapes.filter((shape) => !going.includes(shape));
  });
