export { indexedWords } from './index/words.ts';
export { joinHooks } from './joins.ts';
export { askUserOfJob, callerNamed, callerOfJob, callerWithId } from './libraries/callers.ts';
export type { JoinedRows } from './query/joined.ts';
