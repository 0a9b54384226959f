import type { Fault } from './fault.ts';

const rules = 'test/security/auto-import-rules.test.ts';

/** Of data and priorities of jobs. */
export const jobFaults: readonly Fault[] = [
  {
    name: 'a job of the service that takes reserved keys',
    file: 'src/jobs/contract.ts',
    find: 'data: [...tellsAtStart(job), ...freeData(job.job, data)],',
    replace: 'data: [...tellsAtStart(job), ...data],',
    caughtBy: rules,
  },
  {
    name: 'an auto-import rule with reserved keys',
    file: 'src/ingest/auto-rules/rules.ts',
    find: 'if (reserved !== undefined) throw',
    replace: 'if (reserved === null) throw',
    caughtBy: rules,
  },
  {
    name: 'an auto-import rule that anybody makes urgent',
    file: 'src/ingest/auto-rules/routes.ts',
    find: '    await priorityFrom(call, rule.priority);\n',
    replace: '',
    caughtBy: rules,
  },
  {
    name: 'a stored rule that stays urgent without its author',
    file: 'src/ingest/auto/kind.ts',
    find: "? wanted : 'HIGH'",
    replace: '? wanted : wanted',
    caughtBy: rules,
  },
];
