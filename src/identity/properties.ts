import { type KnownProperties, wholeProperty as whole } from '../room/properties.ts';

const hour = 60 * 60;

/** Validity of tokens and sessions. */
export const identityProperties = {
  userTokenDefaultInterval: whole(60, 1, 'Seconds that a token is valid if nothing else is asked for.'),
  userTokenMaxInterval: whole(60, 1, 'Maximum seconds that a token is valid. Administrators may request more.'),
  userTokenRefreshInterval: whole(10, 0, 'Seconds in which the expiry of a token that refreshes is not moved again.'),
  userSessionIdle: whole(8 * hour, 1, 'Seconds that a session of the web page lasts after its last use.'),
  userSessionMost: whole(7 * 24 * hour, 1, 'Maximum seconds of a session of the web page, however much it is used.'),
} as const satisfies KnownProperties;

export type IdentityProperty = keyof typeof identityProperties;
