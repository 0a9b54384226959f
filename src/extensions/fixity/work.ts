import { changedMeanwhile, isChanged } from '../../core/lib/retry-when-changed.ts';
import { pacing } from '../../core/lib/streams.ts';
import { changing, together } from '../../core/store/commit-plan.ts';
import { type CommitPlan, type Statement, systemActor } from '../../core/store/contract.ts';
import { type Piece, type PieceContext, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import { kindOfFailure, lookAt, lookError, methodsOf, type ReachableMethod, usesOfFile } from '../../storage/public.ts';
import { checkFile, type Finding, type Reading } from './check.ts';
import { fixityEvent } from './events.ts';
import type { FixityParts } from './parts.ts';
import {
  addDigest,
  addFiles,
  countDueFiles,
  type DueFile,
  dueFiles,
  dueStorages,
  endLeases,
  endReading,
  fileAsChecked,
  findSchedule,
  fixityDue,
  keepReading,
  leaseHolds,
  moveLease,
  putOff,
  removeFiles,
  restOf,
  type Schedule,
  takeLease,
  writeOutcome,
} from './store.ts';

const leaseTime = 60_000;
/** Milliseconds after which another storage has its turn. */
const slice = 60_000;
/** Milliseconds after which the findings so far are written. */
const maxLength = 2_000;
/** Files that are read from the database at once. */
const batch = 50;
/** Milliseconds until a file is looked at again that is not as it should be, or could not be compared. */
const soon = 86_400_000;
/** Files of a storage that are counted. */
const maxCounted = 10_000;

const lost = changedMeanwhile('Storage', 'fixity');

interface Slice extends Piece {
  fence: number | undefined;
}

/** Reads the files of storages again, one file of a storage after the other. */
export function fixityKind(parts: FixityParts): WorkKind {
  const { store, clock, settings } = parts;
  const restsUntil = new Map<string, number>();
  const system = (work: CommitPlan) => store.commit(work, systemActor);

  async function take(piece: Slice): Promise<Schedule | undefined> {
    const { key: storageId } = piece;
    const row = await findSchedule(store, { storageId });
    if (!row || row.leaseUntil > clock.now()) return undefined;
    const { fence } = row;
    const until = clock.now() + leaseTime;
    await system(changing(leaseHolds({ storageId, fence }, lost), takeLease({ storageId, until })));
    piece.fence = fence + 1;
    return { ...row, fence: fence + 1 };
  }

  /** Changes that hold as long as this instance has the storage. */
  const guarded = ({ storageId, fence }: Pick<Schedule, 'storageId' | 'fence'>, ...changes: readonly Statement[]) =>
    changing(leaseHolds({ storageId, fence }, lost), ...changes);

  /** Gives files their rows, or deletes those of a storage that is switched off. False: there are more. */
  async function lineUp(schedule: Schedule, context: PieceContext): Promise<Schedule | undefined> {
    let row: Schedule | undefined = schedule;
    while (row && (row.days === 0 || row.cursor !== null)) {
      if (!context.mayGoOn()) return undefined;
      const { storageId } = row;
      const values = { storageId, now: clock.now(), rest: restOf(row) };
      await system(guarded(row, ...(row.days === 0 ? removeFiles : addFiles).map((statement) => statement(values))));
      row = await findSchedule(store, { storageId });
    }
    return row;
  }

  async function readingMethod(storageId: string, signal: AbortSignal): Promise<ReachableMethod | undefined> {
    const methods = (await methodsOf(store, { id: storageId })).filter(({ read }) => read === 1);
    return (await lookAt(parts, methods, { signal })).seen[0];
  }

  async function readAgain(schedule: Schedule, context: PieceContext): Promise<void> {
    const { storageId, bytesPerSecond } = schedule;
    const method = await readingMethod(storageId, context.signal);
    if (!method) return void restsUntil.set(storageId, clock.now() + leaseTime);
    const begun = schedule.reading === null ? undefined : (JSON.parse(schedule.reading) as Reading);
    const checking = {
      hasher: parts.hasher,
      settings,
      method,
      begun,
      pace: pacing(bytesPerSecond, clock, context.signal),
      keep: (reading: Reading) =>
        system(guarded(schedule, keepReading({ storageId, reading: JSON.stringify(reading) }))),
    };
    const begunAt = clock.now();
    let [works, since] = [[] as CommitPlan[], begunAt];
    const write = async () => {
      await commitAll(schedule, works);
      context.done(works.length);
      [works, since] = [[], clock.now()];
    };
    for (;;) {
      const files = await dueFiles(store, { storageId, now: clock.now(), limit: batch });
      for (const file of files) {
        if (!context.mayGoOn() || clock.now() - begunAt > slice) return write();
        const finding = await checkFile(checking, file, context).catch(async (error: unknown) => {
          await write();
          throw error;
        });
        if (!finding) return write();
        works.push(await workOf(schedule, file, finding));
        if (clock.now() - since >= maxLength) await write();
      }
      await write();
      if (files.length < batch) return;
    }
  }

  async function workOf(schedule: Schedule, file: DueFile, finding: Finding): Promise<CommitPlan> {
    const now = clock.now();
    const { id: fileId, storageId } = file;
    const rest = restOf(schedule);
    if ('later' in finding) {
      const due = now + (finding.isResting ? rest : Math.min(soon, rest));
      return changing(putOff({ fileId, due, says: finding.later }));
    }
    const { state, says, digest } = finding;
    const isBad = state === 'changed' || state === 'missing';
    const outcome = {
      ...{ state, says: says ?? null, due: now + (isBad ? Math.min(soon, rest) : rest) },
      ...{ checkedAt: state === 'unhashed' ? null : now, verifiedAt: state === 'verified' ? now : file.verifiedAt },
    };
    const isNews = state !== file.found && (isBad || file.found === 'changed' || file.found === 'missing');
    const uses = isNews ? await usesOfFile(store, fileId) : undefined;
    return {
      changes: [
        fileAsChecked(file, changedMeanwhile('File', fileId)),
        ...(digest !== undefined && file.hash !== null ? [addDigest({ id: fileId, hash: file.hash, digest })] : []),
        writeOutcome({ fileId, ...outcome }),
        endReading({ storageId, fileId }),
      ],
      events: uses
        ? [
            fixityEvent('file/fixity', fileId, {
              ...{ fileId, storageId, fixity: state },
              ...(uses.shapeId.length > 0 && { shapeId: uses.shapeId }),
              ...(uses.itemId.length > 0 && { itemId: uses.itemId }),
              ...(says !== undefined && { message: says }),
            }),
          ]
        : [],
    };
  }

  /** Commits all findings together. If a file has changed meanwhile, commits them one by one. */
  async function commitAll(schedule: Schedule, works: readonly CommitPlan[]): Promise<void> {
    if (works.length === 0) return;
    try {
      await system(together(guarded(schedule), ...works));
    } catch (error) {
      if (error === lost || !isChanged(error)) throw error;
      if (works.length > 1) for (const work of works) await commitAll(schedule, [work]);
    }
  }

  return workKind<Slice>({
    name: 'fixity',
    says: 'Reads files again and compares them with their hashes',
    // An edge has no time to read a large file.
    hosts: ['loop'],
    priority: 90,
    concurrency: settings.fixityReaders,
    wokenBy: [],
    due: () => fixityDue,
    lease: {
      milliseconds: leaseTime,
      lost,
      async renew({ key: storageId, fence }, leaseUntil) {
        if (fence !== undefined) await system(guarded({ storageId, fence }, moveLease({ storageId, leaseUntil })));
      },
    },
    async claim(max, now, isHeld) {
      for (const [id, until] of restsUntil) if (until <= now) restsUntil.delete(id);
      const limit = max + settings.fixityReaders + restsUntil.size;
      const free = (await dueStorages(store, { now, limit })).filter(
        ({ storageId }) => !isHeld(storageId) && !restsUntil.has(storageId),
      );
      return free.slice(0, max).map(({ storageId }): Slice => ({ key: storageId, fence: undefined }));
    },
    async do(piece, context) {
      const { key: storageId } = piece;
      try {
        const taken = await take(piece);
        const schedule = taken && (await lineUp(taken, context));
        if (schedule) await readAgain(schedule, context);
      } catch (error) {
        if (error === lost || context.signal.aborted) return;
        // The storage is offline, so its other files would fail, too.
        restsUntil.set(storageId, clock.now() + leaseTime);
        if (kindOfFailure(error) !== 'offline') throw error;
        context.failed(`${storageId}: ${lookError(error)}`);
      } finally {
        const { fence } = piece;
        // Where the database does not answer, the lease ends by itself.
        if (fence !== undefined)
          await system(guarded({ storageId, fence }, moveLease({ storageId, leaseUntil: 0 }))).catch(() => undefined);
      }
    },
    async measure() {
      const [row] = await countDueFiles(store, { now: clock.now(), limit: maxCounted });
      return { waiting: row?.waiting ?? 0, oldest: row?.oldest ?? undefined, running: row?.running ?? 0 };
    },
    async takeBack() {
      const [ended = []] = await store.commit(changing(endLeases({})), systemActor);
      return ended.length;
    },
  });
}
