export { groupAt, groupKind, putGroupIn } from './groups/change.ts';
export { putNothing } from './groups/rules.ts';
export { edgesAmong } from './memberships/store.ts';
export type { IdentityParts } from './parts.ts';
export type { Scrypt } from './passwords/hash.ts';
export { type IdentitySettings, soundPasswordLength } from './settings.ts';
export { userAt, userKind, userNamed } from './users/change.ts';
export { createUser, noSuchGroup, noSuchUser } from './users/rules.ts';
