import { forgetEntity } from '../../../entities/forget.ts';
import type { HeldJob, JobEnd } from '../../../jobs/job-type.ts';
import { changedMeanwhile } from '../../../lib/retry-when-changed.ts';
import type { CommitPlan, Statement } from '../../../store/contract.ts';
import { tellFile, type When } from '../../files/changes/rules.ts';
import { removeUses } from '../../files/changes/store.ts';
import { moveExternalIds } from '../../files/relocation/store.ts';
import { changeFile, type FileUses, fileEvent, newFile, noUses, unseenFile } from '../../files/states.ts';
import { deleteRow, type FileRow, type NewFile } from '../../files/store.ts';
import { noSuchStorage } from '../../storages/rules.ts';
import { storageThere } from '../../storages/store.ts';
import { beginReading, endReading, forgetFileJobs, forgetJob, forgetUnended, letRest, nameFile } from '../store.ts';
import { shareKeys, shareUses, stillToAppear } from './store.ts';

/** Parameters of a copy job. */
export interface Copying {
  readonly sourceId: string;
  readonly storageId: string;
  readonly moves: boolean;
  /** Target path wanted by the caller. Undefined: a generated path. */
  readonly filename: string | undefined;
  /** Bytes a second. */
  readonly limitRate: number | undefined;
  /** Milliseconds until a failed move is retried automatically. Undefined: never. */
  readonly rest: number | undefined;
  /** Seconds for which storage rules leave the new file alone. */
  readonly timeRequirement: number | undefined;
  /** Without a component that has the source the copy fails. */
  readonly forUses: boolean;
  readonly targetId: string | undefined;
  /** Whether all bytes are at their path. */
  readonly isWritten: boolean;
  /** Components have the new file. */
  readonly isShared: boolean;
  readonly sourceHash: string | undefined;
}

export function copyingOf({ memo }: Pick<HeldJob, 'memo'>): Copying {
  const text = (key: string) => (typeof memo[key] === 'string' ? memo[key] : undefined);
  const number = (key: string) => (typeof memo[key] === 'number' ? memo[key] : undefined);
  return {
    sourceId: text('sourceId')!,
    storageId: text('storageId')!,
    moves: memo['moves'] === true,
    filename: text('filename'),
    limitRate: number('limitRate'),
    rest: number('rest'),
    timeRequirement: number('timeRequirement'),
    forUses: memo['forUses'] === true,
    targetId: text('targetId'),
    isWritten: memo['isWritten'] === true,
    isShared: memo['isShared'] === true,
    sourceHash: text('sourceHash'),
  };
}

/** The row of a file that a job is about to write. Callers see that it will appear. */
export function reserveTarget(job: HeldJob, source: FileRow, target: NewFile): CommitPlan {
  const { changes, events } = newFile(target, changedMeanwhile('File', target.id));
  return {
    changes: [
      storageThere({ id: target.storageId }, noSuchStorage(target.storageId)),
      ...changes,
      nameFile({ fileId: target.id, jobId: job.id }),
      ...beginReading({ fileId: source.id, jobId: job.id }),
    ],
    events,
  };
}

export const targetRow = (id: string, storageId: string, path: string, now: number): NewFile =>
  unseenFile({ id, storageId, path, state: 'TO_APPEAR' }, now);

/** Adds the copy to all components with the source. A move also keeps the name for clients. */
export function shareSource(source: FileRow, target: FileRow, uses: FileUses, moves: boolean): CommitPlan {
  const both = { from: source.id, to: target.id };
  const isUsed = uses.shapeId.length > 0;
  return {
    changes: [shareUses(both), ...(moves ? [shareKeys(both), moveExternalIds(both)] : [])],
    events: isUsed ? [fileEvent('file/change', target, uses)] : [],
  };
}

/** The bytes of the source go when the grace time is over. */
export function removeSource(source: FileRow, uses: FileUses, when: When): CommitPlan {
  const work = tellFile(source, { state: 'TO_BE_DELETED' }, uses, when);
  return { changes: [removeUses({ id: source.id }), ...(work?.changes ?? [])], events: work?.events ?? [] };
}

/** Cleans up the target of a failed or aborted copy. No backup can need its bytes. */
export function dropTarget(target: FileRow, now: number): CommitPlan {
  if (target.state === 'TO_BE_DELETED') return { changes: [], events: [] };
  const { id } = target;
  if (target.state === 'TO_APPEAR' && target.content === null) {
    const changed = changedMeanwhile('File', id);
    const changes = [
      stillToAppear({ id }, changed),
      ...forgetEntity('file', id),
      forgetFileJobs({ fileId: id }),
      deleteRow({ id }),
    ];
    return { changes, events: [fileEvent('file/delete', target)] };
  }
  return changeFile(target, { state: 'TO_BE_DELETED', hashDue: null, deleteDue: now, timestamp: now }, noUses);
}

/** Ends the job's reading of the source. */
export const releaseSource = (job: HeldJob, { sourceId }: Copying): readonly Statement[] =>
  endReading({ fileId: sourceId, jobId: job.id });

/** The rows of a job that has made its copy. Storage rules leave the copy alone for the time that the caller wanted. */
export function letTargetRest(jobId: string, { targetId, timeRequirement = 0 }: Copying, now: number): Statement[] {
  if (targetId === undefined || timeRequirement === 0) return [forgetJob({ jobId })];
  return [letRest({ fileId: targetId, jobId, until: now + timeRequirement * 1000 }), forgetUnended({ jobId })];
}

export const restsAfter = (how: JobEnd, { rest }: Copying): boolean => how !== 'FINISHED' && rest !== undefined;
