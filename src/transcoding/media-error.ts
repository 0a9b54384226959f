import { JobFails } from '../jobs/job-type.ts';

/** What a transcoder says of a source that it cannot read ends the job: another attempt would fail alike. */
export async function failedBySource<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === 'MediaError') throw new JobFails(error.message);
    throw error;
  }
}
