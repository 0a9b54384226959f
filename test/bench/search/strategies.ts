import { join } from 'node:path';
import { type Viewer, viewerFor } from '../../../src/assets/access/viewer.ts';
import type { ItemSearch } from '../../../src/assets/search/documents.ts';
import { find, type SearchPage } from '../../../src/assets/search/find.ts';
import { strategies } from '../../../src/assets/search/strategies.ts';
import { systemClock } from '../../../src/core/lib/clock.ts';
import { openStore } from '../../../src/core/store/store.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { migrations } from '../../support/store.ts';
import { median, type Row } from '../row.ts';
import { commonWord, rareWord } from './content.ts';
import { readers } from './data-set.ts';

/**
 * Each strategy against the next best one, by the same searches: `strategies.ts ROOT ITEMS` prints the rows as JSON. A
 * strategy must win a fifth on one of them.
 */
const [root, items] = [process.argv[2]!, Number(process.argv[3])];
const [rounds, warmUp] = [15, 3];
const worth = 1.2;
/** Strategies that nothing could replace. */
const plain = new Set(['count', 'cheap order', 'sort']);

const store = openStore(await openDatabase(`file:${join(root, 'portico.db')}`), {
  clock: systemClock,
  site: 'VX',
  migrations,
});
const rows = await compare();
await store.close();
console.log(JSON.stringify(rows));

interface Asked {
  readonly document: ItemSearch;
  readonly page?: Partial<SearchPage>;
  readonly viewer?: Viewer;
}

async function compare(): Promise<Row[]> {
  const reader = store.reader('bench');
  const admin: Viewer = { administrator: true, userId: undefined, contexts: undefined };
  const viewerOf = async (name: string): Promise<Viewer> => {
    const [user] = await store.read('SELECT id FROM user WHERE name = ?', [name]);
    return viewerFor(reader, { administrator: false, userId: String(user![0]) });
  };
  const text = (value: string): ItemSearch => ({ text: [{ value }] });
  const range = (to: number): ItemSearch => ({
    field: [{ name: 'b_number0', range: [{ value: [{ value: '0' }, { value: String(to) }] }] }],
  });
  const byDate = { sort: [{ field: 'b_date0', order: 'descending' }] };
  const searches: Readonly<Record<string, Asked>> = {
    'everything, the newest': { document: {} },
    'everything, counted': { document: {}, page: { number: 0 } },
    'a word of 100 items': { document: text(rareWord) },
    'a word of a tenth': { document: text(commonWord) },
    'the newest of a tenth': { document: text(commonWord), page: { counts: false } },
    'a range of a thousandth': { document: range(1000) },
    'a range of a tenth': { document: range(100_000) },
    'a word of a tenth for a reader of 1 percent': { document: text(commonWord), viewer: await viewerOf(readers.one) },
    'a word of a tenth for a reader of half': { document: text(commonWord), viewer: await viewerOf(readers.half) },
    'everything by date': { document: byDate },
    'everything by date, far behind': { document: byDate, page: { first: Math.floor(items / 2) } },
    'a word of 100 items by date': { document: { ...text(rareWord), ...byDate } },
    'a word of a tenth by date': { document: { ...text(commonWord), ...byDate } },
    'a word of a tenth by date, without a total': {
      document: { ...text(commonWord), ...byDate },
      page: { counts: false },
    },
    'a word of a tenth by two fields': {
      document: { ...text(commonWord), sort: [{ field: 'b_number0' }, { field: 'b_date0' }] },
    },
  };
  const best = new Map<string, Row>();
  for (const [name, { document, page, viewer = admin }] of Object.entries(searches)) {
    const took = new Map<string, number[]>();
    const ask = (names?: readonly string[]) =>
      find(reader, viewer, 'item', document, { first: 1, number: 100, ...page }, names ? { strategies: names } : {});
    for (let round = -warmUp; round < rounds; round++) {
      await ask();
      for (const strategy of strategies) {
        const began = performance.now();
        const { planned } = await ask([strategy.name]);
        const milliseconds = performance.now() - began;
        if (round < 0 || planned.strategy !== strategy.name) continue;
        took.set(strategy.name, [...(took.get(strategy.name) ?? []), milliseconds]);
      }
    }
    const medians = Array.from(took, ([strategy, times]) => [strategy, median(times)] as const);
    medians.sort(([, one], [, other]) => one - other);
    const [[first, least], [next, more]] = [medians[0]!, medians[1] ?? [undefined, undefined]];
    if (next === undefined) continue;
    const row: Row = {
      name: `search, strategy "${first}" against "${next}": ${name}`,
      ratio: more / least,
      ...(!plain.has(first) && { floor: worth }),
    };
    if (row.ratio! > (best.get(first)?.ratio ?? 0)) best.set(first, row);
  }
  return [...best.values()];
}
