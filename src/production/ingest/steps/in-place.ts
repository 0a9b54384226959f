import { bytesAhead } from '../../../assets/shapes/public.ts';
import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import type { Reader } from '../../../core/store/statement.ts';
import { JobFails, type LeasedJob, type StepResult } from '../../../room/jobs/job-type.ts';
import { changeFile, fileUnused, jobError, nameFile, newFile, noUses } from '../../../storage/public.ts';
import { type FileRow, fileAt, findFile, usesOf } from '../../../storage/public-reading.ts';
import type { IngestParts } from '../parts.ts';
import { jobMayHave, mayHaveAlike } from '../sources/foreign.ts';
import { factsOf, foundFile, statOf } from '../sources/found-file.ts';
import type { StoredSource } from '../sources/open.ts';
import { claim, claimedBy } from '../store.ts';
import type { ImportMemo } from './import-job.ts';

/** States that do not tell whether the bytes exist: the storage is asked. */
const unsure: ReadonlySet<string> = new Set(['NONE', 'UNKNOWN', 'MISSING', 'LOST']);

/** A file that a caller names by its address is whole, whether or not a scan has come first. */
const unsureByAddress: ReadonlySet<string> = new Set([...unsure, 'OPEN']);

/** Starts the reads about a file that a job wants to use, for `Store.ahead`. */
export const useAhead = (store: Reader, jobId: string, id: string): readonly unknown[] => [
  findFile(store, { id }),
  ...bytesAhead(store, id, jobId),
  usesOf(store, { ids: [id] }),
  claimedBy(store, { type: 'file', id }),
];

/** A file that lies on a storage is imported where it is. */
export async function useFileOf(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  row: FileRow,
  { allowReimport, growing }: ImportMemo,
  looked = unsure,
): Promise<StepResult<ImportMemo>> {
  const { id, state } = row;
  if (state === 'TO_BE_DELETED') throw new JobFails(`Expected a file that stays: ${id} waits for its deletion`);
  const free = allowReimport ? [] : await mustBeFree(parts, job, id);
  const work = looked.has(state) ? await lookedAt(parts, row, growing) : undefined;
  return {
    work: together(changing(...free, nameFile({ fileId: id, jobId: job.id })), ...(work ? [work] : [])),
    memo: { targetId: id },
    data: job.data.some(([key]) => key === 'fileId') ? [] : [['fileId', id]],
  };
}

/**
 * The file of an address below a storage. One that the service does not know yet is registered. Undefined: a component
 * has the file, or another import takes it, so the caller wants a copy of it.
 */
export async function useAddress(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  at: StoredSource,
  importing: ImportMemo,
): Promise<StepResult<ImportMemo> | undefined> {
  const { store, clock } = parts;
  const { storageId, path } = at;
  const row = await fileAt(store, { storageId, path });
  if (row && !importing.allowReimport && (await isTaken(parts, job, row.id))) return undefined;
  if (row) return useFileOf(parts, job, row, importing, importing.growing ? unsure : unsureByAddress);
  const file = await statFor(parts, storageId, path);
  if (!file) throw new JobFails('Expected a file at the address: there is none');
  await mayHaveAlike(store, jobMayHave(parts, job), file.identity);
  const id = await store.nextId('file');
  const newRow = foundFile({ id, storageId, path }, file, importing.growing, clock.now());
  const changed = changedMeanwhile('File', path);
  const claimed = claim({ type: 'file', id, jobId: job.id }, changed);
  return {
    work: together(newFile(newRow, changed), changing(claimed, nameFile({ fileId: id, jobId: job.id }))),
    memo: { targetId: id },
    data: [['fileId', id]],
    isOver: newRow.state === 'CLOSED',
  };
}

async function isTaken({ store }: IngestParts, job: LeasedJob<ImportMemo>, id: string): Promise<boolean> {
  const uses = await usesOf(store, { ids: [id] });
  const other = await claimedBy(store, { type: 'file', id });
  return uses.length > 0 || (other !== undefined && other.jobId !== job.id);
}

/** No component has the file, and no other import takes it. */
async function mustBeFree(
  { store }: IngestParts,
  job: LeasedJob<ImportMemo>,
  id: string,
): Promise<readonly Statement[]> {
  if ((await usesOf(store, { ids: [id] })).length > 0) {
    throw new JobFails(`Expected a file that no component has: ${id}`);
  }
  const changed = changedMeanwhile('File', id);
  const other = await claimedBy(store, { type: 'file', id });
  if (other && other.jobId !== job.id) throw new JobFails(`Expected a file that no other import takes: ${id}`);
  return [fileUnused({ id }, changed), ...(other ? [] : [claim({ type: 'file', id, jobId: job.id }, changed)])];
}

/** Errors of the storage let the job wait, or fail it. */
const statFor = (parts: IngestParts, storageId: string, path: string) =>
  statOf(parts, storageId, path).catch((error: unknown) => {
    throw jobError(error, storageId);
  });

/** The storage says whether the bytes are there. */
async function lookedAt(parts: IngestParts, row: FileRow, growing: boolean): Promise<CommitPlan | undefined> {
  const file = await statFor(parts, row.storageId, row.path);
  return file && changeFile(row, factsOf(file, growing, parts.clock.now()), noUses);
}

export const targetOf = async ({ store }: Pick<IngestParts, 'store'>, { targetId }: ImportMemo): Promise<FileRow> => {
  const row = targetId === undefined ? undefined : await findFile(store, { id: targetId });
  if (row && row.state !== 'TO_BE_DELETED') return row;
  throw new JobFails(`Expected the file to stay until the job ends: ${targetId ?? 'none'}`);
};
