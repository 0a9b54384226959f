import { changedMeanwhile, isChanged } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { type CommitPlan, type Statement, systemActor } from '../../core/store/contract.ts';
import { type Piece, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import { beginServiceJob } from '../../room/jobs/contract.ts';
import { ruledByHook } from '../contract.ts';
import { type FileRow, findFile } from '../files/store.ts';
import { chooseStorage } from '../storage-rules/choice.ts';
import { afterMove } from '../storages/rules.ts';
import { copyOf, startCopy } from './copying/order.ts';
import type { FileJobParts } from './file-job.ts';
import { closedFiles, evacuatingStorages, evacuationDue, movesFromStorage, notInJobs } from './store.ts';

/** For the commit that starts a move: no other job has the file. */
const notMovedYet = (fileId: string): Statement => notInJobs({ fileId, jobId: '' }, changedMeanwhile('File', fileId));

/** Limit of concurrent moves of one storage, so that no long list of jobs waits. */
const max = 100;
/** Files in one commit. */
const batch = 20;
/** Milliseconds between two looks while storages are emptied. */
const soon = 2_000;
const concurrency = 2;
/** Milliseconds until a move that failed is tried again. */
const rest = 3_600_000;

/** Starts the moves that empty storages. */
export function evacuationKind(parts: FileJobParts): WorkKind {
  const { store, clock, hooks } = parts;
  /** Cursor for each storage: serial of the last file that was looked at. */
  const cursors = new Map<string, number>();
  let restsUntil = Number.NEGATIVE_INFINITY;
  let turn = 0;

  /** Move of a file to another storage. Undefined: no storage takes the file now. */
  async function moveOf(source: FileRow): Promise<CommitPlan | undefined> {
    const about = await hooks.need(ruledByHook)(store, { file: source.id });
    const storageId = await chooseStorage(store, about);
    if (storageId === undefined) return undefined;
    const copy = copyOf(source, { moves: true, storageId, rest }, about.items[0]);
    const job = await beginServiceJob(parts, copy);
    const { changes, events } = startCopy(copy, job, [notMovedYet(source.id)]);
    return { changes, events };
  }

  /** Gives the number of moves that it started. */
  async function startMoves(id: string, count: number): Promise<number> {
    const after = cursors.get(id) ?? 0;
    const page = await closedFiles(store, { id, after, now: clock.now(), limit: count });
    if (page.length === count) cursors.set(id, page.at(-1)!.serial);
    else cursors.delete(id);
    const works: CommitPlan[] = [];
    for (const { id: fileId, isBusy } of page) {
      const source = isBusy === 0 ? await findFile(store, { id: fileId }) : undefined;
      const work = source && (await moveOf(source));
      if (work) works.push(work);
    }
    if (works.length === 0) return 0;
    const changes = works.flatMap((work) => work.changes);
    const events = works.flatMap((work) => work.events);
    await store.commit({ changes, events }, systemActor);
    return works.length;
  }

  async function empty(id: string): Promise<number> {
    const running = (await movesFromStorage(store, { id }))?.count ?? 0;
    if (running >= max) return 0;
    const started = await startMoves(id, Math.min(batch, max - running));
    // A storage that had no file is empty at once.
    if (started + running === 0) await store.commit(changing(afterMove(id)), systemActor);
    return started;
  }

  return workKind<Piece>({
    name: 'evacuation',
    says: 'Starts the moves that empty storages',
    hosts: ['loop', 'edge'],
    priority: 62,
    concurrency,
    wokenBy: [],
    due: () => evacuationDue,
    dueHere: (due) => Math.max(due, restsUntil),
    async claim(free, now, isHeld) {
      const storages = (await evacuatingStorages(store, {})).filter(({ id }) => !isHeld(id));
      restsUntil = now + soon;
      // Each storage has its turn.
      turn = storages.length === 0 ? 0 : (turn + free) % storages.length;
      const next = [...storages.slice(turn), ...storages.slice(0, turn)].slice(0, free);
      return next.map(({ id }) => ({ key: id }));
    },
    async do({ key }, context) {
      try {
        for (let started = 1; started > 0 && context.mayGoOn(); ) {
          started = await empty(key);
          context.done(started);
        }
      } catch (error) {
        // Conflict: a second instance has started the same moves.
        if (!isChanged(error)) throw error;
      }
    },
  });
}
