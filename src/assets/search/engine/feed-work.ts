import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { nextTurn } from '../../../core/lib/turn.ts';
import { type Participant, type Statement, tableConcern } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import type { EngineBatch, SearchEngine } from '../../../spi/index.ts';
import { loadThere } from '../../metadata/public-reading.ts';
import { commitStep } from '../index/commit-step.ts';
import { kindOf, numberOf } from '../index/keys.ts';
import { type Described, docsOf } from '../index/participant.ts';
import type { SearchContext } from '../parts.ts';
import { engineDocument, feedNameOf } from './documents.ts';
import {
  acknowledge,
  advanceSeeding,
  beginBuild,
  changesBehind,
  dropOthers,
  dropRead,
  dropUnread,
  endBuild,
  type FeedRow,
  factsAmong,
  feedDue,
  findFeed,
  hasLease,
  leaveBuild,
  takeLease,
  tellOlder,
  tellWriters,
} from './feed-sql.ts';

/** Changes of a batch, and the bytes of metadata at which it ends; older entities queued at once. */
const [mostChanges, mostBytes, mostOlder] = [2500, 4_000_000, 2500];
/** Changes of a batch that are read in one turn of the loop. */
const sliceSize = 250;
/** Milliseconds until a retry after a failed step, and between two looks whether the engine still has its data. */
const [rest, every] = [1000, 10_000];
/** Milliseconds after which another instance feeds the engine. */
const leaseTime = 30_000;

interface FeedContext extends Pick<SearchContext, 'store' | 'clock' | 'instanceId'> {
  readonly security: Pick<SearchContext['security'], 'searchEngines'>;
}

/** Sends committed changes to the engine, from the position that it has on. One instance does. */
export function feedKind(context: FeedContext): WorkKind {
  const kind = steps({
    name: 'feed-search-engine',
    says: 'Sends changes of metadata and access to the search engine',
    hosts: ['loop', 'edge'],
    priority: 72,
    clock: context.clock,
    rest,
    every,
    due: () => feedDue,
    wokenBy: [tableConcern('search_change'), tableConcern('search_reindex')],
    async step() {
      const [engine] = context.security.searchEngines();
      return engine ? feed(context, engine) : commitStep(context.store, [dropOthers({ name: '' }), dropUnread({})]);
    },
  });
  // Without an engine, nothing is looked at from time to time.
  return {
    ...kind,
    dueHere: (due) => (context.security.searchEngines().length > 0 ? kind.dueHere!(due) : due),
    async measure() {
      const [engine] = context.security.searchEngines();
      const row = engine && (await findFeed(context.store, { name: feedNameOf(engine) }));
      if (!row) return { waiting: 0 };
      const waiting = Math.max(row.newest - row.position, 0);
      const build = { name: 'index', done: row.done ?? 0, of: row.total ?? 0 };
      return {
        waiting,
        ...(waiting > 0 && { oldest: row.caughtAt }),
        ...(row.isBuilding === 1 && { pieces: [build] }),
      };
    },
  };
}

/** Does one step. False: the engine has everything, or another instance feeds it. */
async function feed({ store, clock, instanceId }: FeedContext, engine: SearchEngine): Promise<boolean> {
  const name = feedNameOf(engine);
  const now = clock.now();
  const row = await findFeed(store, { name });
  if (row?.leaseOwner !== instanceId || row.leaseUntil < now + leaseTime / 2) {
    if (row && row.leaseOwner !== instanceId && row.leaseUntil >= now) return false;
    const lease = { name, owner: instanceId, now, until: now + leaseTime };
    return commitStep(store, [dropOthers({ name }), takeLease(lease)]);
  }
  const mine = hasLease({ name, owner: instanceId }, changedMeanwhile('Feed', name));
  const write = (...changes: readonly Statement[]): Promise<boolean> => commitStep(store, [mine, ...changes]);

  const { position, isBuilding } = await engine.state();
  const isReady = row.isReady === 1 && position >= row.position && position <= row.newest;
  if (buildsAnew(row, isReady, isBuilding)) {
    await engine.begin();
    const [begin, tell] = beginBuild;
    return write(begin({ name, ready: isReady ? 1 : 0 }), tell({ now }));
  }
  if (row.isBuilding === 1 && row.status === 'ABORTED') return write(leaveBuild({ name }));
  const changes = await changesBehind(store, { position: row.position, limit: mostChanges });
  const last = changes.at(-1);
  if (last) {
    const batch = await batchOf(store, changes);
    await engine.apply(batch);
    const isAll = changes.length < mostChanges && batch.position === last.position;
    return write(acknowledge({ name, position: batch.position, caughtAt: isAll ? now : 0 }), dropRead({}));
  }
  if (row.caughtAt < now - every) await write(acknowledge({ name, position: row.position, caughtAt: now }));
  if (row.isBuilding === 0 || row.status === 'PAUSED') return false;
  if (row.seeding > 0) {
    const slice = { seeding: row.seeding, limit: mostOlder };
    const [count, advance] = advanceSeeding;
    return write(tellOlder(slice), count(slice), advance({ name, ...slice }));
  }
  await engine.finish();
  const [end, tell] = endBuild;
  return write(end({ name }), tell({ now }));
}

