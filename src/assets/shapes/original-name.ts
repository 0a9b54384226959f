import type { Reader } from '../../core/store/statement.ts';
import { keyValuesOf } from '../../room/entities/key-values/store.ts';
import type { Caller } from '../../security/caller.ts';
import { type FileRow, usesOf } from '../../storage/public-reading.ts';
import { askerOf } from '../definitions/public-reading.ts';
import { type MetadataView, metadataOf, storedView, terseOf } from '../metadata/public.ts';
import { shapesToRead } from './allowed.ts';
import { loadShapes, type Shape } from './load.ts';

const field = 'originalFilename';

/** A file of a shape. */
interface NamedFile {
  readonly itemId: string;
  readonly shape: Shape;
  readonly component: { readonly id: string };
  readonly row: Pick<FileRow, 'path'>;
}

const onlyName: MetadataView = {
  ...storedView,
  fields: { only: new Map([[field, field]]), except: new Set(), deep: new Set() },
};

const keyOf = async (reader: Reader, owner: string, id: string): Promise<string | undefined> =>
  (await keyValuesOf(reader, owner, [id])).get(id)?.find(({ key }) => key === field)?.value;

/** The name that a shape or its original had when it came. A shape that the service made has only that of its file. */
async function nameByShapes(
  reader: Reader,
  call: Caller,
  { itemId, shape, row }: Omit<NamedFile, 'component'>,
): Promise<string | undefined> {
  const own = await keyOf(reader, 'shape', shape.id);
  if (own !== undefined && own !== row.path.split('/').at(-1)) return own;
  const original = (await shapesToRead(reader, call, await loadShapes(reader, itemId))).find(
    ({ essenceVersion, tags }) => essenceVersion === shape.essenceVersion && tags.includes('original'),
  );
  return original && keyOf(reader, 'shape', original.id);
}

/** The original name of a file by its first shape. Undefined: it has none that the caller may read. */
export async function originalNameOfFile(
  reader: Reader,
  call: Caller,
  row: Pick<FileRow, 'id' | 'path'>,
): Promise<string | undefined> {
  const [use] = await usesOf(reader, { ids: [row.id] });
  if (!use) return undefined;
  const { itemId, shapeId } = use;
  const shapes = (await loadShapes(reader, itemId)).filter(({ id }) => id === shapeId);
  const [shape] = await shapesToRead(reader, call, shapes);
  return shape && nameByShapes(reader, call, { itemId, shape, row });
}

/**
 * The name that the media had when it came, as far as the caller may know it: the shape knows it best, then the original
 * shape, then the item.
 */
export async function originalNameOf(
  reader: Reader,
  call: Caller,
  { itemId, shape, component, row }: NamedFile,
  ofComponents = false,
): Promise<string | undefined> {
  const ofComponent = ofComponents ? await keyOf(reader, 'component', component.id) : undefined;
  const ofMedia = ofComponent ?? (await nameByShapes(reader, call, { itemId, shape, row }));
  if (ofMedia !== undefined) return ofMedia;
  const by = { asker: await askerOf(call) };
  const metadata = (await metadataOf(reader, [{ kind: 'item', id: itemId }], onlyName, by)).get(itemId);
  return metadata && terseOf(metadata).get(field)?.[0]?.value;
}
