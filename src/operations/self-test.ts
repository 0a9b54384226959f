import type { Clock } from '../lib/clock.ts';
import type { Store } from '../store/store.ts';
import type { SelfTest } from './documents/self-test.ts';
import type { Health } from './health.ts';
import { missingRoles } from './store.ts';

interface Finding {
  readonly status: SelfTest['status'];
  readonly message?: readonly string[];
  readonly test?: readonly SelfTest[];
}

interface Check {
  readonly name: string;
  readonly description: string;
  run(): Promise<Finding>;
}

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  /** Every role of this release. */
  readonly roles: readonly string[];
  /** What the host found out about itself at start, such as a low limit of open files. */
  readonly notices: readonly string[];
  health(): Promise<Health>;
}

const severity = ['ok', 'warning', 'failed'] as const;

/** What an operator would check by hand, as one document; each check can also be asked for by its name. */
export function createSelfTest({ store, clock, roles, notices, health }: Parts) {
  const checks: readonly Check[] = [
    {
      name: 'database',
      description: 'The database takes a write, has the schema of this program and the roles of this release',
      async run() {
        const { ready, database, migrations } = await health();
        if (!ready) return { status: 'failed', message: [`Database ${database}, migrations ${migrations}`] };
        const missing = await missingRoles(store, roles);
        if (missing.length === 0) return { status: 'ok' };
        const message = `${missing.length} roles of this release are missing. Have you run initialization (POST /APIinit)?`;
        // A client's login page opens its set-up when a test in this one says these words.
        const test = { name: 'roles', status: 'warning', message: ['Roles are missing: did APIInit run?'] } as const;
        return { status: 'warning', message: [message], test: [test] };
      },
    },
    {
      name: 'host',
      description: 'The limits of the host are wide enough',
      run: async () => (notices.length > 0 ? { status: 'warning', message: notices } : { status: 'ok' }),
    },
  ];

  async function perform(check: Check): Promise<SelfTest> {
    const started = clock.now();
    const { status, message, test } = await check.run().catch((): Finding => ({ status: 'failed' }));
    return { name: check.name, description: check.description, status, message, took: clock.now() - started, test };
  }

  return {
    names: checks.map((check) => check.name),

    async one(name: string): Promise<SelfTest | undefined> {
      const check = checks.find((known) => known.name === name);
      return check && perform(check);
    },

    async all(): Promise<SelfTest> {
      const started = clock.now();
      const test = await Promise.all(checks.map(perform));
      const worst = Math.max(...test.map(({ status }) => severity.indexOf(status)));
      return { name: 'selftest', status: severity[worst] ?? 'failed', took: clock.now() - started, test };
    },
  };
}
