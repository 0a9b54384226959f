import { anyCaller, type Route, role, route } from '../../http/route.ts';
import { accountOf } from '../../security/caller.ts';
import { jobOf } from '../list/routes.ts';
import type { JobRoomParts } from '../parts.ts';
import { jobProblemListDocument, problemOf } from './documents.ts';
import { problemsOf } from './store.ts';

/** Routes for problems that block jobs. Jobs continue by themselves once the problem is solved. */
export function problemRoutes(parts: JobRoomParts): readonly Route[] {
  const { store, settings } = parts;
  const limit = settings.maxPage;
  return [
    route({
      method: 'GET',
      path: '/job/problem',
      says: 'Problems that block jobs, the oldest first.',
      answers: jobProblemListDocument,
      access: role('_job_read'),
      async handle(call) {
        const problem = (await problemsOf(store.reader(accountOf(call)), { id: '', limit })).map(problemOf);
        return problem.length === 0 ? {} : { problem };
      },
    }),
    route({
      method: 'GET',
      path: '/job/:job/problem',
      says: 'Problems that block one job.',
      answers: jobProblemListDocument,
      access: anyCaller,
      async handle(call, { job }) {
        const { id } = await jobOf(parts, call, job);
        const problem = (await problemsOf(store, { id, limit })).map(problemOf);
        return problem.length === 0 ? {} : { problem };
      },
    }),
  ];
}
