export { groupAt, putGroupIn } from './groups/change.ts';
export { putNothing } from './groups/rules.ts';
export { groupKind, userKind } from './kinds.ts';
export type { IdentityParts } from './parts.ts';
export type { Scrypt } from './passwords/hash.ts';
export { edgesAmong } from './relations/store.ts';
export { type IdentitySettings, soundPasswordLength } from './settings.ts';
export { userAt, userNamed } from './users/change.ts';
export { createUser, noSuchGroup, noSuchUser } from './users/rules.ts';
