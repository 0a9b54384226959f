import { type KnownProperties, wholeProperty as whole } from '../room/properties.ts';

/** Validity of tokens. */
export const identityProperties = {
  userTokenDefaultInterval: whole(60, 1, 'Seconds that a token is valid if nothing else is asked for.'),
  userTokenMaxInterval: whole(60, 1, 'Maximum seconds that a token is valid. Administrators may request more.'),
  userTokenRefreshInterval: whole(10, 0, 'Seconds in which the expiry of a token that refreshes is not moved again.'),
} as const satisfies KnownProperties;

export type IdentityProperty = keyof typeof identityProperties;
