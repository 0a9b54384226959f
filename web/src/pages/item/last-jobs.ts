import type { JobListDocument } from 'portico/types';
import { get } from '../../api/client.ts';
import { type Loaded, useLoad } from '../../kit/load.ts';
import { has } from '../../rights.ts';

export type LastJobs = Loaded<JobListDocument>;

/** The newest jobs of an item that the person may read, with what their attempts say. */
export const useLastJobs = (id: string): LastJobs =>
  useLoad(`jobs ${id}`, (signal) =>
    get<JobListDocument>('/job', {
      query: { jobmetadata: `itemId=${id}`, user: !has('_job_read'), step: true, sort: 'jobId desc', number: 3 },
      signal,
    }),
  );
