import { join } from 'node:path';
import { type Viewer, viewerFor } from '../../../src/assets/access/viewer.ts';
import type { ItemSearch } from '../../../src/assets/search/documents.ts';
import { find, type SearchPage } from '../../../src/assets/search/find.ts';
import { fieldNumber } from '../../../src/assets/search/index/keys.ts';
import { indexParticipant } from '../../../src/assets/search/index/participant.ts';
import { embeddedIndex } from '../../../src/assets/search/index/store.ts';
import { facetsOf } from '../../../src/assets/search/query/facets.ts';
import { systemClock } from '../../../src/core/lib/clock.ts';
import { openStore, type Store } from '../../../src/core/store/store.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { migrations } from '../../support/store.ts';
import { median, type Row } from '../row.ts';
import { compareCommits, medianRatio } from './commits.ts';
import { commonWord } from './content.ts';
import { readers } from './data-set.ts';

/** Benches without a server: `inside.ts ROOT ITEMS` prints the rows as JSON. No later part reads what they change. */
const [root, items] = [process.argv[2]!, Number(process.argv[3])];
const store = openStore(await openDatabase(`file:${join(root, 'portico.db')}`), {
  clock: systemClock,
  site: 'VX',
  migrations,
});
const rows = [...(await floors(store)), ...(await commits()), await size(store)];
await store.close();
console.log(JSON.stringify(rows));

/** Cost of the index against a count of all values of one field, which any machine does as fast as the rest. */
async function floors(store: Store): Promise<Row[]> {
  const reader = store.reader('bench');
  const admin: Viewer = { administrator: true, userId: undefined, contexts: undefined };
  const viewerOf = async (name: string): Promise<Viewer> => {
    const [user] = await store.read('SELECT id FROM user WHERE name = ?', [name]);
    return viewerFor(reader, { administrator: false, userId: String(user![0]) });
  };
  const [one, half] = [await viewerOf(readers.one), await viewerOf(readers.half)];
  const text: ItemSearch = { text: [{ value: commonWord }] };
  const top = { first: 1, number: 100, counts: false };
  const count = { first: 1, number: 0, counts: true };
  const asks = {
    base: () => reader.read('SELECT count(*) FROM search_value WHERE field = ?', [fieldNumber('b_exact1')]),
    top: () => ask(text, top),
    count: () => ask(text, count),
    countForHalf: () => ask(text, count, half),
    topForOne: () => ask(text, top, one),
    sortHits: () => ask({ ...text, sort: [{ field: 'b_date1' }] }, top),
    sortOrdered: () => ask({ ...text, sort: [{ field: 'b_date0' }] }, top),
    facet: async () => {
      const { search, resolved } = await ask(text, { ...top, number: 0 });
      await facetsOf(reader, search, { facet: [{ field: 'b_exact1' }] }, resolved);
    },
    first: () => ask({ sort: [{ field: 'b_date0' }] }, { ...top, cursor: '*' }),
    deep: () => ask({ sort: [{ field: 'b_date0' }] }, { ...top, first: Math.floor(items * 0.9) }),
    cursor: () => ask({ sort: [{ field: 'b_date0' }] }, { ...top, cursor: deepCursor }),
  };
  const ask = (document: ItemSearch, page: SearchPage, viewer = admin) => find(reader, viewer, 'item', document, page);
  const began = await ask(
    { sort: [{ field: 'b_date0' }] },
    { ...top, first: Math.floor(items * 0.9), number: 1, cursor: undefined },
  );
  const deepCursor = await cursorAt(store, began.entries()[0]!.id);
  const took = Object.fromEntries(Object.keys(asks).map((name) => [name, [] as number[]])) as Record<
    keyof typeof asks,
    number[]
  >;
  // The first rounds warm up: a server has compiled what it does all day.
  for (let round = -4; round <= 9; round++) {
    for (const [name, each] of Object.entries(asks)) {
      const began = performance.now();
      await each();
      if (round > 0) took[name as keyof typeof asks].push(performance.now() - began);
    }
  }
  const of = (name: keyof typeof asks) => median(took[name]);
  const within = (name: string, cost: keyof typeof asks, base: keyof typeof asks, max: number): Row => ({
    name: `search inside, ${name}: at most ${max}`,
    ratio: (of(base) * max) / of(cost),
    // A count of one field takes so little on fewer items that the rest of a search is more.
    ...((base !== 'base' || items >= 1_000_000) && { floor: 1 }),
    value: of(cost) / of(base),
  });
  return [
    within('the newest hundred of a tenth, against a count of one field', 'top', 'base', 0.05),
    within('the number of a tenth, against a count of one field', 'count', 'base', 1),
    within('the number for a reader of half, against that for all', 'countForHalf', 'count', 12),
    within('the newest hundred for a reader of 1 percent, against those for all', 'topForOne', 'top', 60),
    within('a tenth sorted by what has no order, against a count of one field', 'sortHits', 'base', 7),
    within('a tenth sorted by what has an order, against sorting hits', 'sortOrdered', 'sortHits', 1.2),
    within('a facet of a tenth, against a count of one field', 'facet', 'base', 7),
    within('a sorted page behind nine tenths, against a count of one field', 'deep', 'base', 3),
    within('a cursor behind nine tenths, against the first page', 'cursor', 'first', 4),
    { name: 'search inside, a count of one field, milliseconds', value: of('base') },
  ];
}

async function cursorAt(store: Store, id: string): Promise<string> {
  const [row] = await store.read(`SELECT val FROM search_value WHERE field = ? AND entity = ?`, [
    fieldNumber('b_date0'),
    Number(id.slice(3)),
  ]);
  const text = JSON.stringify(['[["b_date0",false]]', [String(row![0])], Number(id.slice(3))]);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Commits with the index and without. */
async function commits(): Promise<Row[]> {
  const rates = await compareCommits(store, items, {
    with: { participants: [indexParticipant(store, embeddedIndex)] },
    without: { participants: [] },
  });
  return [
    {
      name: 'commits of three changed fields with the index, against without',
      ratio: medianRatio(rates.with, rates.without),
      floor: 0.6,
      perSecond: median(rates.with),
    },
  ];
}

async function size(store: Store): Promise<Row> {
  const [[pages]] = (await store.read('PRAGMA page_count')) as [[number]];
  const [[bytes]] = (await store.read('SELECT sum(length(CAST(doc AS BLOB))) FROM metadata_state')) as [[number]];
  return { name: 'size of the file, in bytes of metadata documents', value: (Number(pages) * 4096) / Number(bytes) };
}
