export { createProperties, type Properties } from './properties.ts';
export { keptProperty, storedTaskGroups, taskGroupsRevision } from './store.ts';
export type { StoredTaskGroup } from './task-group-rules.ts';
