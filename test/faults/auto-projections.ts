import type { Fault } from './fault.ts';

const folder = 'src/extensions/stylesheets/auto-projections';
const caughtBy = 'test/extensions/stylesheets/auto-projections/carried-out.test.ts';

/** Faults that make rules run without end, forget changes, or take back what others changed. */
export const autoProjectionFaults: readonly Fault[] = [
  {
    name: 'an auto-projection rule that starts itself',
    file: `${folder}/participant.ts`,
    find: 'if (touches.some(isOfRule)) return [];',
    replace: '',
    caughtBy,
  },
  {
    name: 'a change that is forgotten while another instance has the item of an auto-projection',
    file: `${folder}/store.ts`,
    find: "WHERE ${ofKey} AND later = ''`",
    replace: 'WHERE ${ofKey}`',
    caughtBy,
  },
  {
    name: 'an auto-projection rule that is carried out again after a takeover',
    file: `${folder}/work.ts`,
    find: 'let behind = row.done;',
    replace: "let behind = '';",
    caughtBy,
  },
  {
    name: 'an auto-projection rule that writes what it did not change',
    file: `${folder}/run-rule.ts`,
    find: 'return changedParts(metadata, left);',
    replace: 'return changedParts({ ...metadata, timespan: [] }, left);',
    caughtBy,
  },
];
