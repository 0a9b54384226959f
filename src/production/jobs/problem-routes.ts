import { document, element, integer, list, string, structure } from '../../core/documents/describe.ts';
import { anyCaller, type Route, role, route } from '../../http/route.ts';
import type { WaitReason } from '../../room/jobs/job-type.ts';
import { jobAt } from './entity.ts';
import type { JobRoomParts } from './parts.ts';
import { problemsOf } from './store.ts';

export const jobProblemListDocument = document('JobProblemListDocument', {
  problem: list(
    structure('JobProblemType', {
      id: element(integer).required.says('Number of the job that has waited longest.'),
      type: element(string).required.says(
        'Type of the problem: StorageFull, StorageOffline, FileMissing, FileArchived, NoTranscoder.',
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

function problemOf({ waiting, first, jobs }: Problem) {
  const { resourceType, resourceId, requirement } = JSON.parse(waiting) as WaitReason;
  const key = keys.get(resourceType) ?? resourceType.toLowerCase();
  return { id: first, type: requirement, data: [{ key, value: resourceId }], job: JSON.parse(jobs) as string[] };
}

/** Routes for problems that block jobs. Jobs continue by themselves once the problem is solved. */
export function problemRoutes({ store, settings }: JobRoomParts): readonly Route[] {
  const limit = settings.maxPage;
  return [
    route({
      method: 'GET',
      path: '/job/problem',
      says: 'Problems that block jobs, the oldest first.',
      answers: jobProblemListDocument,
      access: role('_job_read'),
      async handle(call) {
        const problem = (await problemsOf(call.reader, { id: '', limit })).map(problemOf);
        return problem.length === 0 ? {} : { problem };
      },
    }),
    route({
      method: 'GET',
      path: '/job/:job/problem',
      says: 'Problems that block one job.',
      entities: { job: jobAt(store) },
      answers: jobProblemListDocument,
      access: anyCaller,
      async handle(_call, { job: { id } }) {
        const problem = (await problemsOf(store, { id, limit })).map(problemOf);
        return problem.length === 0 ? {} : { problem };
      },
    }),
  ];
}
