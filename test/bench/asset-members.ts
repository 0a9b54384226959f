import { join } from 'node:path';
import { addItems, authorization, fill, firstItem, itemAt, prepareRoot, without } from './item-root.ts';
import { load, requestBytes } from './load.ts';
import { median, type Row } from './row.ts';
import { type RuntimeName, startService } from './runtimes.ts';

const connections = 64;
const [few, many] = [100, 100_000];
/** New members of a small collection, before the next one has its turn: all of them stay small. */
const each = 20;
const smallOnes = 1000;
const spare = 100_000;

const joining = `INSERT INTO collection_member (collection_id, member_type, member_id, position, reference)
  SELECT ?1, 'item', id, (serial - ?2) * 1024, 'reference ' || serial FROM item WHERE serial BETWEEN ?3 AND ?4`;

/** Collections of the owner of an item: the first one large, the others small. Their members are items in order. */
function addCollections(root: string, like: string): void {
  const sizes = [many, ...Array.from({ length: smallOnes }, () => few)];
  let next = firstItem;
  const collections = sizes.map((size, at) => {
    next += size;
    return { id: itemAt(at), serial: firstItem + at, from: next - size, to: next - 1 };
  });
  fill(root, (run, database) => {
    for (const { id, serial, from } of collections) {
      run('INSERT INTO collection (id, serial, created_at) VALUES (?, ?, 0)', id, serial);
      run(
        `INSERT INTO access_entry (entity_type, entity_id, id, entity_serial, user_id, permission, priority, applies_to, reach)
          SELECT 'collection', ?, id, ?, user_id, permission, priority, applies_to, reach
          FROM access_entry WHERE entity_type = 'item' AND entity_id = ?`,
        id,
        serial,
        like,
      );
      run(joining, id, from - 1, from, from);
    }
    // The others have the context of the first one.
    without(database, ['access_item_joined'], () => {
      for (const { id, from, to } of collections) run(joining, id, from - 1, from + 1, to);
    });
    for (const { from, to } of collections) {
      run(
        'UPDATE item SET context = (SELECT context FROM item WHERE serial = ?1) WHERE serial BETWEEN ?1 + 1 AND ?2',
        from,
        to,
      );
    }
  });
}

/** Rate of appending one member, by the number of members already there. */
export async function benchAppending(
  runtime: RuntimeName,
  directory: string,
  rounds = 8,
  seconds = 0.5,
): Promise<readonly Row[]> {
  const root = join(directory, 'root');
  const like = await prepareRoot(runtime, root, 3);
  const members = many + smallOnes * few;
  addItems(root, like, members + spare, false);
  addCollections(root, like);
  const server = await startService(runtime, root, { PORTICO_MAX_COLLECTION_MEMBERS: '1000000' });
  let next = 0;
  let nextSmall = 0;
  const small = () => itemAt(1 + (Math.floor(nextSmall++ / each) % smallOnes));
  const append = (collection: string) =>
    requestBytes('PUT', `/API/collection/${collection}/${itemAt(members + (next++ % spare))}`, { authorization });
  const sides = { few: () => append(small()), many: () => append(itemAt(0)) };
  const rates = { few: [] as number[], many: [] as number[] };
  try {
    // In turn first and second: a machine is faster at one time than at another. The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const side of round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
        const { perSecond } = await load({ port: server.port, connections, seconds, next: sides[side] });
        if (round > 0) rates[side].push(perSecond);
      }
    }
  } finally {
    await server.stop();
  }
  const ratio = median(rates.many.map((rate, round) => rate / rates.few[round]!));
  const name = `a member more of a collection of ${many.toLocaleString('en')}, against one of ${few}`;
  return [{ name, ratio, floor: 0.8, perSecond: median(rates.many) }];
}
