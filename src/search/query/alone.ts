import { isKeyLike } from '../index/keys.ts';
import type { Condition, Viewer } from '../viewer.ts';
import type { Node } from './ast.ts';
import { fragment } from './conditions/fragment.ts';
import { type Compiling, placesIn } from './conditions/store.ts';

/** Of the text index: one column of what is not timed, and one word or key, without a star behind it. */
const oneToken = /^(g[wpk]) : "(\w+)"$/;

/** What finds all, behind FROM. */
export interface Alone extends Condition {
  /** Each entity is there once. */
  readonly isOnce: boolean;
}

/** Whose search it is, and among what it looks. */
interface Given {
  readonly viewer: Viewer;
  readonly collection?: string;
  readonly library?: string;
  readonly among?: string;
}

/**
 * What finds all, where one word or one range says it alone: then few hits are found in bounded work. Where
 * anything is timed, a word may be in the spans of entities without end that are not found.
 */
export function aloneOf(
  { viewer, collection, library, among }: Given,
  { isTimed, ranged }: Pick<Compiling, 'isTimed' | 'ranged'>,
  match: string | undefined,
  rest: readonly Node[],
): Alone | undefined {
  const isWithin = !viewer.administrator || collection !== undefined || library !== undefined || among !== undefined;
  if (isWithin || isTimed) return undefined;
  if (match !== undefined) {
    return rest.length === 0 && isOne(match)
      ? { ...fragment('search_text WHERE search_text MATCH ?', match), isOnce: true }
      : undefined;
  }
  const [only, ...others] = rest;
  if (only?.is !== 'value' || others.length > 0) return undefined;
  const { field, test } = only;
  const values = ranged.get(field.name);
  return test.is === 'between' && values !== undefined
    ? { ...placesIn(field.name, test, values), isOnce: values === 'one' }
    : undefined;
}

/**
 * The text index has one list of entities for a token, whatever its column: all of it is read to find those of one. So it
 * is left to threads where other columns may have the token: words like keys, as "all", and keys like words, as "none".
 */
function isOne(match: string): boolean {
  const [, column, token] = oneToken.exec(match) ?? [];
  return token !== undefined && isKeyLike(token) === (column !== 'gw');
}
