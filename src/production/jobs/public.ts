export type { JobRoomParts, JobSettings } from './parts.ts';
export type { TaskDefinition } from './tasks/documents.ts';
export { jobTypeNamed, tasksOf } from './tasks/find.ts';
export { readTasks } from './tasks/routes.ts';
