import { groupBy } from '../../core/lib/group-by.ts';
import { nearRows, pageReader, type Reader } from '../../core/store/statement.ts';
import { readableAmong } from '../access/public.ts';
import type { ViewerFor } from '../access/public-reading.ts';
import { countsOfOwners } from './attachments/store.ts';
import {
  collectionsAbove,
  countsFor,
  countsOf,
  directParents,
  filesOfItems,
  groupsOfStorages,
  mappedAmong,
  shapesOfItems,
  tagsOfShapes,
} from './computed-sql.ts';
import type { OwnerKind } from './store.ts';
import type { TransientValue } from './view/document.ts';

type Values = readonly (readonly [field: string, value: string])[];

/** Parent collections of entities as computed fields, as far as the viewer may read them: direct ones and all above. */
async function parentsIn(
  reader: Reader,
  type: 'item' | 'collection',
  ids: readonly string[],
  seenBy: ViewerFor,
): Promise<Map<string, Values>> {
  const pageValues = { type, ids };
  const above = await nearRows(reader, collectionsAbove, pageValues);
  const viewer = above.length === 0 ? undefined : await seenBy();
  const all = [...new Set(above.map(({ id }) => id))];
  const seen = viewer && (await readableAmong(reader, viewer, 'collection', all));
  const isSeen = ({ id }: { readonly id: string }) => !seen || seen.has(id);
  const [parents, ancestors] = [
    (await nearRows(reader, directParents, pageValues)).filter(isSeen),
    above.filter(isSeen),
  ];
  const direct = type === 'item' ? '__collection' : '__parent_collection';
  const fieldsOf = (name: string, rows: readonly { root: string; id: string }[], root: string): Values => {
    const ownRows = rows.filter((row) => row.root === root);
    return [[`${name}_size`, String(ownRows.length)], ...ownRows.map(({ id }) => [name, id] as const)];
  };
  return new Map(
    ids.map((id) => [id, [...fieldsOf(direct, parents, id), ...fieldsOf('__ancestor_collection', ancestors, id)]]),
  );
}

/** Computed fields for the collections of an item. */
const itemCollections = {
  kind: 'item',
  names: ['__collection*', '__ancestor_collection*', '__sequence_size'],
  async read(reader: Reader, ids: readonly string[], seenBy: ViewerFor): Promise<ReadonlyMap<string, Values>> {
    const fields = await parentsIn(reader, 'item', ids, seenBy);
    const counts = await countsOfOwners(pageReader(reader, ids.length), { type: 'item', kind: 'sequence', ids });
    const sequences = new Map(counts.map(({ id, count }) => [id, String(count)]));
    return new Map(
      ids.map((id) => [id, [...(fields.get(id) ?? []), ['__sequence_size', sequences.get(id) ?? '0'] as const]]),
    );
  },
} as const;

/** Computed fields for parents, children and sizes of a collection. */
const collectionFamily = {
  kind: 'collection',
  names: [
    '__parent_collection*',
    '__ancestor_collection*',
    '__child_collection_size',
    '__items_size',
    '__folder_mapped',
  ],
  async read(reader: Reader, ids: readonly string[], seenBy: ViewerFor): Promise<ReadonlyMap<string, Values>> {
    const fields = await parentsIn(reader, 'collection', ids, seenBy);
    const idValues = { ids };
    const whole = await countsOf(pageReader(reader, ids.length), idValues);
    const viewer = whole.some(({ items, collections }) => items + collections > 0) ? await seenBy() : undefined;
    const shownCounts = viewer ? await countsFor(reader, viewer, ids) : whole;
    const counts = new Map(shownCounts.map((row) => [row.id, row]));
    const mapped = new Set((await mappedAmong(pageReader(reader, ids.length), idValues)).map(({ id }) => id));
    return new Map(
      ids.map((id) => {
        const { items = 0, collections = 0 } = counts.get(id) ?? {};
        const own: Values = [
          ['__child_collection_size', String(collections)],
          ['__items_size', String(items)],
          ['__folder_mapped', String(mapped.has(id))],
        ];
        return [id, [...(fields.get(id) ?? []), ...own]];
      }),
    );
  },
} as const;

type Shape = Awaited<ReturnType<typeof shapesOfItems>>[number] & { readonly tags: readonly string[] };
type FileOf = Awaited<ReturnType<typeof filesOfItems>>[number];

