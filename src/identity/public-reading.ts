export { climb, effectiveRoles, findGroup, groupsNamed, listGroups } from './groups/store.ts';
export { checkName } from './names.ts';
export { groupsOf } from './relations/store.ts';
export { callerTables, group, groupUser, user } from './tables.ts';
export { findUser, listUsers } from './users/store.ts';
