import type { World } from '../../support/matrix.ts';
import type { Rule } from './rule.ts';

const ids = new Map<string, number>();
let last = 880_000;

/** Inserts a request of the caller that was carried out. */
async function requestOfCaller({ service: { store } }: World, who: string, caller = 'admin'): Promise<void> {
  const id = ++last;
  ids.set(who, id);
  const sql = `INSERT INTO scheduled_request (id, user_id, user, caller, state, date, created_at, executed_at, method,
      uri, headers, secure, depth, status, response, lease_until, fence)
    SELECT ?1, id, name, '{}', 'SUCCESS', 1, 1, 8e15, 'GET', 'http://host/API/whoami', '[]', 0, 0, 200, x'61', 0, 1
      FROM user WHERE name = ?2`;
  await store.commit({ changes: [{ sql, args: [id, caller] }], events: [] }, { user: 'test' });
}

export const schedulingRules: readonly Rule[] = ['GET', 'DELETE', 'GET /response'].map((what) => {
  const [method, rest = ''] = what.split(' ');
  return {
    route: `${method} /scheduled-request/:request${rest}`,
    needs: 'any caller',
    rows: requestOfCaller,
    request: (who) => ({ request: `${method} /API/scheduled-request/${ids.get(who)}${rest}` }),
  };
});