/** Computed fields for shapes and files of an item. */
const shapeFields = {
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
    const rows = await nearRows(reader, filesOfItems, { ids });
    const files = groupBy(rows, ({ itemId }) => itemId);
    const storages = [...new Set(rows.map(({ storageId }) => storageId))];
    const groupRows =
      storages.length === 0 ? [] : await groupsOfStorages(pageReader(reader, storages.length), { ids: storages });
    const groups = groupBy(groupRows, ({ storageId }) => storageId);
    const groupsOf = (storage: string) => (groups.get(storage) ?? []).map(({ group }) => group);
    return new Map(ids.map((id) => [id, valuesOf(shapes.get(id) ?? [], files.get(id) ?? [], groupsOf)]));
  },
} as const;

async function shapesWithTags(reader: Reader, items: readonly string[]): Promise<readonly Shape[]> {
  const rows = await nearRows(reader, shapesOfItems, { ids: items });
  if (rows.length === 0) return [];
  const ofShapes = { ids: rows.map(({ id }) => id) };
  const tags = groupBy(await nearRows(reader, tagsOfShapes, ofShapes), ({ shapeId }) => shapeId);
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
  const hash = ofShapes.find(({ shapeId, hash: fileHash }) => shapeId === ids.at(-1) && fileHash !== null)?.hash;
  const storages = [...new Set(ofShapes.map(({ storageId }) => storageId))];
  return [
    ...(hash ? [[`__shapetag_${tag}_hash`, hash] as const] : []),
    ...storages.map((id): TransientValue => [`__storage_${tag}`, id]),
    ...(storages.length > 0 ? [[`__storage_${tag}_size`, String(storages.length)] as const] : []),
  ];
}

/** Provider of values computed on reading. They are not stored, and answers to changes leave them out. */
interface TransientFields {
  /** Kind of entity with these fields. */
  readonly kind: OwnerKind;
  /** Names of the fields, with `*` as a wildcard. */
  readonly names: readonly string[];
  /** Computed values by id. Fields with several values occur several times. Undefined viewer: the service itself. */
  read(
    reader: Reader,
    ids: readonly string[],
    viewerFor: ViewerFor,
  ): Promise<ReadonlyMap<string, readonly TransientValue[]>>;
}

/** All providers, in any order: `order` sorts the answers. */
const transientFields: readonly TransientFields[] = [itemCollections, collectionFamily, shapeFields];

/** Order of fields in answers, on which clients rely. */
const order = [
  '__user',
  '__metadata_last_modified',
  ...shapeFields.names,
  '__sequence_size',
  '__parent_collection_size',
  '__parent_collection',
  '__child_collection_size',
  '__items_size',
  '__collection_size',
  '__collection',
  '__ancestor_collection_size',
  '__ancestor_collection',
  '__folder_mapped',
];
const exact = new Map(order.map((name, index) => [name, index]));
const patterns = order.filter((name) => name.includes('*'));

const placeOf = (name: string): number =>
  exact.get(name) ?? exact.get(patterns.find((pattern) => fits(pattern, name)) ?? '') ?? order.length;

function fits(pattern: string, name: string): boolean {
  const [head, tail] = pattern.split('*');
  return tail === undefined ? pattern === name : name.startsWith(head!) && name.endsWith(tail);
}

/** Stable sort: values of one field keep their order. */
export const inOrder = (values: readonly TransientValue[]): readonly TransientValue[] =>
  values.toSorted(([a], [b]) => placeOf(a) - placeOf(b));

/** Computed values of entities of one kind. `only`: names of requested fields. */
export async function readTransient(
  reader: Reader,
  kind: OwnerKind,
  ids: readonly string[],
  only: ReadonlySet<string> | undefined,
  viewer: ViewerFor,
): Promise<ReadonlyMap<string, readonly TransientValue[]>> {
  const values = new Map<string, TransientValue[]>(ids.map((id) => [id, []]));
  for (const provider of transientFields) {
    if (provider.kind !== kind || !isWanted(provider, only)) continue;
    for (const [id, more] of await provider.read(reader, ids, viewer)) values.get(id)?.push(...more);
  }
  return values;
}

const isWanted = ({ names }: TransientFields, only: ReadonlySet<string> | undefined): boolean =>
  only === undefined || names.some((pattern) => [...only].some((name) => fits(pattern, name)));
