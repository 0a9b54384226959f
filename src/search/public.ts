export { callerNamed, callerOfJob } from './libraries/users.ts';
