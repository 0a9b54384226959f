import { boolean, document, element, oneOf } from '../../core/documents/describe.ts';
import { describeError } from '../../core/lib/log.ts';
import { StoreStartError } from '../../core/store/faults.ts';
import type { RoomContext, SecurityView } from '../../room/context.ts';
import { noteKey } from './stored-key.ts';

export interface Health {
  readonly ready: boolean;
  readonly database: 'writable' | 'unavailable';
  /** Absent: the database did not say. */
  readonly migrations?: 'done' | 'pending' | undefined;
  /** Not a reason for a load balancer to avoid this instance: the previous configuration is still valid. */
  readonly security: 'current' | 'kept';
  /** Nor this: what needs no stored secret goes on. Absent: they can be read, or the database did not answer. */
  readonly secretKey?: 'other' | 'missing' | undefined;
}

type Parts = Pick<RoomContext, 'store' | 'clock' | 'log' | 'sharesWork' | 'secretKey'> & {
  readonly security: Pick<SecurityView, 'kept'>;
};

/** Milliseconds for which an answer is cached. Health is public, so that checks cannot become a load. */
const freshMilliseconds = 1000;
const migrationStates = { yes: 'done', no: 'pending', unknown: undefined } as const;
/** Milliseconds that a check waits for the database. Load balancers wait for two seconds and longer. */
const patience = 1_500;

/** Ready: the database takes a write, and has the schema of this program. */
export function createHealth({ store, clock, log, sharesWork, security, secretKey }: Parts): () => Promise<Health> {
  let settled: { readonly at: number; readonly health: Health } | undefined;
  let running: Promise<Health> | undefined;
  let keyIsKnown = false;

  async function probe(): Promise<Health> {
    const schema = await holds(() => store.checkSchema());
    // A database that does not say which migrations it has is not asked for more.
    const writable = schema !== 'unknown' && (await holds(() => store.checkWritable())) === 'yes';
    return {
      ready: schema === 'yes' && writable,
      database: writable ? 'writable' : 'unavailable',
      migrations: migrationStates[schema],
      security: security.kept() ? 'kept' : 'current',
      secretKey: schema === 'yes' && writable ? await wrongKey() : undefined,
    };
  }

  /** A known key stays one: neither it nor that of the database changes while the process runs. */
  async function wrongKey(): Promise<Health['secretKey']> {
    if (keyIsKnown) return undefined;
    const state = await noteKey(store, secretKey).catch(() => undefined);
    keyIsKnown = state === 'known';
    return state === 'other' || state === 'missing' ? state : undefined;
  }

  /** `unknown`: the database did not answer. */
  async function holds(check: () => Promise<void>): Promise<'yes' | 'no' | 'unknown'> {
    try {
      await check();
      return 'yes';
    } catch (error) {
      log.write('warn', 'not-ready', describeError(error));
      return error instanceof StoreStartError && error.cause === undefined ? 'no' : 'unknown';
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

/** Why the service is not ready. */
export const unreadyBecause = ({ database, migrations }: Health): string =>
  migrations === undefined
    ? 'The database does not answer'
    : `The database is ${database}, migrations are ${migrations}`;

export const healthDocument = document('HealthDocument', {
  live: element(boolean).required.says('The process runs.'),
  ready: element(boolean).says('The service can answer requests.'),
  database: element(oneOf('writable', 'unavailable')),
  migrations: element(oneOf('done', 'pending')).says(
    'Whether the database has the schema of this program. Absent where it does not answer.',
  ),
  security: element(oneOf('current', 'kept')).says(
    'kept: security.ini or a plugin changed and has errors. The previous configuration stays in use.',
  ),
  secretKey: element(oneOf('other', 'missing')).says(
    'Only where stored secrets cannot be read. other: the key is not the one that they were stored under. missing: there is none.',
  ),
});
