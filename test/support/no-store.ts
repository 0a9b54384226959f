import type { CallerStore } from '../../src/http/call.ts';

/** For services whose routes change nothing. */
export const noStore: CallerStore = {
  actorOf: () => ({ user: 'nobody' }),
  reader: () => ({ isLimited: true, read: () => Promise.reject(new Error('Expected no reads')) }),
  commit: () => Promise.reject(new Error('Expected no commit')),
};
