import { JobFails, type LeasedJob } from '../../room/jobs/job-type.ts';
import { mediaKindOf } from '../checking/public-reading.ts';

/** Fails the job if the transcoder cannot read the source: a retry would fail in the same way. */
export async function failedBySource<T>(job: LeasedJob, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    job.signal.throwIfAborted();
    throw mediaKindOf(error) === undefined ? error : new JobFails((error as Error).message);
  }
}
