import {
  attribute,
  document,
  type FieldsValue,
  lazy,
  list,
  oneOf,
  type Structure,
  string,
  structure,
} from '../../core/documents/describe.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Secret } from '../../core/lib/secret.ts';
import type { Store } from '../../core/store/store.ts';
import type { Check, SecurityView } from '../../room/context.ts';
import { type Health, unreadyBecause } from './health.ts';
import { missingRoles } from './store.ts';
import { clockDefect, keyDefect, noteKey } from './stored-key.ts';

const own = {
  name: attribute(string),
  description: attribute(string),
  status: attribute(oneOf('ok', 'warning', 'failed')).required,
  took: attribute(string).says('Milliseconds, as a text for compatibility.'),
};
const message = { message: list(string) };

export interface SelfTest extends FieldsValue<typeof own>, FieldsValue<typeof message> {
  readonly test?: readonly SelfTest[] | undefined;
}

const selfTest: Structure<SelfTest> = structure('SelfTestType', {
  ...message,
  test: list(lazy((): Structure<SelfTest> => selfTest)),
  ...own,
});

export const selfTestDocument = document('SelfTestDocument', selfTest);

interface Parts {
  readonly clock: Clock;
  checks(): readonly Check[];
}

const failed: Awaited<ReturnType<Check['run']>> = { status: 'failed' };
const severity = ['ok', 'warning', 'failed'] as const;

/** Self-test as one document. Each check can also be requested by its name. */
export function createSelfTest({ clock, checks }: Parts) {
  const since = (started: number): string => String(clock.now() - started);

  async function perform(check: Check): Promise<SelfTest> {
    const started = clock.now();
    const { status, message, test } = await check.run().catch(() => failed);
    return { name: check.name, description: check.description, status, message, took: since(started), test };
  }

  return {
    names: () => checks().map((check) => check.name),

    async one(name: string): Promise<SelfTest | undefined> {
      const check = checks().find((known) => known.name === name);
      return check && perform(check);
    },

    async all(): Promise<SelfTest> {
      const started = clock.now();
      const test = await Promise.all(checks().map(perform));
      const worst = Math.max(...test.map(({ status }) => severity.indexOf(status)));
      return { name: 'selftest', status: severity[worst] ?? 'failed', took: since(started), test };
    },
  };
}

interface CheckParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly secretKey: Secret | undefined;
  /** All roles of this release. */
  readonly roles: readonly string[];
  /** Findings of the host at start, such as a low limit of open files. */
  readonly notices: readonly string[];
  health(): Promise<Health>;
  readonly security: Pick<SecurityView, 'kept'>;
}

export const operationChecks = ({
  store,
  clock,
  secretKey,
  roles,
  notices,
  health,
  security,
}: CheckParts): readonly Check[] => [
  {
    name: 'database',
    description: 'Database: writable, with schema and roles of this release',
    async run() {
      const state = await health();
      if (!state.ready) return { status: 'failed', message: [unreadyBecause(state)] };
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
    description: 'Limits of the host',
    run: async () => (notices.length > 0 ? { status: 'warning', message: notices } : { status: 'ok' }),
  },
  {
    name: 'security',
    description: 'Security configuration',
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
  {
    name: 'secretKey',
    description: 'The key that secrets are stored under',
    async run() {
      const defect = keyDefect(await noteKey(store, secretKey));
      return defect === undefined ? { status: 'ok' } : { status: 'failed', message: [defect] };
    },
  },
  {
    name: 'clock',
    description: 'The clock goes on from the newest change',
    async run() {
      const defect = await clockDefect(store, clock);
      return defect === undefined ? { status: 'ok' } : { status: 'warning', message: [defect] };
    },
  },
];
