import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { yieldTurn } from '../../../core/lib/turn.ts';
import { type Committing, type Participant, type Statement, tableConcern } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import type { WorkKind } from '../../../core/work/work-kind.ts';
import { steps } from '../../../core/work/work-kind.ts';
import type { EngineBatch, SearchEngine } from '../../../spi/index.ts';
import { loadFields } from '../../definitions/public-reading.ts';
import {
  heirsAmong,
  loadRows,
  mayHaveGone,
  namingFields,
  rowsThere,
  type StateRow,
} from '../../metadata/public-reading.ts';
import { commitStep } from '../index/commit-step.ts';
import type { EmbeddedDoc } from '../index/document.ts';
import { type IndexedKind, kindOf, numberOf } from '../index/keys.ts';
import { type BuiltFrom, type Described, docsOf, type RecentDocs } from '../index/participant.ts';
import type { SearchContext } from '../parts.ts';
import { engineDocument, feedNameOf } from './documents.ts';
import { noteFed } from './fed.ts';
import {
  acknowledge,
  advanceSeeding,
  beginBuild,
  changesBehind,
  countWaiting,
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
  manyAtOnce,
  markChanges,
  setAside,
  takeAside,
  takeLease,
  tellOlder,
  tellWriters,
} from './feed-sql.ts';

/** Changes of a batch, and the bytes of metadata at which it ends; older entities queued at once. */
const [maxChanges, mostBytes, maxOlder] = [2500, 4_000_000, 2500];
/** Changes of those that were set aside that are queued at once. */
const maxAside = 1000;
/** Changes of a batch that are read in one turn of the loop. */
const sliceSize = 250;
/** Milliseconds until a retry after a failed step, and between two looks whether the engine still has its data. */
const [rest, every] = [1000, 10_000];
/** Milliseconds until a retry after many failures in sequence: the pause doubles up to this. */
const maxRest = 8000;
/** Milliseconds between two batches that are not full: each costs as much as the documents of several commits. */
const gathers = 200;
/** Milliseconds after which another instance feeds the engine. */
const leaseTime = 30_000;

interface FeedContext extends Pick<SearchContext, 'store' | 'clock' | 'instanceId'> {
  readonly security: Pick<SearchContext['security'], 'searchEngines'>;
  readonly recent: RecentDocs;
}

/** Sends committed changes to the engine, from the position that it has on. One instance does. */
export function feedKind(context: FeedContext): WorkKind {
  const { clock } = context;
  let failures = 0;
  let failedUntil = Number.NEGATIVE_INFINITY;
  async function paced(engine: SearchEngine): Promise<boolean | number> {
    try {
      const goesOn = await feed(context, engine);
      failures = 0;
      noteFed(engine, true);
      return goesOn;
    } catch (error) {
      noteFed(engine, false);
      failedUntil = clock.now() + Math.min(rest * 2 ** failures++, maxRest);
      throw error;
    }
  }
  const kind = steps({
    name: 'feed-search-engine',
    says: 'Sends changes of metadata and access to the search engine',
    priority: 72,
    clock,
    rest,
    every,
    due: () => feedDue,
    wokenBy: [tableConcern('search_change'), tableConcern('search_bulk'), tableConcern('search_reindex')],
    async step() {
      const [engine] = context.security.searchEngines();
      return engine
        ? paced(engine)
        : commitStep(context.store, [dropOthers({ name: '' }), ...dropUnread.map((drop) => drop())]);
    },
  });
  // Without an engine, nothing is looked at from time to time.
  return {
    ...kind,
    dueHere: (due) => (context.security.searchEngines().length > 0 ? Math.max(kind.dueHere!(due), failedUntil) : due),
    async measure() {
      const [engine] = context.security.searchEngines();
      const row = engine && (await findFeed(context.store, { name: feedNameOf(engine) }));
      if (!row) return { waiting: 0 };
      const { waiting } = (await countWaiting(context.store, row))!;
      const build = { name: 'index', done: row.done ?? 0, of: row.total ?? 0 };
      return {
        waiting,
        ...(waiting > 0 && { oldest: row.caughtAt }),
        ...(row.isBuilding === 1 && { pieces: [build] }),
      };
    },
  };
}

/** Does one step. False: the engine has everything, or another instance feeds it. A number: the next step is due so late. */
async function feed(
  { store, clock, instanceId, recent }: FeedContext,
  engine: SearchEngine,
): Promise<boolean | number> {
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

  const { position, isBuilding } = await engine.state(true);
  const isReady = row.isReady === 1 && position >= row.position && position <= row.newest;
  if (buildsAnew(row, isReady, isBuilding)) {
    await engine.begin();
    const [begin, tell] = beginBuild;
    return write(begin({ name, ready: isReady ? 1 : 0 }), tell({ now }));
  }
  if (row.isBuilding === 1 && row.status === 'ABORTED') return write(leaveBuild({ name }));
  const changes = await changesBehind(store, { position: row.position, limit: maxChanges });
  const last = changes.at(-1);
  if (last) {
    const batch = await batchOf(store, recent, changes);
    await engine.apply(batch);
    const isAll = changes.length < maxChanges && batch.position === last.position;
    const hasAside = isAll && row.hasAside === 1;
    const aside = hasAside ? takeAside : [];
    const read = [acknowledge({ name, position: batch.position, caughtAt: isAll ? now : 0 }), dropRead({})];
    const isSent = await write(...read, ...aside.map((take) => take({ limit: maxAside })));
    return isSent && isAll && !hasAside ? gathers : isSent;
  }
  if (row.hasAside === 1) return write(...takeAside.map((take) => take({ limit: maxAside })));
  if (row.caughtAt < now - every) await write(acknowledge({ name, position: row.position, caughtAt: now }));
  if (row.isBuilding === 0 || row.status === 'PAUSED') return false;
  if (row.seeding > 0) {
    const slice = { seeding: row.seeding, limit: maxOlder };
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
      ? [tellWriters({ users: [...new Set(commits.map(({ actor }) => actor.user))], now: commits[0]!.now })]
      : [],
});

