import { badValue } from '../../../core/documents/error.ts';
import { compilePattern } from '../../../core/documents/pattern.ts';
import { Recent } from '../../../core/lib/cache.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import type { Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { Store } from '../../../core/store/store.ts';
import type { ExternalIdResource, Namespaced } from '../../../room/entities/external-ids/routes.ts';
import { add, looksLikeId } from '../../../room/entities/external-ids/rules.ts';
import type { EntityResource } from '../../../room/entities/place.ts';
import type { Entity, KindName } from '../../../room/entity.ts';
import { allNamespaces, samePattern } from './store.ts';

/** Limit of namespaces, since each new external id is matched against all patterns. */
export const maxNamespaces = 100;

type Matcher = (text: string) => boolean;

/** Cache of compiled patterns, which never become stale. */
const compiled = new Recent<string, Matcher>(2 * maxNamespaces);

export function namespaceMatcher(pattern: string): Matcher {
  const cached = compiled.get(pattern, 0);
  if (cached) return cached;
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
  resource: EntityResource<E>,
): ExternalIdResource<E> => ({
  ...resource,
  namespaceOf: (externalId) => namespaceOf(store, externalId),
});
