import { anyCaller, type Route, role, route } from '../../../http/route.ts';
import { jobAt } from '../kind.ts';
import type { JobRoomParts } from '../parts.ts';
import { problemsOf } from '../store.ts';
import { jobProblemListDocument, problemOf } from './documents.ts';

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