/** Notes for each user how far the engine must be to have the last change. It stands behind the index participant. */
export const writerParticipant = ({ security }: Pick<FeedContext, 'security'>): Participant => ({
  name: 'search engine',
  concerns: ['request'],
  group: (commits) =>
    security.searchEngines().length > 0
      ? [tellWriters({ users: [...new Set(commits.map(({ actor }) => actor.user))] })]
      : [],
});

/** Whether a build is asked for, or the engine lost something, is new, or is that of another database. */
const buildsAnew = (row: FeedRow, isReady: boolean, hasSecond: boolean): boolean =>
  row.status === 'IN_QUEUE' ||
  (row.isBuilding === 1 ? !hasSecond : row.status === 'IN_PROGRESS' || (!isReady && row.status !== 'ABORTED'));

interface Change {
  readonly entity: number;
  readonly position: number;
}

/** The first of the changes, until their metadata is large. Each batch costs the engine as much as hundreds of documents. */
async function batchOf(reader: Reader, changes: readonly Change[]): Promise<EngineBatch> {
  const lastOf = new Map(changes.map(({ entity, position }) => [entity, position]));
  const parts: Awaited<ReturnType<typeof readNow>>[] = [];
  let [position, bytes] = [0, 0];
  for (let from = 0; from < changes.length && bytes < mostBytes; from += sliceSize) {
    if (from > 0) await nextTurn();
    const slice = changes.slice(from, from + sliceSize);
    const positions = new Map<number, number>();
    for (const { entity } of slice) {
      if (lastOf.has(entity)) positions.set(entity, lastOf.get(entity)!);
      lastOf.delete(entity);
    }
    const part = await readNow(reader, positions);
    parts.push(part);
    bytes += part.bytes;
    position = slice.at(-1)!.position;
  }
  return {
    position,
    upserts: parts.flatMap(({ upserts }) => upserts),
    deletes: parts.flatMap(({ deletes }) => deletes),
  };
}

/** Reads the current state of changed entities. Later changes are sent again. `positions`: the last change of each. */
async function readNow(reader: Reader, positions: ReadonlyMap<number, number>) {
  const numbers = [...positions.keys()];
  const facts = (await factsAmong(reader, { numbers })).map(({ collections, libraries, ...row }) => ({
    ...row,
    collections: JSON.parse(collections) as string[],
    libraries: JSON.parse(libraries) as string[],
  }));
  const factsByNumber = new Map(facts.map((each) => [each.id, each]));
  const described: Described[] = [];
  const changedAt = new Map<number, number | undefined>();
  for (const kind of ['item', 'collection'] as const) {
    const ids = facts.filter(({ id }) => kindOf(id) === kind).map(({ entityId }) => entityId);
    for (const [id, loaded] of await loadThere(reader, kind, ids)) {
      described.push({ kind, id, size: loaded.size, state: loaded.state });
      changedAt.set(numberOf(kind, id), loaded.changedAt);
    }
  }
  const docs = await docsOf(reader, described);
  const upserts = docs.map((doc) => {
    const change = { position: positions.get(doc.id)!, changedAt: changedAt.get(doc.id) };
    return engineDocument(doc, factsByNumber.get(doc.id)!, change);
  });
  const docIds = new Set(docs.map(({ id }) => id));
  const deletes = numbers.filter((id) => !docIds.has(id)).map((id) => ({ id, position: positions.get(id)! }));
  const bytes = described.reduce((sum, { size }) => sum + size, 0);
  return { upserts, deletes, bytes };
}
