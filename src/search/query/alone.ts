import { isKeyLike } from '../index/keys.ts';
import type { Condition, Viewer } from '../viewer.ts';
import type { Node } from './ast.ts';
import { fragment } from './conditions/fragment.ts';
import { type CompileContext, placesIn } from './conditions/store.ts';

/** Text-index query for one word or key of an untimed column, without a wildcard. */
const oneToken = /^(g[wpk]) : "(\w+)"$/;

/** Source after FROM that yields exactly the hits. */
export interface Alone extends Condition {
  /** True: no duplicates. */
  readonly isOnce: boolean;
}

/** Viewer and scope of a search. */
interface SearchScope {
  readonly viewer: Viewer;
  readonly collection?: string;
  readonly library?: string;
  readonly among?: string;
}

/**
 * The single condition of a search: one word or one range. Small results then take bounded work. Undefined if anything
 * is timed, since many entities that do not match may have the word in a timespan.
 */
export function aloneOf(
  { viewer, collection, library, among }: SearchScope,
  { isTimed, ranged }: Pick<CompileContext, 'isTimed' | 'ranged'>,
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
 * Whether only one column can contain the token. The text index has one list per token over all columns, and reads all
 * of it. Ambiguous tokens are left to worker threads: words like keys, as "all", and keys like words, as "none".
 */
function isOne(match: string): boolean {
  const [, column, token] = oneToken.exec(match) ?? [];
  return token !== undefined && isKeyLike(token) === (column !== 'gw');
}
