import { askerOf } from '../definitions/public-reading.ts';
import { keyValuesOf } from '../entities/key-values/store.ts';
import type { FileRow } from '../media/public-reading.ts';
import { type MetadataView, metadataOf, storedView, terseOf } from '../metadata/public.ts';
import type { Caller } from '../security/caller.ts';
import type { Reader } from '../store/statement.ts';
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

/**
 * The name that the media had when it came, as far as the caller may know it: the shape knows it best, then the original
 * shape, then the item. A shape that the service made has only the name of its file.
 */
export async function originalNameOf(
  reader: Reader,
  call: Caller,
  { itemId, shape, component, row }: NamedFile,
  ofComponents = false,
): Promise<string | undefined> {
  const keyOf = async (owner: string, id: string) =>
    (await keyValuesOf(reader, owner, [id])).get(id)?.find(({ key }) => key === field)?.value;
  const ofComponent = ofComponents ? await keyOf('component', component.id) : undefined;
  if (ofComponent !== undefined) return ofComponent;
  const ofShape = await keyOf('shape', shape.id);
  if (ofShape !== undefined && ofShape !== row.path.split('/').at(-1)) return ofShape;
  const original = (await shapesToRead(reader, call, await loadShapes(reader, itemId))).find(
    ({ essenceVersion, tags }) => essenceVersion === shape.essenceVersion && tags.includes('original'),
  );
  const ofOriginal = original && (await keyOf('shape', original.id));
  if (ofOriginal !== undefined) return ofOriginal;
  const by = { asker: await askerOf(call) };
  const metadata = (await metadataOf(reader, [{ kind: 'item', id: itemId }], onlyName, by)).get(itemId);
  return (metadata && terseOf(metadata).get(field)?.[0]?.value) ?? ofShape;
}
