import { flag } from '../http/parameters/index.ts';
import { type Route, role, route } from '../http/route.ts';
import { collectionAt } from '../items/contract/collection/kind.ts';
import { itemAt } from '../items/contract/item/kind.ts';
import { unlockedFor } from '../items/contract/lock/rules.ts';
import { type ItemsContext, libraryAt } from '../items/public.ts';
import {
  byImportance,
  type RuleResource,
  ruleDocumentOf,
  rulesAt,
  ruleWriting,
  storageRulesDocument,
} from '../media/public.ts';
import { accountOf } from '../security/caller.ts';
import { shapePath, shapesAt } from '../shapes/public.ts';
import { rulesOfShape } from './load.ts';

/** Routes for storage rules of items, collections and libraries, and for those in effect on a shape. */
export function placingRoutes(parts: ItemsContext): readonly Route[] {
  const { store, clock } = parts;
  const [item, collection, library, shapes] = [itemAt(store), collectionAt(store), libraryAt(store), shapesAt(store)];
  const resources: readonly RuleResource[] = [
    {
      path: '/item/:item',
      type: 'ITEM',
      part: 'item',
      entities: (level) => ({ item: item(level) }),
      guards: (id, caller) => [unlockedFor(caller, id, clock.now())],
    },
    {
      path: '/collection/:collection',
      type: 'COLLECTION',
      part: 'collection',
      entities: (level) => ({ collection: collection(level) }),
    },
    {
      path: '/library/:library',
      type: 'LIBRARY',
      part: 'library',
      entities: (level) => ({ library: library(level) }),
    },
  ];
  const { putting, removing } = ruleWriting(parts, { type: 'SHAPE', part: 'shape', entities: shapes.shape });
  const path = `${shapePath}/storage-rule` as const;
  return [
    ...resources.flatMap((each) => rulesAt(parts, each)),
    route({
      method: 'GET',
      path,
      says: 'The storage rule in effect for a shape.',
      entities: shapes.shape('READ'),
      query: { all: flag('Adds overruled rules, in order of precedence', false) },
      answers: storageRulesDocument,
      access: role('_storage_rule_read'),
      async handle(call, { shape }) {
        const { rules, direct } = await rulesOfShape(store.reader(accountOf(call)), shape);
        const rows = byImportance(rules).slice(0, call.query.all ? undefined : 1);
        const tag = rows.map((row) => ({
          ...ruleDocumentOf(row),
          ...(row.entityType === 'COLLECTION' && { inherited: !direct.has(row.entityId) }),
        }));
        return { tag };
      },
    }),
    route({ method: 'PUT', path, says: 'Sets a storage rule for this shape alone.', ...putting }),
    route({ method: 'DELETE', path, says: 'Removes the storage rule for this shape alone.', ...removing }),
  ];
}
