import { groupBy } from '../../core/lib/group-by.ts';
import type { PreparedQuery, Reader } from '../../core/store/statement.ts';
import { readableAmong } from '../access/public.ts';
import { readableMembers, type ViewerFor } from '../access/public-reading.ts';
import {
  type CollectionRows,
  collectionRows,
  groupsOfStorages,
  type ItemFile,
  type ItemRows,
  type ItemShape,
  itemRows,
  type Parent,
} from './computed-sql.ts';
import type { OwnerKind } from './store.ts';
import type { TransientValue } from './view/document.ts';

type Values = readonly TransientValue[];

async function listsOf<T extends readonly (readonly unknown[])[]>(
  reader: Reader,
  select: PreparedQuery<Readonly<Record<string, string>>, { ids: readonly string[] }>,
  ids: readonly string[],
): Promise<T> {
  const row = (await select.first(reader, { ids }))!;
  return Object.values(row).map((text) => JSON.parse(text) as unknown[]) as unknown as T;
}

/** Starts the read of the values of an item, for `Store.ahead`. */
export const computedAhead = (reader: Reader, id: string): Promise<unknown> => listsOf(reader, itemRows, [id]);

/** Fields of parent collections, as far as the viewer may read them: direct ones and all above. */
async function parentFields(
  reader: Reader,
  direct: '__collection' | '__parent_collection',
  above: readonly Parent[],
  parents: readonly Parent[],
  seenBy: ViewerFor,
): Promise<(id: string) => Values> {
  const viewer = above.length === 0 ? undefined : await seenBy();
  const all = [...new Set(above.map(([, id]) => id))];
  const seen = viewer && (await readableAmong(reader, viewer, 'collection', all));
  const byMember = (rows: readonly Parent[]) =>
    groupBy(seen ? rows.filter(([, id]) => seen.has(id)) : rows, ([member]) => member);
  const [directOf, aboveOf] = [byMember(parents), byMember(above)];
  const fieldsOf = (name: string, rows: readonly Parent[] = []): Values => [
    [`${name}_size`, String(rows.length)],
    ...rows.map(([, id]) => [name, id] as const),
  ];
  return (id) => [...fieldsOf(direct, directOf.get(id)), ...fieldsOf('__ancestor_collection', aboveOf.get(id))];
}

/** Computed fields of an item: its shapes, files, sequences and collections. */
const itemFields = {
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
    '__sequence_size',
    '__collection*',
    '__ancestor_collection*',
  ],
  async read(reader: Reader, ids: readonly string[], seenBy: ViewerFor): Promise<ReadonlyMap<string, Values>> {
    const lists = await listsOf<ItemRows>(reader, itemRows, ids);
    const [above, parents, sequences, shapeRows, tagRows, fileRows] = lists;
    const parentsOf = await parentFields(reader, '__collection', above, parents, seenBy);
    const counts = new Map(sequences);
    const tags = groupBy(tagRows, ([shape]) => shape);
    const shapes = groupBy(
      shapeRows.map((row) => ({ row, tags: (tags.get(row[0]) ?? []).map(([, tag]) => tag) })),
      ({ row: [, item] }) => item,
    );
    const files = groupBy(fileRows, ([item]) => item);
    const storages = [...new Set(fileRows.map(([, , , storage]) => storage))];
    const groupRows = storages.length === 0 ? [] : await groupsOfStorages(reader, { ids: storages });
    const groups = groupBy(groupRows, ({ storageId }) => storageId);
    const groupsOf = (storage: string) => (groups.get(storage) ?? []).map(({ group }) => group);
    return new Map(
      ids.map((id) => [
        id,
        [
          ...valuesOf(shapes.get(id) ?? [], files.get(id) ?? [], groupsOf),
          ['__sequence_size', String(counts.get(id) ?? 0)] as const,
          ...parentsOf(id),
        ],
      ]),
    );
  },
} as const;