/** Sets changes of a commit aside where it changes many entities without their metadata. */
export const bulkParticipant = ({ security }: Pick<FeedContext, 'security'>): Participant => {
  const isMany = ({ touches }: Committing): boolean =>
    security.searchEngines().length > 0 &&
    (touches.length >= manyAtOnce || touches.some(({ kind }) => kind === 'collection' || kind === 'library'));
  return {
    name: 'search engine, in bulk',
    concerns: ['item.access', ...['owner', 'members'].flatMap((each) => [`collection.${each}`, `library.${each}`])],
    before: (commit) => (isMany(commit) ? [markChanges({})] : []),
    after: (commit) => (isMany(commit) ? setAside.map((set) => set({ user: commit.actor.user })) : []),
  };
};

/** Whether a build is asked for, or the engine lost something, is new, or is that of another database. */
const buildsAnew = (row: FeedRow, isReady: boolean, hasSecond: boolean): boolean =>
  row.status === 'IN_QUEUE' ||
  (row.isBuilding === 1 ? !hasSecond : row.status === 'IN_PROGRESS' || (!isReady && row.status !== 'ABORTED'));

interface Change {
  readonly entity: number;
  readonly position: number;
}

/** The first of the changes, until their metadata is large. Each batch costs the engine as much as hundreds of documents. */
async function batchOf(reader: Reader, recent: RecentDocs, changes: readonly Change[]): Promise<EngineBatch> {
  const lastOf = new Map(changes.map(({ entity, position }) => [entity, position]));
  const parts: Awaited<ReturnType<typeof readNow>>[] = [];
  let [position, bytes] = [0, 0];
  for (let from = 0; from < changes.length && bytes < mostBytes; from += sliceSize) {
    if (from > 0) await yieldTurn();
    const slice = changes.slice(from, from + sliceSize);
    const positions = new Map<number, number>();
    for (const { entity } of slice) {
      if (lastOf.has(entity)) positions.set(entity, lastOf.get(entity)!);
      lastOf.delete(entity);
    }
    const part = await readNow(reader, recent, positions);
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
async function readNow(reader: Reader, recent: RecentDocs, positions: ReadonlyMap<number, number>) {
  const numbers = [...positions.keys()];
  const facts = (await factsAmong(reader, { numbers })).map(({ collections, libraries, ...row }) => ({
    ...row,
    collections: JSON.parse(collections) as string[],
    libraries: JSON.parse(libraries) as string[],
  }));
  const factsByNumber = new Map(facts.map((each) => [each.id, each]));
  const described: Described[] = [];
  const docs: EmbeddedDoc[] = [];
  const changedAt = new Map<number, number | undefined>();
  let bytes = 0;
  for (const kind of ['item', 'collection'] as const) {
    const ids = facts.filter(({ id }) => kindOf(id) === kind).map(({ entityId }) => entityId);
    const rows = await rowsThere(reader, kind, ids);
    const built = await recentAmong(reader, recent, kind, rows);
    docs.push(...built.values());
    const others = new Map([...rows].filter(([id]) => !built.has(id)));
    for (const [id, { size, state }] of await loadRows(reader, others)) described.push({ kind, id, size, state });
    for (const [id, row] of rows) {
      bytes += row!.doc.length;
      changedAt.set(numberOf(kind, id), row!.changedAt);
    }
  }
  docs.push(...(await docsOf(reader, described)));
  const upserts = docs.map((doc) => {
    const change = { position: positions.get(doc.id)!, changedAt: changedAt.get(doc.id) };
    return engineDocument(doc, factsByNumber.get(doc.id)!, change);
  });
  const docIds = new Set(docs.map(({ id }) => id));
  const deletes = numbers.filter((id) => !docIds.has(id)).map((id) => ({ id, position: positions.get(id)! }));
  return { upserts, deletes, bytes };
}

/** Documents that commits of this instance built from the stored states, by id, where nothing else decides about them now. */
async function recentAmong(
  reader: Reader,
  recent: RecentDocs,
  kind: IndexedKind,
  rows: ReadonlyMap<string, StateRow | undefined>,
): Promise<ReadonlyMap<string, EmbeddedDoc>> {
  const heirs = kind === 'item' ? await heirsAmong(reader, [...rows.keys()]) : new Set<string>();
  const current = new Map<BuiltFrom, boolean>();
  const docs = new Map<string, EmbeddedDoc>();
  for (const [id, row] of rows) {
    const built = recent.take(numberOf(kind, id), row!.doc);
    if (!built || heirs.has(id) || mayHaveGone(row!)) continue;
    const { doc, from } = built;
    if (!current.has(from)) current.set(from, await isCurrent(reader, from));
    if (current.get(from)) docs.set(id, doc);
  }
  return docs;
}

/** Whether fields are defined as they were. */
async function isCurrent(reader: Reader, { names, definitions, naming }: BuiltFrom): Promise<boolean> {
  const [now, namingNow] = await Promise.all([loadFields(reader, names), namingFields(reader)]);
  if (namingNow.join() !== naming.join()) return false;
  return now.size === definitions.size && [...now].every(([name, field]) => definitions.get(name) === field);
}
