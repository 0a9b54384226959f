import { mustHave } from '../access/public-reading.ts';
import { noSuchEntity } from '../entities/find.ts';
import type { Call } from '../http/call.ts';
import { flag } from '../http/parameters/index.ts';
import { type Route, role, route, segment } from '../http/route.ts';
import { collectionName, collectionNamed } from '../items/contract/collection/kind.ts';
import { collectionMustExist } from '../items/contract/collection/store.ts';
import { itemName, itemNamed } from '../items/contract/item/kind.ts';
import { type ItemsContext, libraryMustExist, libraryName, libraryNamed } from '../items/public.ts';
import {
  byImportance,
  type RuleResource,
  ruleDocumentOf,
  rulesAt,
  ruleWriting,
  storageRulesDocument,
} from '../media/public.ts';
import { accountOf } from '../security/caller.ts';
import { itemChangeable, noSuchShape, shapeFor, shapePath, shapeThere } from '../shapes/public.ts';
import { rulesOfShape } from './load.ts';

const levelOf = ({ method }: Call) => (method === 'GET' ? 'READ' : 'ALL');

/** Routes for storage rules of items, collections and libraries, and for those in effect on a shape. */
export function placingRoutes(parts: ItemsContext): readonly Route[] {
  const { store } = parts;
  const items: RuleResource = {
    path: '/item/:item',
    type: 'ITEM',
    noun: 'item',
    async find(params, call) {
      const item = await itemNamed(store, segment(params, 'item'));
      await mustHave(store, call, itemName, item, levelOf(call));
      return item.id;
    },
    guards: (id, call) => itemChangeable(parts, call, id),
  };
  const collections: RuleResource = {
    path: '/collection/:collection',
    type: 'COLLECTION',
    noun: 'collection',
    async find(params, call) {
      const collection = await collectionNamed(store, segment(params, 'collection'));
      await mustHave(store, call, collectionName, collection, levelOf(call));
      return collection.id;
    },
    guards: (id) => [collectionMustExist(id, noSuchEntity(collectionName, id))],
  };
  const libraries: RuleResource = {
    path: '/library/:library',
    type: 'LIBRARY',
    noun: 'library',
    async find(params, call) {
      const library = await libraryNamed(store, segment(params, 'library'));
      await mustHave(store, call, libraryName, library, levelOf(call));
      return library.id;
    },
    guards: (id) => [libraryMustExist(id, noSuchEntity(libraryName, id))],
  };
  const ofShape = ruleWriting(parts, {
    type: 'SHAPE',
    find: async (params, call) => (await shapeFor(store, call, params, 'ALL')).id,
    guards: (id) => [shapeThere({ id }, noSuchShape(id))],
  });
  const shapeRule = `${shapePath}/storage-rule`;
  return [
    ...rulesAt(parts, items),
    ...rulesAt(parts, collections),
    ...rulesAt(parts, libraries),
    route({
      method: 'GET',
      path: shapeRule,
      says: 'The storage rule in effect for a shape.',
      query: { all: flag('Adds overruled rules, in order of precedence', false) },
      answers: storageRulesDocument,
      access: role('_storage_rule_read'),
      async handle(call, params) {
        const reader = store.reader(accountOf(call));
        const shape = await shapeFor(reader, call, params, 'READ');
        const { rules, direct } = await rulesOfShape(reader, shape);
        const rows = byImportance(rules).slice(0, call.query.all ? undefined : 1);
        const tag = rows.map((row) => ({
          ...ruleDocumentOf(row),
          ...(row.entityType === 'COLLECTION' && { inherited: !direct.has(row.entityId) }),
        }));
        return { tag };
      },
    }),
    route({ method: 'PUT', path: shapeRule, says: 'Sets a storage rule for this shape alone.', ...ofShape.putting }),
    route({
      method: 'DELETE',
      path: shapeRule,
      says: 'Removes the storage rule for this shape alone.',
      ...ofShape.removing,
    }),
  ];
}
