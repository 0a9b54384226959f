import {
  JobFails,
  type JobStep,
  JobWaits,
  type LeasedJob,
  type StepResult,
  type StepWaits,
} from '../../../room/jobs/job-type.ts';
import { jobError, waitForBytes } from '../../../storage/public.ts';
import { findFile } from '../../../storage/public-reading.ts';
import type { IngestParts } from '../parts.ts';
import { filesAtAddress, jobMayHave, plainAddress } from '../sources/foreign.ts';
import { openImportSource, storedAt } from '../sources/open.ts';
import { uploadKeyOf } from '../store.ts';
import { copySource, reserveCopy } from './copy.ts';
import { waitsForHead, waitsForQuiet } from './growing.ts';
import type { ImportMemo } from './import-job.ts';
import { targetOf, useAddress, useAhead, useFileOf } from './in-place.ts';

/** Brings the file of an import to a storage, or finds it there. */
export function transferStep(parts: IngestParts, description: string): JobStep<ImportMemo> {
  const { store, clock } = parts;

  return {
    step: 100,
    description,
    async waits(job): Promise<StepWaits<ImportMemo> | undefined> {
      const importing = job.memo;
      const { targetId, awaitsUpload } = importing;
      if (targetId === undefined) {
        const key = awaitsUpload ? await uploadKeyOf(store, { jobId: job.id }) : undefined;
        if (!awaitsUpload || key?.fileId) return undefined;
        if (key && key.expires > clock.now()) {
          return { resourceType: 'FILE', resourceId: job.id, requirement: 'FileNotUploaded' };
        }
        throw new JobFails('Expected an upload before the passkey expired');
      }
      return fileNotThere(parts, job, importing);
    },

    async begin(job): Promise<StepResult<ImportMemo>> {
      const importing = job.memo;
      if (importing.targetId !== undefined) return {};
      const mayHave = jobMayHave(parts, job);
      const uploaded = importing.awaitsUpload ? await uploadKeyOf(store, { jobId: job.id }) : undefined;
      const fileId = uploaded?.fileId ?? importing.fileId;
      if (fileId !== undefined) {
        store.ahead(() => useAhead(store, job.id, fileId));
        const row = await findFile(store, { id: fileId });
        if (!row) throw new JobFails(`Expected the file to stay until the job ends: ${fileId} is gone`);
        await mayHave(fileId);
        // Nothing is left to wait for, and the caller's right to the bytes is known.
        return { ...(await useFileOf(parts, job, row, importing)), isOver: row.state === 'CLOSED' };
      }
      const address = plainAddress(importing.address!);
      for (const id of await filesAtAddress(store, address)) await mayHave(id);
      const stored = await storedAt(store, address);
      const inPlace = stored?.method.browse === 1 ? await useAddress(parts, job, stored, importing) : undefined;
      if (inPlace) return inPlace;
      // An unreadable source reserves no path. Web servers are asked only once, for the bytes.
      if (!/^https?:/i.test(address)) await openImportSource(parts, mayHave, address, job.signal).catch(told);
      return reserveCopy(parts, job, importing);
    },

    async run(job): Promise<StepResult<ImportMemo>> {
      const importing = job.memo;
      const { isCopy, isWritten, address } = importing;
      const { targetId } = importing;
      if (!isCopy && targetId !== undefined)
        store.ahead(() => [...useAhead(store, job.id, targetId), findFile(store, { id: targetId })]);
      const waiting = await fileNotThere(parts, job, importing);
      if (waiting) throw new JobWaits(waiting);
      const target = await targetOf(parts, importing);
      // Looks again: another upload or copy can have brought the bytes since the job began.
      if (!isCopy) await jobMayHave(parts, job)(target.id);
      if (!isCopy || isWritten) return {};
      try {
        await copySource(parts, job, target, address!, (work) => job.done({ work, memo: { isWritten: true } }));
      } catch (error) {
        throw jobError(error, target.storageId);
      }
      return {};
    },
  };
}

/** Why the file cannot be copied, or checked, yet. */
async function fileNotThere(
  parts: IngestParts,
  job: LeasedJob<ImportMemo>,
  importing: ImportMemo,
): Promise<StepWaits<ImportMemo> | undefined> {
  const { isCopy, isWritten, growing, address } = importing;
  if (isCopy) return growing && !isWritten ? waitsForQuiet(parts, job, address!).catch(told) : undefined;
  const target = await targetOf(parts, importing);
  return growing && target.state === 'OPEN' ? waitsForHead(parts, job, target) : waitForBytes(target);
}

function told(error: unknown): never {
  throw jobError(error, '');
}
