import type { Fault } from './fault.ts';

const history = 'test/crash/history.test.ts';

/** Faults that only clients, receivers and the database together notice: by the history of killed processes. */
export const historyFaults: readonly Fault[] = [
  {
    name: 'an Idempotency-Key that is not kept with what it made',
    file: 'src/production/jobs/wrap-routes.ts',
    find: 'changes: [insertKeyed(row, goesOn()), ...work.changes]',
    replace: 'changes: work.changes',
    caughtBy: history,
  },
  {
    name: 'a quota that takes one item too many',
    file: 'src/administration/quota/enforcement-sql.ts',
    find: '(rule.items > rule.item_limit AND',
    replace: '(rule.items > rule.item_limit + 1 AND',
    caughtBy: history,
  },
  {
    name: 'an event that goes before its call, and with its process',
    file: 'src/administration/notifications/delivery/lane.ts',
    find: 'const { outcome, retry } = await attempt(head, signal);',
    replace:
      "await store.commit({ changes: [{ sql: 'DELETE FROM outbox WHERE notification_id = ? AND sequence = ?', args: [head.notificationId, head.sequence] }], events: [] }, { user: 'system' });\n    const { outcome, retry } = await attempt(head, signal);",
    caughtBy: history,
  },
];
