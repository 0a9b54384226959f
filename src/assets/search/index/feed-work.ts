import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { type Statement, tableConcern } from '../../../core/store/contract.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import type { IndexDoc, SearchIndex } from '../../../spi/index.ts';
import { loadThere } from '../../metadata/public-reading.ts';
import type { SearchContext } from '../parts.ts';
import { commitStep } from './commit-step.ts';
import type { EmbeddedDoc } from './document.ts';
import { everyWord } from './document.ts';
import {
  acknowledge,
  advanceSeeding,
  beginFeed,
  changesBehind,
  dropRead,
  dropUnread,
  entitiesAmong,
  feedDue,
  feedStands,
  findFeed,
  newestChange,
  tellOlder,
} from './feed-sql.ts';
import { kindOf } from './keys.ts';
import { type Described, docsOf } from './participant.ts';

/** Changes per batch, and older entities queued at once. */
const [batch, older] = [100, 1000];
/** Milliseconds until a retry after a failed step, and between two looks whether the index still has its data. */
const [rest, every] = [1000, 10_000];

type RoomContext = Pick<SearchContext, 'store' | 'clock' | 'searchIndexes'>;

/** Sends committed changes to external indexes, from the position that each has stored. */
export const feedKinds = (context: RoomContext): readonly WorkKind[] =>
  (context.searchIndexes ?? []).map((index) =>
    steps({
      name: `feed-${index.name}`,
      says: `Updates the index "${index.name}"`,
      hosts: ['loop', 'edge'],
      priority: 72,
      clock: context.clock,
      rest,
      every,
      due: () => feedDue(index.name),
      wokenBy: [tableConcern('search_change')],
      step: () => feed(context, index),
    }),
  );

/** Sends one batch. False: the index is up to date. */
async function feed({ store }: RoomContext, index: SearchIndex): Promise<boolean> {
  const { name } = index;
  const write = (...changes: readonly Statement[]): Promise<boolean> => commitStep(store, changes);

  const position = await index.position();
  const row = await findFeed(store, { name });
  const [newest] = await newestChange(store, {});
  // New index, data loss in the index, or another database: the feed starts over.
  if (!row || position < row.position || position > (newest?.position ?? 0)) {
    await index.clear();
    return write(dropUnread({}), beginFeed({ name }));
  }
  const changes = await changesBehind(store, { position, limit: batch });
  const last = changes.at(-1);
  if (last) {
    await index.apply({ position: last.position, ...(await readNow(store, changes)) });
    return write(acknowledge({ name, position: last.position }), dropRead({}));
  }
  const { seeding } = row;
  if (seeding === 0) return false;
  return write(
    feedStands({ name, seeding }, changedMeanwhile('Index', name)),
    tellOlder({ seeding, limit: older }),
    advanceSeeding({ name, seeding, limit: older }),
  );
}

/** Reads the current state of changed entities. Later changes are sent again. */
async function readNow(store: RoomContext['store'], changes: readonly { readonly entity: number }[]) {
  const numbers = [...new Set(changes.map(({ entity }) => entity))];
  const entities = await entitiesAmong(store, { numbers });
  const described: Described[] = [];
  for (const kind of ['item', 'collection'] as const) {
    const ids = entities.filter(({ number }) => kindOf(number) === kind).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const [id, { size, state }] of await loadThere(store, kind, ids)) described.push({ kind, id, size, state });
  }
  const upserts = (await docsOf(store, described)).map(withEveryWord);
  const upsertIds = new Set(upserts.map(({ id }) => id));
  return { upserts, deletes: numbers.filter((number) => !upsertIds.has(number)) };
}

function withEveryWord(doc: EmbeddedDoc): IndexDoc {
  const { hasAllWords: _, ...rest } = doc;
  return { ...rest, words: everyWord(doc) };
}
