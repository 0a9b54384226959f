import type { Reader } from '../../core/store/statement.ts';
import { flag } from '../../http/parameters/index.ts';
import { type Route, role, route } from '../../http/route.ts';
import type { Caller } from '../../security/caller.ts';
import {
  byImportance,
  type RuleResource,
  type RuleRow,
  ruleDocumentOf,
  rulesAt,
  ruleWriting,
  storageRulesDocument,
} from '../../storage/public.ts';
import { readableAmong } from '../access/public.ts';
import { accessOf } from '../access/public-reading.ts';
import { collectionAt, collectionName, itemAt } from '../items/contract/entities.ts';
import { unlockedFor } from '../items/contract/item-locks.ts';
import { type ItemsContext, libraryAt, libraryName } from '../items/public.ts';
import { shapePath, shapesAt } from '../shapes/public.ts';
import { rulesOfShape } from './load.ts';

/** Entities above an item that may be closed to somebody who reads the item. */
const containers = { COLLECTION: collectionName, LIBRARY: libraryName };

/** Rules of collections and libraries that the caller may not read. */
async function foreignAmong(reader: Reader, caller: Caller, rows: readonly RuleRow[]): Promise<ReadonlySet<RuleRow>> {
  const viewer = await accessOf(reader, caller);
  const foreign = new Set<RuleRow>();
  for (const [type, { type: kind }] of Object.entries(containers)) {
    const above = rows.filter(({ entityType }) => entityType === type);
    const ids = above.map(({ entityId }) => entityId);
    const readable = await readableAmong(reader, viewer, kind, ids);
    for (const row of above) if (!readable.has(row.entityId)) foreign.add(row);
  }
  return foreign;
}

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
        const { reader } = call;
        const { rules, direct } = await rulesOfShape(reader, shape);
        const rows = byImportance(rules).slice(0, call.query.all ? undefined : 1);
        const foreign = await foreignAmong(reader, call, rows);
        const tag = rows.map((row) => ({
          // The rule stays, because it is in effect. Which collection or library has it, is not told.
          ...ruleDocumentOf(foreign.has(row) ? { ...row, entityId: '' } : row),
          ...(row.entityType === 'COLLECTION' && { inherited: !direct.has(row.entityId) }),
        }));
        return { tag };
      },
    }),
    route({ method: 'PUT', path, says: 'Sets a storage rule for this shape alone.', ...putting }),
    route({ method: 'DELETE', path, says: 'Removes the storage rule for this shape alone.', ...removing }),
  ];
}
