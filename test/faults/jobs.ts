import type { Fault } from './fault.ts';

const rules = 'test/security/auto-import-rules.test.ts';

/** Faults of data and priorities of jobs. */
export const jobFaults: readonly Fault[] = [
  {
    name: 'a job of the service that takes reserved keys',
    file: 'src/room/jobs/contract.ts',
    find: 'data: [...tellsAtStart(job), ...freeData(job.job, data)],',
    replace: 'data: [...tellsAtStart(job), ...data],',
    caughtBy: rules,
  },
  {
    name: 'an auto-import rule with reserved keys',
    file: 'src/production/ingest/import-rules/rules.ts',
    find: 'if (reserved !== undefined) throw',
    replace: 'if (reserved === null) throw',
    caughtBy: rules,
  },
  {
    name: 'an auto-import rule that anybody makes urgent',
    file: 'src/production/ingest/import-rules/routes.ts',
    find: '    await priorityFrom(call, rule.priority);\n',
    replace: '',
    caughtBy: rules,
  },
  {
    name: 'a stored rule that stays urgent without its author',
    file: 'src/production/ingest/import-rules/work.ts',
    find: "? wanted : 'HIGH'",
    replace: '? wanted : wanted',
    caughtBy: rules,
  },
  {
    name: 'urgent jobs that starve lower bands',
    file: 'src/production/jobs/pools/rules.ts',
    find: 'const isShare = lower.length > 0 && count >= maxPassed;',
    replace: 'const isShare = lower.length > maxPassed && count >= maxPassed;',
    caughtBy: 'test/production/jobs/shares.test.ts',
  },
  {
    name: 'jobs of one user in all places',
    file: 'src/production/jobs/pools/rules.ts',
    find: 'const allButOne = Math.max(1, places - 1);',
    replace: 'const allButOne = Math.max(1, places);',
    caughtBy: 'test/production/jobs/shares.test.ts',
  },
];
