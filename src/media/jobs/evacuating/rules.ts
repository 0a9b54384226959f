import { changedMeanwhile } from '../../../lib/retry-when-changed.ts';
import type { Statement } from '../../../store/contract.ts';
import { notInJobs } from '../store.ts';

/** For the commit that starts a move: no other job has the file. */
export const notMovedYet = (fileId: string): Statement =>
  notInJobs({ fileId, jobId: '' }, changedMeanwhile('File', fileId));
