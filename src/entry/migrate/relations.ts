import type { ItemRelationType } from '../../types.ts';
import { carry, type Difference, digestOf, ifTold, type Migration, notTold, type Parts } from './carry.ts';
import { entriesOf, many, type Original, pageIn } from './original.ts';
import { at } from './places.ts';

/** Relations of one request. */
const atOnce = 100;

type PathOf = Original['pagePath'];

const pairsOf = ({ value }: ItemRelationType) =>
  many(value)
    .map(({ key, value: text = '' }) => ({ key, value: text }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));

/** Key of a part, with all that a relation is. `target`: id here. */
function keyOf(migration: Migration, relation: ItemRelationType, target: string): string {
  const { type = 'D' } = relation.direction;
  return `relation/${type.toUpperCase()} ${target} ${digestOf(migration, pairsOf(relation))}`;
}

/** Relations that an item is the source of. */
async function* relationsFrom(
  api: Migration['target'],
  pathOf: PathOf,
  item: string,
): AsyncGenerator<ItemRelationType> {
  const all = entriesOf<ItemRelationType>({
    size: 500,
    idOf: ({ id = '' }) => id,
    broken: (_position, error) => {
      throw error;
    },
    short: () => undefined,
    async read(page) {
      const path = pathOf(at`/item/${item}/relation`, page);
      // Lists of relations say how many they have only at some releases.
      return { entries: pageIn<ItemRelationType>((await api.find<object>(path)) ?? {}, 'relation', path).entries };
    },
  });
  for await (const relation of all) if (relation.direction.source === item) yield relation;
}

const pathHere: PathOf = (path, page) => at`${path}?first=${'first' in page ? page.first : 1}&number=${page.number}`;

/** Relations of items that are at the original. Each relation comes with its source. */
export async function carryRelations(migration: Migration, items: ReadonlySet<string>): Promise<void> {
  const { original, journal, report, options } = migration;
  await carry<string>(migration, {
    kind: 'relation',
    entries: [...items].filter((id) => journal.find('item', id)),
    lanes: options.lanes,
    isOptional: true,
    idOf: (id) => id,
    async partsOf(old) {
      const parts: Record<string, unknown> = {};
      const isTold = await ifTold(migration, 'relations', old, async () => {
        for await (const relation of relationsFrom(original.api, original.pagePath, old)) {
          const target = journal.find('item', relation.direction.target)?.id;
          if (target) parts[keyOf(migration, relation, target)] = pairsOf(relation);
          else report.remark('Relations to items that did not come', old);
        }
        return true;
      });
      return isTold ? parts : { 'relation/': notTold };
    },
    put: (old, difference) => putRelations(migration, old, difference),
  });
}

async function putRelations(
  migration: Migration,
  old: string,
  { parts, changed, gone, isKnown }: Difference,
): Promise<string> {
  const { target, journal } = migration;
  const { id } = journal.find('item', old)!;
  const present = new Set<string>();
  if (gone.size > 0 || !isKnown)
    for await (const relation of relationsFrom(target, pathHere, id)) {
      const key = keyOf(migration, relation, relation.direction.target);
      present.add(key);
      if (gone.has(key)) await target.write('DELETE', at`/relation/${relation.id ?? ''}`);
    }
  const relations = [...changed].filter((key) => !present.has(key)).map((key) => relationIn(parts, key, id));
  for (let first = 0; first < relations.length; first += atOnce)
    await target.write('POST', at`/relation`, { relation: relations.slice(first, first + atOnce) });
  return id;
}

function relationIn(parts: Parts, key: string, source: string): ItemRelationType {
  const [type = '', target = ''] = key.slice('relation/'.length).split(' ');
  return { direction: { source, target, type }, value: parts[key] as ItemRelationType['value'] };
}
