export { climb, effectiveRoles, findGroup, groupsNamed, listGroups } from './groups/store.ts';
export { groupsOf } from './memberships/store.ts';
export { checkName } from './names.ts';
export { callerTables, group, groupLinks, groupUser, user } from './tables.ts';
export { findUser, listUsers } from './users/store.ts';
