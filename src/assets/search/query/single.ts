import type { Condition, Viewer } from '../../access/public-reading.ts';
import { isKeyLike } from '../index/keys.ts';
import type { Node, SearchKind } from './ast.ts';
import { fragment } from './conditions.ts';
import { type CompileContext, placesIn } from './conditions-sql.ts';

/** Text-index query for one word or key of an untimed column, without a wildcard. */
const oneToken = /^(g[wpk]) : "(\w+)"$/;

/** Source after FROM that yields exactly the hits. */
export interface SingleCondition extends Condition {
  /** True: no duplicates. */
  readonly isOnce: boolean;
  /** Key for the number of its hits. Undefined: the condition is long. */
  readonly key: string | undefined;
}

/** Maximum characters of a key. */
const longestKey = 200;

/** Viewer and scope of a search. */
interface SearchScope {
  readonly kind: SearchKind;
  readonly viewer: Viewer;
  readonly collection?: string;
  readonly library?: string;
  readonly among?: string;
}

/**
 * The single condition of a search: one word or one range. Small results then take bounded work. Undefined if anything
 * is timed, since many entities that do not match may have the word in a timespan.
 */
export function singleCondition(
  { kind, viewer, collection, library, among }: SearchScope,
  { isTimed, ranged }: Pick<CompileContext, 'isTimed' | 'ranged'>,
  match: string | undefined,
  rest: readonly Node[],
): SingleCondition | undefined {
  const isWithin = !viewer.administrator || collection !== undefined || library !== undefined || among !== undefined;
  if (isWithin || isTimed) return undefined;
  if (match !== undefined) {
    return rest.length === 0 && isOne(match)
      ? keyed(kind, fragment('search_text WHERE search_text MATCH ?', match), true)
      : undefined;
  }
  const [only, ...others] = rest;
  if (only?.is !== 'value' || others.length > 0) return undefined;
  const { field, test } = only;
  const values = ranged.get(field.name);
  return test.is === 'between' && values !== undefined
    ? keyed(kind, placesIn(field.name, test, values), values === 'one')
    : undefined;
}

function keyed(kind: SearchKind, condition: Condition, isOnce: boolean): SingleCondition {
  const key = [kind, ...condition.values].join();
  return { isOnce, key: key.length > longestKey ? undefined : key, ...condition };
}

/**
 * Whether only one column can contain the token. The text index has one list per token over all columns, and reads all
 * of it. Ambiguous tokens are left to worker threads: words like keys, as "all", and keys like words, as "none".
 */
function isOne(match: string): boolean {
  const [, column, token] = oneToken.exec(match) ?? [];
  return token !== undefined && isKeyLike(token) === (column !== 'gw');
}
