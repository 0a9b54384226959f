import { badValue } from '../../documents/bad-value.ts';
import { compilePattern } from '../../documents/pattern.ts';
import type { ExternalIdResource, Namespaced } from '../../entities/external-ids/routes.ts';
import { add, looksLikeId } from '../../entities/external-ids/rules.ts';
import type { EntityResource } from '../../entities/place.ts';
import { Recent } from '../../lib/recent.ts';
import { changedMeanwhile } from '../../lib/retry-when-changed.ts';
import type { Entity, KindName } from '../../room/entity.ts';
import type { Statement } from '../../store/contract.ts';
import type { Reader } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';
import { allNamespaces, samePattern } from './store.ts';

/** Limit of namespaces, since each new external id is matched against all patterns. */
export const mostNamespaces = 100;

type Matcher = (text: string) => boolean;

/** Cache of compiled patterns, which never become stale. */
const compiled = new Recent<string, Matcher>(2 * mostNamespaces);

export function namespaceMatcher(pattern: string): Matcher {
  const known = compiled.get(pattern, 0);
  if (known) return known;
  const matcher = compilePattern(pattern, '/ExternalIdentifierNamespaceDocument/pattern');
  compiled.set(pattern, matcher, Number.POSITIVE_INFINITY);
  return matcher;
}

/** Namespace of an external id: the first whose pattern matches completely; 400 if none does. */
async function namespaceOf(reader: Reader, externalId: string): Promise<Namespaced> {
  for (const { name, pattern } of await allNamespaces(reader, {})) {
    if (!namespaceMatcher(pattern)(externalId)) continue;
    return { name, guard: samePattern({ name, pattern }, changedMeanwhile('ExternalIdentifierNamespace', name)) };
  }
  throw badValue('external id', 'a text that the pattern of a namespace matches', externalId);
}

/** Assigns external ids in the commit that creates an entity. */
export async function giveExternalIds(
  { store }: { readonly store: Reader & Pick<Store, 'withhold'> },
  kind: KindName,
  id: string,
  externalIds: readonly string[],
): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  for (const externalId of externalIds) {
    const namespace = looksLikeId(externalId) ? undefined : await namespaceOf(store, externalId);
    if (namespace) statements.push(namespace.guard);
    statements.push(...(await add(store, kind, id, externalId, 'bad-value', namespace?.name)));
  }
  return statements;
}

/** Entities whose external ids belong to namespaces. */
export const externalIdPlace = <E extends Entity>(
  { store }: { readonly store: Reader },
  place: EntityResource<E>,
): ExternalIdResource<E> => ({
  ...place,
  namespaceOf: (externalId) => namespaceOf(store, externalId),
});
