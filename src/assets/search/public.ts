export { askUserOfJob, callerNamed, callerOfJob, callerWithId } from './libraries/callers.ts';
