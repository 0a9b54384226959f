import type { World } from '../../support/matrix.ts';
import type { Rule } from './rule.ts';

const numbers = new Map<string, number>();
let last = 850_000;

const jobOf = (who: string): string => `VX-${numbers.get(who)}`;

/** A job of the caller that waits. */
async function jobRowOf({ service: { store } }: World, who: string, caller = who): Promise<void> {
  const number = ++last;
  numbers.set(who, number);
  const sql = `INSERT INTO job (id, serial, type, status, priority, user, data, memo, created_at, total_steps, steps_begun,
      attempt, failures, instance, lease_until, fence, actor, notification_data)
    VALUES ('VX-' || ?1, ?1, 'COPY_FILE', 'WAITING', 3, ?2, '[]', '{}', 0, 6, 0, 0, 0, '', 0, 0, '{"user":"system"}', '[]')`;
  await store.commit({ changes: [{ sql, args: [number, caller] }], events: [] }, { user: 'test' });
}

const rowOf = (route: string, needs: Rule['needs']): Rule => ({
  route,
  needs,
  rows: jobRowOf,
  request: (who) => ({ request: `${route.slice(0, route.indexOf(' '))} /API/job/${jobOf(who)}` }),
});

export const jobRules: readonly Rule[] = [
  rowOf('GET /job/:job', 'any caller'),
  rowOf('DELETE /job/:job', '_job_write'),
];
