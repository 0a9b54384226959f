export { roleOrOwn } from './access-checks.ts';
export { groupAt, groupKind, leavingGroups, planGroup, putGroupIn } from './groups/change.ts';
export { deleteGroups, groupModified, putNothing, renameGroup } from './groups/rules.ts';
export { advance, expectGraph, type GroupRow, groupsWithIds } from './groups/store.ts';
export { noMembershipChange } from './memberships/rules.ts';
export { edgesAmong, membersOf } from './memberships/store.ts';
export type { IdentityParts } from './parts.ts';
export type { Scrypt } from './passwords/hash.ts';
export { passwordOf } from './passwords/store.ts';
export { checkNotFirst, type Privileges, privilegesOf } from './privileges.ts';
export { type IdentitySettings, soundPasswordLength } from './settings.ts';
export { cookieOf, cookieText, openSessionBeginner } from './tokens/begin-session.ts';
export { placeOf } from './tokens/origin.ts';
export { sessionEndHook } from './tokens/session-routes.ts';
export { endSession, findTokenEnd, vouchSession } from './tokens/store.ts';
export { userAt, userKind, userNamed } from './users/change.ts';
export { deleteUser } from './users/deletion-routes.ts';
export { provisionedHook } from './users/provision.ts';
export {
  asRead,
  checkPassword,
  createUser,
  modified,
  nameTakenInSomeCase,
  noSuchGroup,
  noSuchUser,
  switchUser,
  updateUser,
} from './users/rules.ts';
export {
  findLogin,
  findLoginById,
  type LoginRow,
  namesAround,
  type UserRow,
  userById,
  usersAlike,
  usersWithIds,
} from './users/store.ts';
