import { and, type Fact, type Level, type Node, not, or } from './ast.ts';

const facts = (of: 'item' | 'collection', names: Readonly<Record<string, Fact['type']>>): ReadonlyMap<string, Fact> =>
  new Map(Object.entries(names).map(([name, type]) => [name, { of, name, type }]));

/** System fields whose values the tables of the entities have beside the index. */
const columns: Readonly<Partial<Record<Level, ReadonlyMap<string, Fact>>>> = {
  item: facts('item', { itemId: 'text', created: 'date', user: 'text', mediaType: 'text' }),
  collection: facts('collection', { collectionId: 'text', created: 'date', user: 'text' }),
};

/** Equal criteria that tables decide without an index. Undefined: some need one. */
export function inColumns(node: Node, level: Level): Node | undefined {
  switch (node.is) {
    case 'and':
    case 'or': {
      const parts = node.of.flatMap((each) => inColumns(each, level) ?? []);
      if (parts.length < node.of.length) return undefined;
      return node.is === 'and' ? and(parts) : or(parts);
    }
    case 'not': {
      const inner = inColumns(node.of, level);
      return inner && not(inner);
    }
    case 'linked': {
      const inner = inColumns(node.of, node.to);
      return inner && { ...node, of: inner };
    }
    case 'value': {
      const levels: readonly Level[] = level === 'both' ? ['item', 'collection'] : [level];
      const own = levels.flatMap((each) => columns[each]?.get(node.field.name) ?? []);
      return own.length === 0 ? undefined : or(own.map((fact): Node => ({ is: 'fact', fact, test: node.test })));
    }
    case 'words':
    case 'near':
    case 'reference':
    case 'group':
      return undefined;
    default:
      return node;
  }
}

/** Whether criteria name the entities by their ids, so that the tables find them at once. */
export const isByIds = (node: Node): boolean =>
  node.is === 'fact' &&
  (node.fact.name === 'itemId' || node.fact.name === 'collectionId') &&
  (node.test.is === 'equals' || node.test.is === 'among');
