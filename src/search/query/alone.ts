import type { Condition, Viewer } from '../viewer.ts';
import type { Node } from './ast.ts';
import { fragment } from './conditions/fragment.ts';
import { type Compiling, placesIn } from './conditions/store.ts';

/** Of the text index: one column or some, and one word or key, without a star behind it. */
const oneToken = /^(\w+|\{[\w ]+\}) : "\w+"$/;

/** Whose search it is, and among what it looks. */
interface Given {
  readonly viewer: Viewer;
  readonly collection?: string;
  readonly library?: string;
  readonly among?: string;
}

/**
 * What finds all, behind FROM, where one word or one range says it alone: then few hits are found in bounded work. Where
 * anything is timed, a word may be in the spans of entities without end that are not found.
 */
export function aloneOf(
  { viewer, collection, library, among }: Given,
  { isTimed, ordered }: Pick<Compiling, 'isTimed' | 'ordered'>,
  match: string | undefined,
  rest: readonly Node[],
): Condition | undefined {
  const isWithin = !viewer.administrator || collection !== undefined || library !== undefined || among !== undefined;
  if (isWithin || isTimed) return undefined;
  if (match !== undefined) {
    const isOne = rest.length === 0 && oneToken.test(match);
    return isOne ? fragment('search_text WHERE search_text MATCH ?', match) : undefined;
  }
  const [only, ...others] = rest;
  if (only?.is !== 'value' || others.length > 0) return undefined;
  const { field, test } = only;
  return test.is === 'between' && ordered.has(field.name) ? placesIn(field.name, test) : undefined;
}
