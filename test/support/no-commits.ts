import type { Commits } from '../../src/http/call.ts';

/** For services whose routes change nothing. */
export const noCommits: Commits = {
  actorOf: () => ({ user: 'nobody' }),
  commit: () => Promise.reject(new Error('Expected no commit')),
};
