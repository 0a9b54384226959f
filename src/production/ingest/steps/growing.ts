import {
  JobFails,
  type JobStep,
  type LeasedJob,
  type StepResult,
  type StepWaits,
} from '../../../room/jobs/job-type.ts';
import { waitForBytes, waitsForFile } from '../../../storage/public.ts';
import type { FileRow } from '../../../storage/public-reading.ts';
import { checkMedia, type FileCheck, probeFile } from '../../checking/public.ts';
import type { IngestParts } from '../parts.ts';
import { jobMayHave, plainAddress } from '../sources/foreign.ts';
import { openImportSource } from '../sources/open.ts';
import { shownAddress } from '../sources/source.ts';
import type { ImportMemo } from './import-job.ts';
import { targetOf } from './in-place.ts';

/**
 * A file that lies where it is imported is checked as it grows: from the moment on in which a prober knows what it is.
 * A file that no prober knows has no head to wait for, so it is waited for whole.
 */
export async function waitsForHead(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  { id }: FileRow,
): Promise<StepWaits<ImportMemo> | undefined> {
  const probed = await probeFile(parts, job, id).catch(unlessFailed);
  return probed && probed.probe.by !== '' ? undefined : waitsForFile('FileNotClosed', id);
}

/** Half a file may be broken: the whole one says it. */
function unlessFailed(error: unknown): undefined {
  if (!(error instanceof JobFails)) throw error;
}

/**
 * Waits until a source file has been unchanged for `closeLimit` seconds before it is copied. Web servers are not waited
 * for: they cannot tell whether more bytes will come.
 */
export async function waitsForQuiet(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  named: string,
): Promise<StepWaits<ImportMemo> | undefined> {
  const address = plainAddress(named);
  if (/^https?:/i.test(address)) return undefined;
  const { size = 0, version = '' } = await openImportSource(parts, jobMayHave(parts, job), address, job.signal);
  const seen = `${size} ${version}`;
  const now = parts.clock.now();
  const isSame = job.memo.growthSeen === seen;
  const since = isSame ? job.memo.growthSince! : now;
  if (isSame && now - since >= parts.settings.closeLimit * 1000) return undefined;
  const memo = { growthSeen: seen, growthSince: since };
  return { resourceType: 'FILE', resourceId: shownAddress(named), requirement: 'FileNotClosed', memo };
}

/** Says what there is of a file that still grows. Nothing is wrong yet where that is not much. */
export async function checkPart(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  check: FileCheck,
): Promise<StepResult<ImportMemo>> {
  try {
    const { warns: _part, ...checkedMedia } = await checkMedia(parts, job, check);
    return { ...checkedMedia, memo: { ...checkedMedia.memo, isFilled: true } };
  } catch (error) {
    if (!(error instanceof JobFails)) throw error;
    return { says: [error.message] };
  }
}

/** The end of the media check. A file that grew is checked once more when it is whole. */
export const finalStep = (
  parts: IngestParts,
  step: number,
  check: (job: LeasedJob<ImportMemo>) => Promise<StepResult<ImportMemo>>,
): JobStep<ImportMemo> => ({
  step,
  description: 'Finalizing media check',
  settled({ memo }) {
    const { growing, isCopy } = memo;
    return (growing && !isCopy) || memo.isPart ? undefined : {};
  },
  async waits(job) {
    const importing = job.memo;
    return importing.growing && !importing.isCopy ? waitForBytes(await targetOf(parts, importing)) : undefined;
  },
  run: async (job) => (job.memo.isPart ? check(job) : {}),
});
