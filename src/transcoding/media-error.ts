import { mediaKindOf } from '../checking/probing/faults.ts';
import { type HeldJob, JobFails } from '../jobs/job-type.ts';

/** What a transcoder says of a source that it cannot read ends the job: another attempt would fail alike. */
export async function failedBySource<T>(job: HeldJob, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    job.signal.throwIfAborted();
    throw mediaKindOf(error) === undefined ? error : new JobFails((error as Error).message);
  }
}
