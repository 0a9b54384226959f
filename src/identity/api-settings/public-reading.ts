export { createProperties, type Properties } from './properties.ts';
export { storedTaskGroups, taskGroupsRevision } from './store.ts';
export type { StoredTaskGroup } from './task-group-rules.ts';
