import { ServiceError } from '../../../core/lib/errors.ts';
import type { IndexedKind } from '../index/keys.ts';
import { indexedKinds, type Node, partsOf, type SearchKind } from './ast.ts';

/** Seconds for `retry-after`. */
const patience = '5';

/** Indexes that a search reads. */
export function indexesOf(kind: SearchKind, node: Node): readonly IndexedKind[] {
  const own = indexedKinds(kind);
  const isLinked = [...partsOf(node)].some((each) => each.is === 'linked' && each.to === 'item');
  return isLinked && !own.includes('item') ? [...own, 'item'] : own;
}

/** Maximum number of values of a field per entity. */
export type Values = 'one' | 'several';

/** State of the index for a search. */
export interface IndexState {
  /** True: some indexed metadata is timed. */
  readonly isTimed: boolean;
  /** Names of searched fields whose order contains every entity. */
  readonly ordered: ReadonlySet<string>;
  /** Fields in `ordered` that support ranges. Texts do not: their order ignores case. */
  readonly ranged: ReadonlyMap<string, Values>;
  /** Names of fields whose values are counted. */
  readonly counted: ReadonlySet<string>;
  /** Total number of entities of each kind, by counters that triggers keep. */
  readonly entities: Readonly<Record<string, number>>;
  /** True: this state was cached since the last commit. */
  readonly isCached: boolean;
  /** Indexes that still lack older entities. */
  readonly building: readonly (readonly [name: string, done: number, total: number])[];
}

/** Number of entities of a kind. */
export const entitiesOf = ({ entities }: IndexState, kind: SearchKind): number =>
  kind === 'both' ? (entities['items'] ?? 0) + (entities['collections'] ?? 0) : (entities[`${kind}s`] ?? 0);

/** Whether an index has older entities as well. */
export const isBuilt = ({ building }: IndexState, indexes: readonly IndexedKind[]): boolean =>
  !building.some(([name]) => indexes.some((each) => each === name));

/** Refuses searches until the first build of an index is complete: results would lack older entities. */
export function expectBuilt({ building }: IndexState, indexes: readonly IndexedKind[]): void {
  for (const [name, done, total] of building) {
    if (!indexes.some((each) => each === name)) continue;
    const explanation = `The index of the kind "${name}" is being built: ${done} of ${Math.max(total, done)} are in it`;
    throw new ServiceError('index-incomplete', { context: 'search', explanation }, { 'retry-after': patience });
  }
}
