import type { Fault } from './fault.ts';

const caughtBy = 'test/assets/definitions/deleted-fields.test.ts';
const bySequences = 'test/assets/metadata/sequences.test.ts';
const store = 'src/assets/metadata/store.ts';
const replay = 'src/assets/metadata/merge/replay.ts';

/** Values of a deleted field that come back. */
export const deletedFieldFaults: readonly Fault[] = [
  {
    name: 'a state of before the deletion that is written behind it',
    file: store,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the source.
    find: "${value('version')} AND ${newestDeletion} = ${value('epoch')}",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the source.
    replace: "${value('version')} AND ${newestDeletion} >= ${value('epoch')}",
    caughtBy,
  },
  {
    name: 'a state that keeps its first epoch',
    file: store,
    find: 'doc = excluded.doc, epoch = excluded.epoch`',
    replace: 'doc = excluded.doc`',
    caughtBy,
  },
  {
    name: 'a log that is played without the deletions in it',
    file: replay,
    find: '    takeOut(state, deletions.between(epoch, set.epoch));\n',
    replace: '',
    caughtBy: bySequences,
  },
  {
    name: 'a log that is played without the deletions behind it',
    file: replay,
    find: '  takeOut(state, deletions.between(epoch, deletions.newest));\n',
    replace: '',
    caughtBy,
  },
  {
    name: 'deletions that are remembered although newer ones came',
    file: 'src/assets/metadata/deleted-fields.ts',
    find: 'cached !== undefined && cached.newest >= newest ?',
    replace: 'cached !== undefined ?',
    caughtBy,
  },
  {
    name: 'a deletion that forgets what a migration still renames',
    file: 'src/assets/definitions/fields/store.ts',
    find: "step.value ->> 'to' = named.name",
    replace: 'FALSE',
    caughtBy,
  },
];
