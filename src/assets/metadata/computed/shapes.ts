import { groupBy } from '../../../core/lib/group-by.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { TransientValue } from '../view/document.ts';
import { filesOfItems, groupsOfStorages, shapesOfItems, tagsOfShapes } from './store.ts';

type Shape = Awaited<ReturnType<typeof shapesOfItems>>[number] & { readonly tags: readonly string[] };
type FileOf = Awaited<ReturnType<typeof filesOfItems>>[number];

/** Computed fields for shapes and files of an item. */
export const shapeFields = {
  kind: 'item',
  names: [
    '__placeholder_shape_size',
    '__shape_size',
    '__shape',
    '__version_count',
    '__version',
    '__shapetag_*_hash',
    '__shape_last_added',
    '__storage_*',
    '__storage_size',
    '__storage',
    '__storagegroup_size',
  ],
  async read(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, readonly TransientValue[]>> {
    const shapes = groupBy(await shapesWithTags(reader, ids), ({ itemId }) => itemId);
    const rows = await filesOfItems(reader, { ids });
    const files = groupBy(rows, ({ itemId }) => itemId);
    const storages = JSON.stringify([...new Set(rows.map(({ storageId }) => storageId))]);
    const groups = groupBy(await groupsOfStorages(reader, { ids: storages }), ({ storageId }) => storageId);
    const groupsOf = (storage: string) => (groups.get(storage) ?? []).map(({ group }) => group);
    return new Map(ids.map((id) => [id, valuesOf(shapes.get(id) ?? [], files.get(id) ?? [], groupsOf)]));
  },
} as const;

async function shapesWithTags(reader: Reader, items: readonly string[]): Promise<readonly Shape[]> {
  const rows = await shapesOfItems(reader, { ids: items });
  if (rows.length === 0) return [];
  const ofShapes = { ids: rows.map(({ id }) => id) };
  const tags = groupBy(await tagsOfShapes(reader, ofShapes), ({ shapeId }) => shapeId);
  return rows.map((row) => ({ ...row, tags: (tags.get(row.id) ?? []).map(({ tag }) => tag) }));
}

function valuesOf(
  shapes: readonly Shape[],
  files: readonly FileOf[],
  groupsOf: (storage: string) => readonly string[],
): readonly TransientValue[] {
  const byAge = shapes.toSorted((one, other) => one.serial - other.serial);
  const versions = [...new Set(shapes.map(({ essenceVersion }) => essenceVersion))];
  const storages = [...new Set(files.map(({ storageId }) => storageId))];
  const last = byAge.at(-1);
  return [
    ['__placeholder_shape_size', String(shapes.filter(({ placeholder }) => placeholder === 1).length)],
    ['__shape_size', String(shapes.length)],
    ...byAge.map(({ id }): TransientValue => ['__shape', id]),
    ['__version_count', String(versions.length)],
    ...versions.map((version): TransientValue => ['__version', String(version)]),
    ...(last ? [['__shape_last_added', last.id] as const] : []),
    ...[...new Set(shapes.flatMap(({ tags }) => tags))].flatMap((tag) => ofTag(tag, byAge, files)),
    ['__storage_size', String(storages.length)],
    ...storages.map((id): TransientValue => ['__storage', id]),
    ['__storagegroup_size', String(new Set(storages.flatMap(groupsOf)).size)],
  ];
}

/** Computed fields of a tag. The hash is that of the newest shape. */
function ofTag(tag: string, shapes: readonly Shape[], files: readonly FileOf[]): readonly TransientValue[] {
  const ids = shapes.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id);
  const ofShapes = files.filter(({ shapeId }) => ids.includes(shapeId));
  const hash = ofShapes.find(({ shapeId, hash: found }) => shapeId === ids.at(-1) && found !== null)?.hash;
  const storages = [...new Set(ofShapes.map(({ storageId }) => storageId))];
  return [
    ...(hash ? [[`__shapetag_${tag}_hash`, hash] as const] : []),
    ...storages.map((id): TransientValue => [`__storage_${tag}`, id]),
    ...(storages.length > 0 ? [[`__storage_${tag}_size`, String(storages.length)] as const] : []),
  ];
}
