import { nothing } from '../../core/store/commit-plan.ts';
import type { Caller } from '../../security/caller.ts';
import type { MetadataContext } from '../metadata/public.ts';
import { adoptFiles } from './adopt.ts';
import { mustHaveShapes, mustHaveTags } from './allowed.ts';
import { commitShapes } from './commit.ts';
import { deleteShapes, newShape, type RetainedFiles, type ShapeWish } from './create.ts';
import type { ShapeFrom } from './documents/from-rows.ts';
import { fieldsFollowing, originalOf } from './essence.ts';
import { latestOf, loadShapes, type Shape } from './load.ts';
import { inTurnOfItem } from './places.ts';
import { original, takeOriginal } from './rules.ts';
import type { SystemFields } from './system-fields.ts';
import { checkTagName } from './tags/rules.ts';

/** Creates a shape of the latest version, and returns its id. The first shape of an item becomes the original. */
export const createShape = (
  parts: MetadataContext,
  call: Caller,
  itemId: string,
  from: Pick<ShapeFrom, 'tags'> & Partial<ShapeFrom> & Pick<ShapeWish, 'expected'>,
  fields: SystemFields = {},
): Promise<string> =>
  inTurnOfItem(parts, itemId, async () => {
    const { store } = parts;
    const shapes = await loadShapes(store, itemId);
    const essenceVersion = latestOf(shapes) ?? 0;
    const tags = from.tags.length === 0 && shapes.length === 0 ? [original] : from.tags;
    tags.forEach(checkTagName);
    await mustHaveTags(store, call, itemId, tags);
    const wished = from.components ?? [];
    const adopted = await adoptFiles(
      store,
      call,
      wished.flatMap(({ files }) => files),
      '/ShapeDocument/file/id',
      false,
    );
    const components = wished.map((each) => ({ ...each, files: each.files.map((file) => adopted.ids.get(file)!) }));
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
