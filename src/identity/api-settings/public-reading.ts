export { createProperties, type Properties } from './properties/values.ts';
export type { StoredTaskGroup } from './task-groups/rules.ts';
export { storedTaskGroups, taskGroupsRevision } from './task-groups/store.ts';
