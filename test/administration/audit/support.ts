import { hash } from 'node:crypto';
import { createAuditRecorder } from '../../../src/administration/audit/recorder.ts';
import { auditSweepKind } from '../../../src/administration/audit/sweeper.ts';
import { createLog } from '../../../src/core/lib/log.ts';
import { Metrics } from '../../../src/core/lib/metrics.ts';
import { sql } from '../../../src/core/store/statement.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Answered } from '../../../src/http/handler.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { memoryStore } from '../../support/store.ts';
import { stepOf } from '../../support/work.ts';

export interface RecorderOptions {
  readonly sharesWork?: boolean;
  readonly settings?: {
    readonly auditDays?: number;
    readonly auditRows?: number;
    readonly auditPaths?: number;
    readonly auditReads?: number;
    readonly auditReadDays?: number;
  };
  /** Instead of one of its own. */
  readonly shared?: Store;
  /** Comes before each commit: it may take time, or throw. */
  before?(clock: TestClock): Promise<void>;
}

/** A recorder on a store in memory, whose clock and commits belong to the test. */
export async function openRecorder({ sharesWork = true, settings, shared, before }: RecorderOptions = {}) {
  const clock = testClock();
  const inner = shared ?? (await memoryStore({ clock }));
  const store: Store = {
    ...inner,
    async commit(work, actor) {
      await before?.(clock);
      return inner.commit(work, actor);
    },
  };
  const lines: string[] = [];
  const metrics = new Metrics();
  const limits = { auditDays: 0, auditRows: 0, auditPaths: 50, auditReads: 1_000, auditReadDays: 14, ...settings };
  const sweep = auditSweepKind({
    store,
    clock,
    settings: limits,
    services: { retention: async () => ({}), retentionDays: { auditDays: sql`NULL`, jobDays: sql`NULL` } },
  });
  const recorder = createAuditRecorder({
    store,
    clock,
    log: createLog((line) => lines.push(line), clock, 'info'),
    metrics,
    settings: limits,
    sharesWork,
    fingerprint: (text) => hash('sha256', text, 'base64url'),
  });
  const rows = async (where = '1 = 1'): Promise<readonly Row[]> =>
    (
      await inner.read(
        `SELECT user, method, path, status, reason, count, at, last_at FROM audit WHERE ${where} ORDER BY at, sequence`,
      )
    ).map(([user, method, path, status, reason, count, at, lastAt]) => ({
      user: user as string | null,
      method: String(method),
      path: String(path),
      status: Number(status),
      reason: reason as string | null,
      count: Number(count),
      at: Number(at),
      lastAt: lastAt as number | null,
    }));
  const close = async () => {
    await recorder.close();
    if (!shared) await inner.close();
  };
  return { recorder, sweep: () => stepOf(sweep, clock), clock, store: inner, lines, metrics, rows, close };
}

export interface Row {
  readonly user: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly reason: string | null;
  readonly count: number;
  readonly at: number;
  readonly lastAt: number | null;
}

export const total = (rows: readonly Row[]): number => rows.reduce((sum, { count }) => sum + count, 0);

export interface Refusal {
  readonly path: string;
  readonly address?: string;
  readonly user?: string;
  readonly method?: string;
}

export function refusal({ path, address = '198.51.100.7', user, method = 'GET' }: Refusal): Answered {
  const reason = user === undefined ? 'credentials-missing' : 'role-missing';
  const trace = { id: 'r-1', came: 0, headers: {}, path, reason, ...(user === undefined ? {} : { user }) };
  return { method, status: user === undefined ? 401 : 403, trace, address };
}