/** Computed fields for parents, children and sizes of a collection. */
const collectionFields = {
  kind: 'collection',
  names: [
    '__parent_collection*',
    '__child_collection_size',
    '__items_size',
    '__ancestor_collection*',
    '__folder_mapped',
  ],
  async read(reader: Reader, ids: readonly string[], seenBy: ViewerFor): Promise<ReadonlyMap<string, Values>> {
    const [above, parents, counted] = await listsOf<CollectionRows>(reader, collectionRows, ids);
    const parentsOf = await parentFields(reader, '__parent_collection', above, parents, seenBy);
    const viewer = counted.some(([, items, collections]) => items + collections > 0) ? await seenBy() : undefined;
    const shown = viewer && (await readableMembers(reader, viewer, counted));
    const rows = new Map(counted.map((row) => [row[0], row]));
    return new Map(
      ids.map((id) => {
        const [, items = 0, collections = 0, isMapped = 0] = rows.get(id) ?? [];
        const counts = shown?.get(id) ?? { items, collections };
        const own: Values = [
          ['__child_collection_size', String(counts.collections)],
          ['__items_size', String(counts.items)],
          ['__folder_mapped', String(isMapped === 1)],
        ];
        return [id, [...parentsOf(id), ...own]];
      }),
    );
  },
} as const;

interface Shape {
  readonly row: ItemShape;
  readonly tags: readonly string[];
}

function valuesOf(
  shapes: readonly Shape[],
  files: readonly ItemFile[],
  groupsOf: (storage: string) => readonly string[],
): Values {
  const byAge = shapes.toSorted(({ row: one }, { row: other }) => one[2] - other[2]);
  const versions = [...new Set(shapes.map(({ row: [, , , version] }) => version))];
  const storages = [...new Set(files.map(([, , , storage]) => storage))];
  const last = byAge.at(-1);
  return [
    ['__placeholder_shape_size', String(shapes.filter(({ row: [, , , , placeholder] }) => placeholder === 1).length)],
    ['__shape_size', String(shapes.length)],
    ...byAge.map(({ row: [id] }): TransientValue => ['__shape', id]),
    ['__version_count', String(versions.length)],
    ...versions.map((version): TransientValue => ['__version', String(version)]),
    ...(last ? [['__shape_last_added', last.row[0]] as const] : []),
    ...[...new Set(shapes.flatMap(({ tags }) => tags))].flatMap((tag) => ofTag(tag, byAge, files)),
    ['__storage_size', String(storages.length)],
    ...storages.map((id): TransientValue => ['__storage', id]),
    ['__storagegroup_size', String(new Set(storages.flatMap(groupsOf)).size)],
  ];
}

/** Computed fields of a tag. The hash is that of the newest shape. */
function ofTag(tag: string, shapes: readonly Shape[], files: readonly ItemFile[]): Values {
  const ids = shapes.filter(({ tags }) => tags.includes(tag)).map(({ row: [id] }) => id);
  const ofShapes = files.filter(([, shape]) => ids.includes(shape));
  const [, , , , hash] = ofShapes.find(([, shape, , , one]) => shape === ids.at(-1) && one !== null) ?? [];
  const storages = [...new Set(ofShapes.map(([, , , storage]) => storage))];
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
  read(reader: Reader, ids: readonly string[], viewerFor: ViewerFor): Promise<ReadonlyMap<string, Values>>;
}

const transientFields: readonly TransientFields[] = [itemFields, collectionFields];

/** Order of fields in answers, on which clients rely. */
const order = [
  '__user',
  '__metadata_last_modified',
  '__name',
  ...itemFields.names.slice(0, -2),
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

/** Stable sort: values of one field keep their order. Most values are in order already. */
export function inOrder(values: Values): Values {
  const places = values.map(([name]) => placeOf(name));
  if (places.every((place, at) => at === 0 || places[at - 1]! <= place)) return values;
  return Array.from(values.keys())
    .sort((a, b) => places[a]! - places[b]!)
    .map((at) => values[at]!);
}

/** Computed values of entities of one kind. `only`: names of requested fields. */
export async function readTransient(
  reader: Reader,
  kind: OwnerKind,
  ids: readonly string[],
  only: ReadonlySet<string> | undefined,
  viewer: ViewerFor,
): Promise<ReadonlyMap<string, Values>> {
  const provider = transientFields.find((each) => each.kind === kind && isWanted(each, only));
  return provider ? provider.read(reader, ids, viewer) : new Map();
}

const isWanted = ({ names }: TransientFields, only: ReadonlySet<string> | undefined): boolean =>
  only === undefined || names.some((pattern) => [...only].some((name) => fits(pattern, name)));
