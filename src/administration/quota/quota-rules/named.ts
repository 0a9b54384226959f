import { collectionKind } from '../../../assets/items/contract/entities.ts';
import { libraryKind } from '../../../assets/items/public.ts';
import { shapeTagKind } from '../../../assets/shapes/public.ts';
import type { Store } from '../../../core/store/store.ts';
import { groupKind, userKind } from '../../../identity/public.ts';
import { entityNamed } from '../../../room/entities/find.ts';
import type { EntityKind } from '../../../room/entity.ts';
import type { Caller } from '../../../security/caller.ts';
import { storageGroupKind, storageKind } from '../../../storage/public.ts';
import type { CriterionName } from '../counting/criteria-sql.ts';
import type { QuotaRule } from './documents.ts';

const kinds: Readonly<Record<CriterionName, (store: Store) => EntityKind>> = {
  collection: collectionKind,
  library: libraryKind,
  user: userKind,
  group: groupKind,
  storage: storageKind,
  storageGroup: storageGroupKind,
  tag: shapeTagKind,
};

export type RuleEntityIds = Readonly<Partial<Record<CriterionName, string>>>;

/**
 * The ids of what a rule names, by an id, a name or an external id; 404 where something is not there. Refuses callers
 * who may not read it, since the usage of the rule tells how much is in it.
 */
export async function namedBy(store: Store, caller: Caller, document: QuotaRule): Promise<RuleEntityIds> {
  const named: Partial<Record<CriterionName, string>> = {};
  for (const [name, kindOf] of Object.entries(kinds) as [CriterionName, (store: Store) => EntityKind][]) {
    const text = document[name];
    if (text === undefined) continue;
    const kind = kindOf(store);
    const entity = await entityNamed(store, kind, text);
    await kind.mayRead?.(caller, entity, text);
    named[name] = entity.id;
  }
  return named;
}
