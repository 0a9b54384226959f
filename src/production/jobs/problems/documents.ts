import { document, element, integer, list, string, structure } from '../../../core/documents/describe.ts';
import type { WaitReason } from '../../../room/jobs/job-type.ts';

export const jobProblemListDocument = document('JobProblemListDocument', {
  problem: list(
    structure('JobProblemType', {
      id: element(integer).required.says('Number of the job that has waited longest.'),
      type: element(string).required.says(
        'Type of the problem: StorageFull, StorageOffline, FileMissing, NoTranscoder.',
      ),
      data: list(structure('JobProblemDataType', { key: element(string).required, value: element(string) })),
      job: list(string).says('The jobs that wait for it.'),
    }),
  ),
});

/** Keys for resource ids in the data of a problem. */
const keys: ReadonlyMap<string, string> = new Map([
  ['STORAGE', 'storageId'],
  ['FILE', 'fileId'],
  ['ITEM', 'itemId'],
  ['SHAPE', 'shapeId'],
  ['TAG', 'tag'],
]);

interface Problem {
  readonly waiting: string;
  readonly first: number;
  /** JSON: the ids of the jobs. */
  readonly jobs: string;
}

export function problemOf({ waiting, first, jobs }: Problem) {
  const { resourceType, resourceId, requirement } = JSON.parse(waiting) as WaitReason;
  const key = keys.get(resourceType) ?? resourceType.toLowerCase();
  return { id: first, type: requirement, data: [{ key, value: resourceId }], job: JSON.parse(jobs) as string[] };
}
