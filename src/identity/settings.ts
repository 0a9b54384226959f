import type { CoreSettings } from '../core/settings/core.ts';
import { constant, flag, oneOf, type SettingsOf, type SettingTable, setting, whole } from '../core/settings/kinds.ts';
import { type KnownProperties, wholeProperty } from '../room/properties.ts';

/** Length that people should be asked for. The setting allows less, because clients of older systems set shorter passwords. */
export const soundPasswordLength = 8;

/** Settings of users, their passwords and logins. */
export const identitySettings = {
  passwordConcurrency: setting(whole(1, 64), 2, 'Password hashes computed at the same time.'),
  passwordQueue: constant(256, 'Maximum number of waiting password checks. Further ones are answered 503.'),
  passwordWait: setting(
    whole(1, 300),
    5,
    'Maximum seconds that a password check waits in the queue, before it is answered 503. It counts neither as a failed login nor toward realmTimeout.',
  ),
  minPasswordLength: setting(
    whole(1, 1024),
    1,
    'Minimum length of a new password, in characters. Existing passwords stay valid.',
  ),
  maxPasswordLength: constant(1024, 'Longest password, in characters.'),
  rememberPasswordSeconds: setting(
    whole(0, 3600),
    60,
    'Seconds that a verified password is cached, as a keyed digest. The account is still read on each request. 0: no cache.',
  ),
  rememberPasswordEntries: constant(10_000, 'Maximum number of verified passwords in the cache.'),
  loginFreeFailures: setting(
    whole(1, 1000),
    30,
    'Wrong passwords for one account from one network until further ones are slowed down. Ten times as many for an account from anywhere, fifty times for a network.',
  ),
  loginDelayMost: setting(
    whole(0, 3600),
    60,
    'Longest pause after wrong passwords, in seconds. It begins with one second and doubles. 0: never.',
  ),
  realmLoginSeconds: setting(
    whole(1, 31_536_000),
    43_200,
    'Maximum seconds that tokens and sessions last whose login another realm accepted without an end. Then the realm is asked again.',
  ),
  familiarNetworkDays: setting(
    whole(0, 365),
    30,
    'Days for which the database remembers, as a digest, the networks of successful logins. Failures from elsewhere do not delay logins there. 0: only in memory, for a day.',
  ),
  secondFactor: setting(
    oneOf('off', 'optional', 'administrators', 'all'),
    'off',
    'Who logs in with a second factor: nobody, who wants to, administrators too who do not want to, or all.',
  ),
  passkeyLogin: setting(
    flag,
    false,
    'Whether a passkey logs in without the password. It then asks for the finger, the face or the PIN of its owner.',
  ),
  passwordAlone: setting(
    flag,
    false,
    'Whether HTTP Basic with a password works for users who have, or must have, a second factor. Without it they use access keys.',
  ),
  stepUpSeconds: setting(
    whole(60, 86_400),
    900,
    'Age from which on a login is repeated before roles, realms, access keys, passwords and second factors change. Only with secondFactor.',
  ),
} as const satisfies SettingTable;

/** Settings of identity, and those shared by all rooms. */
export type IdentitySettings = SettingsOf<typeof identitySettings> & CoreSettings;

const hour = 60 * 60;

/** Validity of tokens and sessions. */
export const identityProperties = {
  userTokenDefaultInterval: wholeProperty(60, 1, 'Seconds that a token is valid if nothing else is asked for.'),
  userTokenMaxInterval: wholeProperty(60, 1, 'Maximum seconds that a token is valid. Administrators may request more.'),
  userTokenRefreshInterval: wholeProperty(
    10,
    0,
    'Seconds in which the expiry of a token that refreshes is not moved again.',
  ),
  userSessionIdle: wholeProperty(8 * hour, 1, 'Seconds that a session of the web page lasts after its last use.'),
  userSessionMost: wholeProperty(
    7 * 24 * hour,
    1,
    'Maximum seconds of a session of the web page, however much it is used.',
  ),
} as const satisfies KnownProperties;

export type IdentityProperty = keyof typeof identityProperties;
