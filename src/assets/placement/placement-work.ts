import { changedMeanwhile, isChangedOrGone } from '../../core/lib/retry-when-changed.ts';
import { type CommitPlan, type Statement, systemActor } from '../../core/store/contract.ts';
import { isOutage } from '../../core/store/faults.ts';
import type { Reader } from '../../core/store/statement.ts';
import { type Piece, type PieceContext, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import { ruledStorages } from '../../storage/public.ts';
import { fileAt, findFile } from '../../storage/public-reading.ts';
import { folderOfItem, type ItemsContext, otherwisePlaced } from '../items/public.ts';
import { otherwiseNamed } from '../shapes/public.ts';
import { beginCopy, removalOf } from './copies.ts';
import { loadPlaced, type PlacedFile } from './load.ts';
import { type CopyToStart, type PlacementWork, placementWork, type Storages } from './rules.ts';
import {
  type DueRow,
  dueCount,
  firstWalk,
  forgetCopy,
  letCopyRest,
  nextDueFile,
  placementsDue,
  postponeFile,
  runningCopies,
  settlePlacement,
  stillDue,
  waitedFor,
  waitingFor,
} from './store.ts';
import { nextPage } from './walk.ts';

/** Move to be started, with the record for its component. */
interface Renaming {
  readonly work: CommitPlan;
  readonly fileId: string;
  readonly storageId: string;
}

interface Move {
  readonly fileId: string;
  /** Undefined: a free name in the folder of the item, which the job chooses when it starts. */
  readonly path: string | undefined;
  readonly isInJob: number;
  /** 0: the storage takes no files now, or the file is locked. */
  readonly mayMove: number;
}

/**
 * Move of a file to the name given by its shape, or to the folder of its item. `later`: another job uses the file.
 * `unable`: not possible now. Undefined: nothing to move, or the name is taken.
 */
async function renamingOf(
  parts: ItemsContext,
  placed: PlacedFile,
  now: number,
): Promise<Renaming | 'later' | 'unable' | undefined> {
  const { store } = parts;
  const move = (await toName(store, placed, now)) ?? (await toFolder(store, placed, now));
  const source = move && (await findFile(store, { id: move.fileId }));
  if (!source) return undefined;
  const { storageId } = source;
  const { path, isInJob, mayMove } = move;
  if (path !== undefined && (await fileAt(store, { storageId, path }))) return undefined;
  if (isInJob === 1) return 'later';
  // Includes locks of its item, and callers that want the file to stay.
  const isHeld = placed.copies.some((copy) => copy.fileId === source.id && copy.isHeld);
  if (mayMove === 0 || isHeld) return 'unable';
  const work = await beginCopy(parts, placed, source, { moves: true, storageId, path });
  return { work, fileId: source.id, storageId };
}

async function toName(reader: Reader, { componentId }: PlacedFile, now: number): Promise<Move | undefined> {
  const [file] = await otherwiseNamed(reader, { componentId, now });
  return file && { ...file, path: file.filename };
}

async function toFolder(reader: Reader, { componentId, itemId }: PlacedFile, now: number): Promise<Move | undefined> {
  const folder = await folderOfItem(reader, itemId);
  const [file] = folder === undefined ? [] : await otherwisePlaced(reader, { componentId, folder, now });
  return file && { ...file, path: undefined };
}

interface StartedCopies {
  readonly underWay: ReadonlySet<string>;
  readonly resting: ReadonlySet<string>;
  /** Times when storages may be tried again. */
  readonly restsUntil: readonly number[];
  /** Updates for copies whose jobs ended. */
  readonly changes: readonly Statement[];
}

/**
 * Status of the copies started by rules. Failed ones are retried after a rest. `moving`: the file that still has to
 * move.
 */
function startedOf(
  { componentId, copies, started }: PlacedFile,
  now: number,
  rest: number,
  moving?: string,
): StartedCopies {
  const underWay = new Set<string>();
  const resting = new Map<string, number>();
  const changes: Statement[] = [];
  const occupied = new Set(copies.map(({ storageId }) => storageId));
  for (const row of started) {
    const { storageId, restUntil } = row;
    if (row.isLive === 1) underWay.add(storageId);
    else if (row.componentId === componentId) {
      const isThere = occupied.has(storageId) && row.fileId !== moving;
      const isDone = isThere || (restUntil !== null && restUntil <= now);
      if (isDone) changes.push(forgetCopy(row));
      else {
        const until = restUntil ?? now + rest;
        resting.set(storageId, until);
        if (restUntil === null) changes.push(letCopyRest({ ...row, until }));
      }
    }
  }
  return { underWay, resting: new Set(resting.keys()), restsUntil: [...resting.values()], changes };
}

/** Maximum concurrent copies to one storage, including moves within it. Other components wait. */
const max = 100;
/** Components per read. */
const batch = 50;
/** Milliseconds between two rounds. */
const soon = 2_000;
/** Milliseconds until a retry for a component that lacks a source or a storage. */
const rest = 3_600_000;
/** Milliseconds until a retry while a job holds a file to rename, or a move holds a file to copy. */
const pause = 60_000;
/** Milliseconds until a retry while other copies run: their end makes the component due earlier. */
const day = 86_400_000;
/** Maximum of rows counted for metrics. */
const counted = 100_000;

const nothing: PlacementWork = { start: [], remove: [], waits: false };

/** State of one batch. */
interface Round {
  readonly storages: Storages;
  /** Running copies by storage. */
  readonly running: Map<string, number>;
  /** Copies started in the batch, by source and storage. */
  readonly begun: Set<string>;
}

/** Starts copies required by storage rules, and deletes copies that they forbid. */
export function placementKind(parts: ItemsContext): WorkKind {
  const { store, clock } = parts;
  let restsUntil = Number.NEGATIVE_INFINITY;

  /** Due components first, then those that waited for a storage. */
  async function nextRows(): Promise<readonly DueRow[]> {
    const rows = await nextDueFile(store, { now: clock.now(), limit: batch });
    if (rows.length > 0) return rows;
    for (const { id, running } of await waitedFor(store, {})) {
      if (running < max) return waitingFor(store, { id, limit: Math.min(batch, max - running) });
    }
    return [];
  }

  async function startOf(placed: PlacedFile, { source, storageId }: CopyToStart): Promise<CommitPlan | undefined> {
    const row = await findFile(store, { id: source.fileId });
    return row && beginCopy(parts, placed, row, { moves: false, storageId, forUses: true });
  }

  /** Copies to start for a component. `full`: a storage at its limit. */
  async function startsOf(placed: PlacedFile, { start, waits }: PlacementWork, { running, begun }: Round) {
    const works: CommitPlan[] = [];
    let full: string | undefined;
    let isWaiting = waits;
    for (const each of start) {
      const { storageId } = each;
      const count = running.get(storageId) ?? 0;
      const once = `${each.source.fileId} ${storageId}`;
      if (count >= max) full = storageId;
      else {
        const started = begun.has(once) ? undefined : await startOf(placed, each);
        if (started) {
          works.push(started);
          running.set(storageId, count + 1);
          begun.add(once);
        } else isWaiting = true;
      }
    }
    return { works, full, waits: isWaiting };
  }

  /** Commits the work for a component. Returns statements for its row. */
  async function place(row: DueRow, placed: PlacedFile, round: Round): Promise<readonly Statement[]> {
    const { storages, running } = round;
    const now = clock.now();
    const { rule, copies } = placed;
    const renaming = await renamingOf(parts, placed, now);
    if (renaming === 'later') return [postponeFile({ serial: row.serial, due: now + pause, storageId: null })];
    const still = stillDue({ serial: row.serial }, changedMeanwhile('component', row.componentId));
    const move = renaming === 'unable' ? undefined : renaming;
    const { changes, underWay, resting, restsUntil } = startedOf(placed, now, rest, move?.fileId);
    const work =
      rule === undefined || copies.length === 0
        ? nothing
        : placementWork(rule, { copies, underWay, resting }, storages);
    const { works, full, waits } = await startsOf(placed, work, round);
    let after = [...changes, settlePlacement({ serial: row.serial })];
    if (full !== undefined) after = [...changes, postponeFile({ serial: row.serial, due: now + day, storageId: full })];
    else if (waits || renaming !== undefined) {
      const wait = copies.some(({ isMoving }) => isMoving) ? pause : rest;
      const until = Math.min(now + wait, ...restsUntil);
      after = [...changes, postponeFile({ serial: row.serial, due: until, storageId: null })];
    }
    if (works.length > 0) {
      await store.commit(
        {
          // Ended copies come first, so that they can start again.
          changes: [still, ...after, ...works.flatMap((each) => each.changes)],
          events: works.flatMap((each) => each.events),
        },
        systemActor,
      );
      after = [];
    }
    let isChanged = works.length > 0;
    for (const { fileId } of work.remove) {
      const removal = await removalOf(parts, fileId, storages, 'forbidden');
      if (removal) {
        await store.commit(removal, systemActor);
        isChanged = true;
      } else after = [...changes, postponeFile({ serial: row.serial, due: now + rest, storageId: null })];
    }
    // Copies come before the move: a move that always fails would block them.
    if (isChanged || move === undefined || resting.has(move.storageId)) return after;
    const { storageId } = move;
    const count = running.get(storageId) ?? 0;
    if (count >= max) return [...changes, postponeFile({ serial: row.serial, due: now + day, storageId })];
    await store.commit({ ...move.work, changes: [still, ...after, ...move.work.changes] }, systemActor);
    running.set(storageId, count + 1);
    return [];
  }

  /** Processes a batch. False: another instance works on the same rows. */
  async function look(rows: readonly DueRow[], context: PieceContext): Promise<boolean> {
    const ids = rows.map(({ componentId }) => componentId);
    const placed = new Map((await loadPlaced(store, ids, clock.now())).map((each) => [each.componentId, each]));
    const counts = await runningCopies(store, {});
    const running = new Map(counts.map(({ id, count }) => [id, count]));
    const round: Round = { storages: await ruledStorages(store), running, begun: new Set() };
    const changes: Statement[] = [];
    let isAlone = true;
    for (const row of rows) {
      const { serial, componentId } = row;
      const file = placed.get(componentId);
      try {
        changes.push(...(file ? await place(row, file, round) : [settlePlacement({ serial })]));
      } catch (error) {
        if (isOutage(error)) throw error;
        if (isChangedOrGone(error)) isAlone = false;
        else {
          // Failures are isolated, so that other components go on.
          context.failed(`${componentId}: ${(error as Error).message}`);
          changes.push(postponeFile({ serial, due: clock.now() + rest, storageId: null }));
        }
      }
    }
    if (changes.length > 0) await store.commit({ changes, events: [] }, systemActor);
    context.done(rows.length);
    return isAlone;
  }

  /** Continues the first walk. False: no walk is left. */
  async function walkOn(): Promise<boolean> {
    const walk = await firstWalk(store, {});
    if (walk) await store.commit({ changes: await nextPage(store, walk), events: [] }, systemActor);
    return walk !== undefined;
  }

  return workKind<Piece>({
    name: 'placements',
    says: 'Copies and removes files as storage rules require',
    priority: 68,
    concurrency: 1,
    wokenBy: [],
    due: () => placementsDue(max),
    dueHere: (due) => Math.max(due, restsUntil),
    async claim(_most, now) {
      restsUntil = now + soon;
      return [{ key: 'components' }];
    },
    async do(_piece, context) {
      while (context.mayGoOn()) {
        const rows = await nextRows();
        // The next poll handles conflicts with other instances, and deleted files.
        if (rows.length > 0 ? !(await look(rows, context)) : !(await walkOn())) return;
      }
    },
    async measure() {
      const [row] = await dueCount(store, { limit: counted });
      return { waiting: (row?.waiting ?? 0) + (row?.walks ?? 0) };
    },
  });
}
