import { join } from 'node:path';
import { writerParticipant } from '../../../src/assets/search/engine/feed-work.ts';
import { indexParticipant, queueParticipant } from '../../../src/assets/search/index/participant.ts';
import { embeddedIndex } from '../../../src/assets/search/index/store.ts';
import { systemClock } from '../../../src/core/lib/clock.ts';
import { systemActor } from '../../../src/core/store/contract.ts';
import { openStore } from '../../../src/core/store/store.ts';
import { openDatabase } from '../../../src/entry/native/open-database.ts';
import { memorySearchEngine } from '../../../src/kit/testing/index.ts';
import type { SearchEngine } from '../../../src/spi/index.ts';
import { migrations } from '../../support/store.ts';
import { median, type Row } from '../row.ts';
import { compareCommits, medianRatio } from './commits.ts';

/** Commits with a search engine and without: `engine-commits.ts ROOT ITEMS` prints the rows as JSON. */
const [root, items] = [process.argv[2]!, Number(process.argv[3])];
const [rounds, seconds] = [30, 0.5];
const store = openStore(await openDatabase(`file:${join(root, 'portico.db')}`), {
  clock: systemClock,
  site: 'VX',
  migrations,
});
const writers = (engines: readonly SearchEngine[]) => writerParticipant({ security: { searchEngines: () => engines } });
const commit = (...sql: string[]) =>
  store.commit({ changes: sql.map((each) => ({ sql: each, args: [] })), events: [] }, systemActor);
const empty = ['DELETE FROM search_feed', 'DELETE FROM search_change', 'DELETE FROM search_writer'];
const withEngine = () => commit(...empty, "INSERT INTO search_feed (name, position, seeding) VALUES ('bench', 0, 0)");

const rates = await compareCommits(
  store,
  items,
  {
    none: { participants: [indexParticipant(store, embeddedIndex), writers([])], prepare: () => commit(...empty) },
    engine: {
      participants: [indexParticipant(store, embeddedIndex), writers([memorySearchEngine()])],
      prepare: withEngine,
    },
    alone: { participants: [queueParticipant, writers([memorySearchEngine()])], prepare: withEngine },
  },
  rounds,
  seconds,
);
await store.close();
const name = 'commits of three changed fields';
const rows: readonly Row[] = [
  { name: `${name} without an engine`, perSecond: median(rates.none) },
  {
    name: `time of ${name} with an engine, against without`,
    ratio: medianRatio(rates.none, rates.engine),
    ceiling: 1.03,
  },
  { name: `the same, where only the engine has an index`, ratio: medianRatio(rates.none, rates.alone) },
];
console.log(JSON.stringify(rows));
