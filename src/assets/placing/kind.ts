import { changedMeanwhile, isChangedOrGone } from '../../lib/retry-when-changed.ts';
import { findFile } from '../../media/files/store.ts';
import { ruledStorages } from '../../media/rules/storages.ts';
import { type Statement, systemActor, type Work } from '../../store/contract.ts';
import { type Held, type Piece, type WorkKind, workKind } from '../../work/kind.ts';
import type { AssetParts } from '../parts.ts';
import { beginCopy } from './begin-copy.ts';
import { loadPlaced, type Placed } from './load.ts';
import { removalOf } from './removing.ts';
import { renamingOf } from './renaming.ts';
import { type CopyToStart, type PlacementWork, placementWork, type Storages } from './rules.ts';
import { startedOf } from './started.ts';
import {
  type DueRow,
  dueCount,
  nextDue,
  putOff,
  runningCopies,
  settle,
  stillDue,
  waitedFor,
  waitingFor,
} from './store.ts';
import { firstWalk } from './walks/store.ts';
import { nextPage } from './walks/walk.ts';

/** Copies to one storage, and moves within it, at a time: other components wait for them. */
const most = 100;
/** Components that are read at once. */
const batch = 50;
/** Milliseconds between two looks while there is something to do, and while there is nothing. */
const [soon, later] = [2_000, 10_000];
/** Milliseconds until a component is looked at again that lacks something. */
const rest = 3_600_000;
/** The same where a job has a file that is to get another name, or a move has one that is to be copied: it may fail. */
const pause = 60_000;
/** The same where it waits for other copies: their ends are told anyway. */
const day = 86_400_000;
/** Rows that are counted for figures. */
const counted = 100_000;

const nothing: PlacementWork = { start: [], remove: [], waits: false };

/** What a batch has learned of all storages. */
interface Round {
  readonly storages: Storages;
  /** Copies to each storage. */
  readonly running: Map<string, number>;
  /** Source and storage of the copies that it has started. */
  readonly begun: Set<string>;
}

