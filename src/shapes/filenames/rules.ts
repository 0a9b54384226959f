import { ServiceError } from '../../lib/errors.ts';
import { changedMeanwhile } from '../../lib/retry-when-changed.ts';
import { changing } from '../../store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../store/contract.ts';
import { type FilenameRow, filenameThere, insertFilename, noneLike, removeFilename } from './store.ts';

/** Refuses a rule if another exists for the shape on that storage, or for the same name. */
export function expectNoOther(rule: FilenameRow, like: FilenameRow | undefined): void {
  if (!like) return;
  const { shapeId, storageId, filename } = like;
  const explanation =
    shapeId === rule.shapeId
      ? `Expected no other name on ${storageId}: "${filename.slice(0, 80)}". DELETE it first`
      : `Expected a name that no other shape has on ${storageId}: ${shapeId} has it`;
  throw new ServiceError('bad-value', { context: 'parameter filename', id: shapeId, explanation });
}

export const addFilename = (rule: FilenameRow, guards: readonly Statement[]): CommitPlan =>
  changing(...guards, noneLike(rule, changedMeanwhile('Shape', rule.shapeId)), insertFilename(rule));

export const dropFilename = (rule: FilenameRow): CommitPlan =>
  changing(filenameThere(rule, noSuchFilename(rule.filename)), removeFilename(rule));

const noSuchFilename = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'storage-name-rule', id: name.slice(0, 80) });
