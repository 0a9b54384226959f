export { askUserOfJob, callerNamed, callerOfJob, callerWithId } from './libraries/users.ts';
