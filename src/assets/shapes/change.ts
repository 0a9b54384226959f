import type { Call } from '../../http/call.ts';
import { retryWhenChanged } from '../../lib/retry-when-changed.ts';
import { plainView } from '../../media/files/view.ts';
import type { Work } from '../../store/contract.ts';
import { mustHave } from '../access/access.ts';
import { itemName as guarded } from '../items/kinds.ts';
import { metadataOf, storedView, terseOf } from '../metadata/read.ts';
import type { AssetParts } from '../parts.ts';
import { requireTags } from '../shape-tags/known.ts';
import { adoptFiles } from './adopt.ts';
import { mustHaveShapes } from './allowed.ts';
import { commitShapes } from './commit.ts';
import { deleteShapes, type KeptFiles, newShape, type ShapeWish } from './create.ts';
import { type ShapeFrom, shapeDocuments } from './documents.ts';
import { latestOf, loadShapes, type Shape } from './load.ts';
import { itemFor } from './places.ts';
import { original, takeOriginal } from './rules.ts';
import { essenceFields, fieldsWithout, type SystemFields } from './system-fields.ts';

/** A shape of the latest version. The first one of an item is its original. Gives its id. */
export const createShape = (
  parts: AssetParts,
  call: Call,
  itemName: string,
  from: Pick<ShapeFrom, 'tags'> & Partial<ShapeFrom> & Pick<ShapeWish, 'expected'>,
  fields: SystemFields = {},
): Promise<string> =>
  retryWhenChanged(async () => {
    const { store } = parts;
    const { id: itemId } = await itemFor(store, call, itemName, 'WRITE');
    const shapes = await loadShapes(store, itemId);
    const essenceVersion = latestOf(shapes) ?? 0;
    const tags = from.tags.length === 0 && shapes.length === 0 ? [original] : from.tags;
    await mustHave(store, call, guarded, { id: itemId }, 'WRITE', { type: 'SHAPE', extradata: tags });
    const known = await requireTags(store, tags);
    const wished = from.components ?? [];
    const adopted = await adoptFiles(
      store,
      wished.flatMap(({ files }) => files),
      '/ShapeDocument/file/id',
      false,
    );
    const components = wished.map((each) => ({ ...each, files: each.files.map((file) => adopted.ids.get(file)!) }));
    const made = await newShape(parts, { ...from, itemId, essenceVersion, tags, components });
    const taken = tags.includes(original) ? takeOriginal(shapes, { id: made.id, itemId, essenceVersion }) : nothing;
    const work = {
      changes: [...known, ...adopted.guards, ...taken.changes, ...made.changes],
      events: [...made.events, ...taken.events],
    };
    await commitShapes(parts, call, itemId, shapes, work, { fields, grows: true });
    return made.id;
  });

const nothing: Work = { changes: [], events: [] };

interface Removal {
  readonly keepFiles: boolean;
  /** What the metadata of the item says of the shapes goes, too. */
  readonly updateMetadata?: boolean;
}

/** Deletes the shapes of an item that a request means. Gives those that remain. */
export const removeShapes = (
  parts: AssetParts,
  call: Call,
  itemName: string,
  chosen: (shapes: readonly Shape[]) => readonly Shape[],
  { keepFiles, updateMetadata = false }: Removal,
): Promise<readonly Shape[]> =>
  retryWhenChanged(async () => {
    const { id: itemId } = await itemFor(parts.store, call, itemName, 'WRITE');
    const shapes = await loadShapes(parts.store, itemId);
    const going = chosen(shapes);
    await mustHaveShapes(parts.store, call, going, 'WRITE');
    const keep: KeptFiles = keepFiles ? { tags: ['*'] } : {};
    const work = await deleteShapes(parts, going, keep);
    const fields = updateMetadata ? await fieldsOf(parts, itemId, going) : {};
    if (going.length > 0) await commitShapes(parts, call, itemId, shapes, work, { fields });
    return shapes.filter((shape) => !going.includes(shape));
  });

/** The fields that say what one of the shapes is. */
async function fieldsOf({ store }: AssetParts, itemId: string, going: readonly Shape[]): Promise<SystemFields> {
  const documents = await shapeDocuments(store, going, { includePlaceholder: false, files: plainView });
  const metadata = await metadataOf(store, [{ kind: 'item', id: itemId }], storedView);
  const terse = Object.entries(terseOf(metadata.get(itemId) ?? {}));
  const now = new Map(terse.map(([name, values]) => [name, values.map(({ value }) => value)]));
  return Object.assign({}, ...documents.map((document) => fieldsWithout(essenceFields(document), now)));
}
