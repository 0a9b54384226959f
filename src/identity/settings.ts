import type { CoreSettings } from '../settings/core.ts';
import { mebibyte, type SettingsOf, type SettingTable, setting, whole } from '../settings/kinds.ts';

/** Settings of users, their passwords and logins. */
export const identitySettings = {
  maxPageValues: setting(
    whole(1000, 10_000_000),
    25_000,
    'Most values in one page of users or groups: metadata, and groups of users. One of more than 200 bytes counts as several. A larger page is refused: ask for fewer entries.',
  ),
  maxMetadataBytes: setting(
    whole(1000, 256 * mebibyte),
    1_100_000,
    'Most bytes of the key-value metadata of one user or group, keys and values together: one answer has all of it.',
  ),
  maxSearchWork: setting(
    whole(1000, 100_000_000),
    200_000,
    'Most values that one search of users or groups may compare: names in reach, times the fields that it asks for. A wider one is refused. A database in memory allows ten thousand at most.',
  ),
  maxSearchSteps: setting(
    whole(100_000, 10_000_000_000),
    200_000_000,
    'Most steps of one search: bytes of the values in reach, times the length of what is searched in them. A hundred million take up to half a second. A costlier one is refused. A database in memory allows three million at most.',
  ),
  maxSearchText: setting(
    whole(16, mebibyte),
    1000,
    'Characters of a value that searches compare and sort by. Of a longer value they see only so many from its beginning.',
  ),
  maxSearchPattern: setting(whole(16, 1000), 255, 'Longest value that a search may ask for, in characters.'),
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

/** These, and the settings that every room may read. */
export type IdentitySettings = SettingsOf<typeof identitySettings> & CoreSettings;
