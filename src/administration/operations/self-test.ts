import type { Clock } from '../../core/lib/clock.ts';
import type { Check } from '../../room/context.ts';
import type { SelfTest } from './documents/self-test.ts';

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
