import { boolean, document, element, oneOf } from '../../core/documents/describe.ts';
import { describeError } from '../../core/lib/log.ts';
import type { RoomContext, SecurityView } from '../../room/context.ts';

export interface Health {
  readonly ready: boolean;
  readonly database: 'writable' | 'unavailable';
  readonly migrations: 'done' | 'pending';
  /** Not a reason for a load balancer to avoid this instance: the previous configuration is still valid. */
  readonly security: 'current' | 'kept';
}

type Parts = Pick<RoomContext, 'store' | 'clock' | 'log' | 'sharesWork'> & {
  readonly security: Pick<SecurityView, 'kept'>;
};

/** Milliseconds for which an answer is cached. Health is public, so that checks cannot become a load. */
const freshMilliseconds = 1000;
/** Milliseconds that a check waits for the database. Load balancers wait for two seconds and longer. */
const patience = 1_500;

/** Ready: the database takes a write, and has the schema of this program. */
export function createHealth({ store, clock, log, sharesWork, security }: Parts): () => Promise<Health> {
  let settled: { readonly at: number; readonly health: Health } | undefined;
  let running: Promise<Health> | undefined;

  async function probe(): Promise<Health> {
    const migrations = await holds(() => store.checkSchema());
    const writable = await holds(() => store.checkWritable());
    return {
      ready: migrations && writable,
      database: writable ? 'writable' : 'unavailable',
      migrations: migrations ? 'done' : 'pending',
      security: security.kept() ? 'kept' : 'current',
    };
  }

  async function holds(check: () => Promise<void>): Promise<boolean> {
    try {
      await check();
      return true;
    } catch (error) {
      log.write('warn', 'not-ready', describeError(error));
      return false;
    }
  }

  async function fresh(): Promise<Health> {
    const health = await store.within(patience, probe);
    settled = { at: clock.now(), health };
    running = undefined;
    return health;
  }

  return async () => {
    const now = clock.now();
    if (settled && now >= settled.at && now - settled.at < freshMilliseconds) return settled.health;
    if (!sharesWork) return fresh();
    running ??= fresh();
    return running;
  };
}

export const healthDocument = document('HealthDocument', {
  live: element(boolean).required.says('The process runs.'),
  ready: element(boolean).says('The service can answer requests.'),
  database: element(oneOf('writable', 'unavailable')),
  migrations: element(oneOf('done', 'pending')).says('Whether the database has the schema of this program.'),
  security: element(oneOf('current', 'kept')).says(
    'kept: security.ini or a plugin changed and has errors. The previous configuration stays in use.',
  ),
});
