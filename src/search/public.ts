export { askUserOfJob, callerNamed, callerOfJob } from './libraries/users.ts';
