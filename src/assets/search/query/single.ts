import type { Condition, Viewer } from '../../access/public-reading.ts';
import { isKeyLike } from '../index/keys.ts';
import { seesAll } from './access.ts';
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
const maxKeyLength = 200;

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
  const isWithin = !seesAll(viewer, kind) || collection !== undefined || library !== undefined || among !== undefined;
  if (isWithin || isTimed) return undefined;
  if (match !== undefined) {
    return rest.length === 0 && isOne(match)
      ? keyed(kind, fragment('search_text WHERE search_text MATCH ?', match), true)
      : undefined;
  }
  const range = rest.length === 1 ? rangeAmong(rest, ranged) : undefined;
  return range && keyed(kind, range, range.isOnce);
}

/** Places of the first range among criteria that all have to be met. Undefined: none is of an ordered field. */
export function rangeAmong(
  nodes: readonly Node[],
  ranged: CompileContext['ranged'],
): (Condition & Pick<SingleCondition, 'isOnce'>) | undefined {
  for (const node of nodes) {
    if (node.is !== 'value' || node.test.is !== 'between') continue;
    const values = ranged.get(node.field.name);
    if (values !== undefined) return { ...placesIn(node.field.name, node.test, values), isOnce: values === 'one' };
  }
  return undefined;
}

function keyed(kind: SearchKind, { text, values }: Condition, isOnce: boolean): SingleCondition {
  const key = [kind, ...values].join();
  return { isOnce, key: key.length > maxKeyLength ? undefined : key, text, values };
}

/**
 * Whether only one column can contain the token. The text index has one list per token over all columns, and reads all
 * of it. Ambiguous tokens are left to worker threads: words like keys, as "all", and keys like words, as "none".
 */
function isOne(match: string): boolean {
  const [, column, token] = oneToken.exec(match) ?? [];
  return token !== undefined && isKeyLike(token) === (column !== 'gw');
}
