import { collectionsFrom } from '../../index/numbers.ts';
import { type ClosedIn, type Condition, closedShapeWhere, closedWhere } from '../../viewer.ts';
import type { SearchKind } from '../ast.ts';
import { around, joined, never } from './fragment.ts';

/** Condition: the part is closed in the entity. `number`: SQL of its number in the index. */
export function closedAt(places: ClosedIn, number: string, level: SearchKind): Condition {
  if (level === 'item') return closedWhere(places, 'item', 'serial', number);
  if (level === 'collection') return closedWhere(places, 'collection', 'serial', `${number} - ${collectionsFrom}`);
  if (level !== 'both') return never;
  return joined(
    [
      around(`(${number} < ${collectionsFrom} AND @)`, closedAt(places, number, 'item')),
      around(`(${number} >= ${collectionsFrom} AND @)`, closedAt(places, number, 'collection')),
    ],
    'OR',
  );
}

/** Condition: the part is open. Undefined places: no condition. */
export const openAt = (places: ClosedIn | undefined, number: string, level: SearchKind): readonly Condition[] =>
  places === undefined ? [] : [around('NOT @', closedAt(places, number, level))];

/** Condition: the shape is open to the caller. `ranks` undefined: all are. `id`, `itemId`: SQL. */
export const openShape = (ranks: string | undefined, id: string, itemId: string): readonly Condition[] =>
  ranks === undefined ? [] : [around('NOT @', closedShapeWhere(ranks, id, itemId))];