/** Starts the copies that storage rules want, and the deletions of those that they forbid. */
export function placementKind(parts: AssetParts): WorkKind {
  const { store, clock } = parts;
  let due = Number.NEGATIVE_INFINITY;

  /** Changed components first, then those that a storage has room for again. */
  async function nextRows(): Promise<readonly DueRow[]> {
    const rows = await nextDue(store, { now: clock.now(), limit: batch });
    if (rows.length > 0) return rows;
    for (const { id, running } of await waitedFor(store, {})) {
      if (running < most) return waitingFor(store, { id, limit: Math.min(batch, most - running) });
    }
    return [];
  }

  async function startOf(placed: Placed, { source, storageId }: CopyToStart): Promise<Work | undefined> {
    const row = await findFile(store, { id: source.fileId });
    return row && beginCopy(parts, placed, row, { moves: false, storageId, forUses: true });
  }

  /** The copies that a component lacks. `full`: a storage with no room for another one. */
  async function startsOf(placed: Placed, { start, waits }: PlacementWork, { running, begun }: Round) {
    const works: Work[] = [];
    let full: string | undefined;
    let isWaiting = waits;
    for (const each of start) {
      const { storageId } = each;
      const count = running.get(storageId) ?? 0;
      const once = `${each.source.fileId} ${storageId}`;
      if (count >= most) full = storageId;
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

  /** Commits what is to be started for a component. Gives what follows for its row. */
  async function place(row: DueRow, placed: Placed, round: Round): Promise<readonly Statement[]> {
    const { storages, running } = round;
    const now = clock.now();
    const { rule, copies } = placed;
    const renaming = await renamingOf(parts, placed, now);
    if (renaming === 'later') return [putOff({ serial: row.serial, due: now + pause, storageId: null })];
    const still = stillDue({ serial: row.serial }, changedMeanwhile('component', row.componentId));
    const move = renaming === 'unable' ? undefined : renaming;
    const { changes, underWay, resting, restsUntil } = startedOf(placed, now, rest, move?.fileId);
    const work =
      rule === undefined || copies.length === 0
        ? nothing
        : placementWork(rule, { copies, underWay, resting }, storages);
    const { works, full, waits } = await startsOf(placed, work, round);
    let after = [...changes, settle({ serial: row.serial })];
    if (full !== undefined) after = [...changes, putOff({ serial: row.serial, due: now + day, storageId: full })];
    else if (waits || renaming !== undefined) {
      const wait = copies.some(({ isMoving }) => isMoving) ? pause : rest;
      const until = Math.min(now + wait, ...restsUntil);
      after = [...changes, putOff({ serial: row.serial, due: until, storageId: null })];
    }
    if (works.length > 0) {
      await store.commit(
        {
          // Ended copies make room for those that begin again.
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
      } else after = [...changes, putOff({ serial: row.serial, due: now + rest, storageId: null })];
    }
    // What rules want comes first: a move that fails each time would hold it up.
    if (isChanged || move === undefined || resting.has(move.storageId)) return after;
    const { storageId } = move;
    const count = running.get(storageId) ?? 0;
    if (count >= most) return [...changes, putOff({ serial: row.serial, due: now + day, storageId })];
    await store.commit({ ...move.work, changes: [still, ...after, ...move.work.changes] }, systemActor);
    running.set(storageId, count + 1);
    return [];
  }

  /** False: another instance does the same. */
  async function look(rows: readonly DueRow[], held: Held): Promise<boolean> {
    const ids = rows.map(({ componentId }) => componentId);
    const placed = new Map((await loadPlaced(store, ids, clock.now())).map((each) => [each.componentId, each]));
    const counts = await runningCopies(store, {});
    const running = new Map(counts.map(({ id, count }) => [id, count]));
    const round: Round = { storages: await ruledStorages(store), running, begun: new Set() };
    const changes: Statement[] = [];
    let isAlone = true;
    for (const row of rows) {
      const { serial, componentId } = row;
      const found = placed.get(componentId);
      try {
        changes.push(...(found ? await place(row, found, round) : [settle({ serial })]));
      } catch (error) {
        if (isChangedOrGone(error)) isAlone = false;
        else {
          // It holds up no other one.
          held.failed(`${componentId}: ${(error as Error).message}`);
          changes.push(putOff({ serial, due: clock.now() + rest, storageId: null }));
        }
      }
    }
    if (changes.length > 0) await store.commit({ changes, events: [] }, systemActor);
    held.done(rows.length);
    return isAlone;
  }

  /** False: no walk is left. */
  async function walkOn(): Promise<boolean> {
    const walk = await firstWalk(store, {});
    if (walk) await store.commit({ changes: await nextPage(store, walk), events: [] }, systemActor);
    return walk !== undefined;
  }

  return workKind<Piece>({
    name: 'placements',
    says: 'Starts the copies that storage rules want, and removes those that they forbid',
    hosts: ['loop', 'edge'],
    priority: 68,
    concurrency: 1,
    wokenBy: [],
    async claim(_most, now, isHeld) {
      const key = 'components';
      if (now < due || isHeld(key)) return { pieces: [], looks: due };
      const isDue = (await nextRows()).length > 0 || (await firstWalk(store, {})) !== undefined;
      due = now + (isDue ? soon : later);
      return { pieces: isDue ? [{ key }] : [], looks: due };
    },
    async do(_piece, held) {
      while (held.mayGoOn()) {
        const rows = await nextRows();
        // The next look says what another instance has left, or a file that is gone.
        if (rows.length > 0 ? !(await look(rows, held)) : !(await walkOn())) return;
      }
    },
    async measure() {
      const [row] = await dueCount(store, { limit: counted });
      return { waiting: (row?.waiting ?? 0) + (row?.walks ?? 0) };
    },
  });
}
