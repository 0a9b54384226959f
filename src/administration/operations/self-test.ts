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
import type { Check } from '../../room/context.ts';

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
