import type { Fault } from './fault.ts';

const groups = 'src/identity/groups/routes.ts';
const walk = 'test/fuzz/corpus.test.ts';

/** Faults of a route that only some of its callers meet, and one that no caller may bring about. */
export const madeUpInputFaults: readonly Fault[] = [
  {
    name: 'an answer of 500 behind one value of a parameter',
    file: groups,
    find: 'const page = pageOf(call.query);\n        const { hits, groups } = await listGroups(',
    replace:
      "const page = pageOf(call.query);\n        if (call.query.role === false) throw new Error('planted');\n        const { hits, groups } = await listGroups(",
    caughtBy: walk,
  },
  {
    name: 'an answer outside of its schema',
    file: groups,
    find: 'return { hits, group: await listedGroups(readers, groups, settings) };',
    replace: 'return { hits: hits + 0.5, group: await listedGroups(readers, groups, settings) };',
    caughtBy: walk,
  },
  {
    name: 'a request that holds the loop',
    file: groups,
    find: 'return { hits, group: await listedGroups(readers, groups, settings) };',
    replace:
      'for (const end = performance.now() + 400; performance.now() < end; );\n        return { hits, group: await listedGroups(readers, groups, settings) };',
    caughtBy: walk,
  },
];
