export { callerOfJob } from './libraries/users.ts';
