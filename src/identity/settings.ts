import type { CoreSettings } from '../settings/core.ts';
import { type SettingsOf, type SettingTable, setting, whole } from '../settings/kinds.ts';

/** Length that people should be asked for. The setting allows less, because clients of older systems set shorter passwords. */
export const soundPasswordLength = 8;

/** Settings of users, their passwords and logins. */
export const identitySettings = {
  passwordConcurrency: setting(whole(1, 64), 2, 'Password hashes computed at the same time.'),
  passwordQueue: setting(whole(0, 100_000), 256, 'Password checks waiting for their turn; more are answered 503.'),
  passwordWait: setting(
    whole(1, 300),
    5,
    'Seconds that a password check waits for its turn; then it is answered 503. It counts neither as a failed login nor toward realmTimeout.',
  ),
  minPasswordLength: setting(
    whole(1, 1024),
    1,
    'Shortest password that can be set, in characters. Those that are set already go on.',
  ),
  maxPasswordLength: setting(whole(8, 65536), 1024, 'Longest password, in characters.'),
  rememberPasswordSeconds: setting(
    whole(0, 3600),
    60,
    'How long a verified password is remembered, under a keyed digest. The account is still read on each request. 0: never.',
  ),
  rememberPasswordEntries: setting(whole(1, 1_000_000), 10_000, 'Most verified passwords remembered.'),
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
  familiarNetworkDays: setting(
    whole(0, 365),
    30,
    'Days for which the database keeps, as a digest, that an account logged in from a network. Guesses of others do not hold it up there. 0: only the process remembers, for a day.',
  ),
} as const satisfies SettingTable;

/** Settings of identity, and those shared by all rooms. */
export type IdentitySettings = SettingsOf<typeof identitySettings> & CoreSettings;
