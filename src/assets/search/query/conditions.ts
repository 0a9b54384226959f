import type { SqlValue } from '../../../core/store/contract.ts';
import { type ClosedIn, type Condition, closedShapeWhere, closedWhere } from '../../access/public-reading.ts';
import { collectionsFrom } from '../index/keys.ts';
import type { Level } from './ast.ts';

/** SQL fragments with question marks, and their values in order. */

export const fragment = (text: string, ...values: readonly SqlValue[]): Condition => ({ text, values });

export const always = fragment('1');
export const never = fragment('0');

export function joined(conditions: readonly Condition[], word: 'AND' | 'OR'): Condition {
  if (conditions.length === 0) return word === 'AND' ? always : never;
  if (conditions.length === 1) return conditions[0]!;
  return {
    text: `(${conditions.map(({ text }) => text).join(` ${word} `)})`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** Joins terms with an operator, such as those of a sum. */
export const joinedBy = (terms: readonly Condition[], sign: string): Condition => ({
  text: `(${terms.map(({ text }) => text).join(sign)})`,
  values: terms.flatMap(({ values }) => values),
});

/** Inserts a condition in place of `@`. */
export const around = (text: string, inner: Condition, ...before: readonly SqlValue[]): Condition => ({
  text: text.replace('@', () => inner.text),
  values: [...before, ...inner.values],
});

/** Condition: the part is closed in the entity. `number`: SQL of its number in the index. */
export function closedAt(places: ClosedIn, number: string, level: Level): Condition {
  if (level === 'item') return closedWhere(places, 'item', number);
  if (level === 'collection') return closedWhere(places, 'collection', `${number} - ${collectionsFrom}`);
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
export const openAt = (places: ClosedIn | undefined, number: string, level: Level): readonly Condition[] =>
  places === undefined ? [] : [around('NOT @', closedAt(places, number, level))];

/** Condition: the shape is open to the caller. `ranks` undefined: all are. `id`, `itemId`: SQL. */
export const openShape = (ranks: string | undefined, id: string, itemId: string): readonly Condition[] =>
  ranks === undefined ? [] : [around('NOT @', closedShapeWhere(ranks, id, itemId))];
