import type { Store } from '../../core/store/store.ts';
import type { Check, SecurityView } from '../../room/context.ts';
import type { Health } from './health.ts';
import { missingRoles } from './store.ts';

interface Parts {
  readonly store: Store;
  /** All roles of this release. */
  readonly roles: readonly string[];
  /** Findings of the host at start, such as a low limit of open files. */
  readonly notices: readonly string[];
  health(): Promise<Health>;
  readonly security: Pick<SecurityView, 'kept'>;
}

export const operationChecks = ({ store, roles, notices, health, security }: Parts): readonly Check[] => [
  {
    name: 'database',
    description: 'The database is writable, with the schema of this program and the roles of this release',
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
    description: 'The limits of the host are high enough',
    run: async () => (notices.length > 0 ? { status: 'warning', message: notices } : { status: 'ok' }),
  },
  {
    name: 'security',
    description: 'The running security configuration is that of its files',
    async run() {
      const outdated = security.kept();
      if (!outdated) return { status: 'ok' };
      const since = new Date(outdated.since).toISOString();
      const message = [
        `Its files have errors (${outdated.errors}): run portico check`,
        `An older one goes on since ${since}`,
      ];
      return { status: 'warning', message };
    },
  },
];
