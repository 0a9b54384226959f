import type { Reader } from '../../../core/store/statement.ts';
import type { ViewerFor } from '../../access/public-reading.ts';
import type { OwnerKind } from '../store.ts';
import type { TransientValue } from '../view/document.ts';
import { collectionFamily, itemCollections } from './collections.ts';
import { shapeFields } from './shapes.ts';

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
