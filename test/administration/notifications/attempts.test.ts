import { expect, it, onTestFinished } from 'vitest';
import {
  type AttemptFilter,
  listAttempts,
  logAttempt,
} from '../../../src/administration/notifications/attempts/store.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { memoryStore, nobody } from '../../support/store.ts';

const everything: AttemptFilter = {
  notificationId: 'VX-1',
  since: 0,
  before: { started: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER },
  state: undefined,
  entity: undefined,
  limit: 3,
};
const states = ['delivered', 'failed', 'parked', 'dropped', 'vetoed'] as const;

/** Attempts of all kinds, two at each moment. */
async function withAttempts(count: number): Promise<Store> {
  const store = await memoryStore();
  onTestFinished(() => store.close());
  const changes = Array.from({ length: count }, (_, index) =>
    logAttempt({
      notificationId: index % 7 === 6 ? 'VX-2' : 'VX-1',
      sequence: index,
      event: 'group/create',
      entityId: `g${index % 4}`,
      number: 1,
      started: index >> 1,
      ended: index,
      state: states[(index * 3) % states.length]!,
      status: 200,
      error: null,
      address: null,
      answer: null,
      says: null,
    }),
  );
  await store.commit({ changes, events: [] }, nobody);
  return store;
}

it('the log is one list, whatever came of the attempts: the newest first, page after page, each once', async () => {
  const store = await withAttempts(40);
  const seen: string[] = [];
  for (let page = await listAttempts(store, everything); page.length > 0; ) {
    seen.push(...page.map(({ started, id }) => `${started} ${id}`));
    page = await listAttempts(store, { ...everything, before: page.at(-1)! });
  }
  const rows = await store.read(
    `SELECT started || ' ' || id FROM attempt WHERE notification_id = 'VX-1' ORDER BY started DESC, id DESC`,
  );
  expect(seen).toEqual(rows.flat());
});

it.each([
  [{}, 'attempt_state'],
  [{ state: 'parked' }, 'attempt_state'],
  [{ entity: 'g1' }, 'attempt_entity'],
  [{ entity: 'g1', state: 'parked' }, 'attempt_entity'],
])('a page of the log %j is read from the index %s, in its order', async (asked, index) => {
  const store = await withAttempts(1);
  const plans: string[] = [];
  const explaining = {
    ...store,
    read: async (sql: string, args: readonly (string | number)[]) => {
      const rows = await store.read(`EXPLAIN QUERY PLAN ${sql}`, args);
      plans.push(...rows.map((row) => String(row.at(-1))));
      return [];
    },
  } as unknown as Store;
  await listAttempts(explaining, { ...everything, ...asked });
  const reads = plans.filter((step) => step.includes(' attempt '));
  expect(reads.length).toBeGreaterThan(0);
  for (const step of reads) expect(step).toMatch(new RegExp(`^SEARCH attempt USING INDEX ${index} \\(.*started`));
});
