import { parseRange } from '../lib/address.ts';
import { type LogLevel, logLevels } from '../lib/log.ts';
import { nearest } from '../lib/nearest.ts';
import { Secret } from '../lib/secret.ts';
import { readTarget } from '../lib/target.ts';

/** A setting that cannot be used. It stops the start, naming the setting and what was expected. */
export class SettingError extends Error {}

interface Kind<T> {
  /** What to expect, for messages and the manual. */
  readonly expected: string;
  /** What is wrong of a value that has parts. */
  wrong?(text: string): string;
  read(text: string): T | undefined;
}

interface Setting<T> {
  readonly kind: Kind<T>;
  readonly fallback: T;
  readonly says: string;
}

const text: Kind<string> = { expected: 'a text', read: (value) => value };
/** Never empty: `PORTICO_ADMIN_PASSWORD=` would be an administrator whom anybody can be. */
const secret: Kind<Secret | undefined> = {
  expected: 'a secret text that is not empty',
  read: (value) => (value === '' ? undefined : new Secret(value)),
};
/** A key for AES-256. */
const keyText: Kind<Secret | undefined> = {
  expected: '32 bytes in base64',
  read: (value) => (/^[A-Za-z0-9+/_-]{43}=?$/.test(value) ? new Secret(value) : undefined),
};
const secretKinds: ReadonlySet<Kind<unknown>> = new Set([secret, keyText]);
const whole = (least: number, most: number): Kind<number> => ({
  expected: `a whole number from ${least} to ${most}`,
  read: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  },
});
const flag: Kind<boolean> = {
  expected: '"true" or "false"',
  read: (value) => {
    const word = value.toLowerCase();
    return word === 'true' || word === 'false' ? word === 'true' : undefined;
  },
};
const matching = (pattern: RegExp, expected: string): Kind<string> => ({
  expected,
  read: (value) => (pattern.test(value) ? value : undefined),
});
const list: Kind<readonly string[]> = {
  expected: 'a list with commas between',
  read: (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
};
const listOf = (expected: string, isGood: (entry: string) => boolean): Kind<readonly string[]> => ({
  expected: `${expected}, with commas between,`,
  wrong: (value) => list.read(value)?.find((entry) => !isGood(entry)) ?? value,
  read: (value) => (list.read(value)?.every(isGood) ? list.read(value) : undefined),
});
const targets = listOf(
  'ranges such as 10.0.0.0/8, addresses and host names',
  (entry) => readTarget(entry) !== undefined,
);
const ranges = listOf('ranges such as 10.0.0.0/8 and addresses', (entry) => parseRange(entry) !== undefined);
const level: Kind<LogLevel> = {
  expected: `one of ${logLevels.join(', ')}`,
  read: (value) => logLevels.find((known) => known === value),
};

const setting = <T>(kind: Kind<T>, fallback: T, says: string): Setting<T> => ({ kind, fallback, says });

const mebibyte = 1024 * 1024;

/**
 * Every setting: name, default, sentence. `--flag-name` on the command line and `PORTICO_FLAG_NAME` in the
 * environment are derived from the name. `portico settings` prints this table as the manual.
 */
export const settingTable = {
  host: setting(text, '127.0.0.1', 'Address to listen on. "0.0.0.0" serves other machines.'),
  port: setting(whole(0, 65535), 8080, 'Port to listen on. 0 takes a free one.'),
  root: setting(text, './portico-data', 'Instance root: the database, security.ini and plugins live here.'),
  database: setting(
    text,
    '',
    'Where rows live: "file:PATH", "http(s)://…" or "libsql://…" for a libSQL server, "memory:" for nowhere. Empty means portico.db in the root.',
  ),
  databaseToken: setting(secret, undefined, 'Token for a remote database.'),
  site: setting(
    matching(/^[_A-Za-z][_A-Za-z0-9]{0,9}$/, 'a letter or underscore, then up to 9 letters, digits or underscores'),
    'VX',
    'First part of every id: VX-1, VX-2.',
  ),
  schemaNamespace: setting(
    matching(/^[^\s<>"&]+$/, 'a namespace address'),
    'urn:portico:schema',
    'XML namespace of what is written. Any namespace is accepted in what is read.',
  ),
  adminPassword: setting(
    secret,
    undefined,
    'Password of the user admin when an empty database is initialised. Unset: a random one is printed once.',
  ),
  logLevel: setting(level, 'info', 'Least level of a log line. "info" has one line a request.'),
  corsOrigins: setting(list, [], 'Origins whose pages may call the API, with commas between, or "*". Empty: none.'),
  trustedProxies: setting(
    ranges,
    [],
    'Proxies in front of this service, by address or range: their X-Forwarded-For and X-Forwarded-Proto are believed, and of nobody else. Empty: none.',
  ),
  outboundAllow: setting(
    targets,
    [],
    'What callers of the API may make this service call although it is not public: private ranges, addresses, host names. Never metadata services of a cloud. Empty: public addresses only.',
  ),
  metricsPort: setting(
    whole(0, 65535),
    0,
    'Port of a listener of its own, on the same host, that serves GET /metrics without credentials. 0: none.',
  ),
  maxTargetLength: setting(whole(64, 65536), 8192, 'Longest request target, in characters.'),
  maxHeaderBytes: setting(
    whole(2048, 262_144),
    16_384,
    'Most bytes of the request target and all headers; more are answered 431. On Node and Bun.',
  ),
  maxBodyBytes: setting(whole(1024, 256 * mebibyte), mebibyte, 'Largest body of a document or a text, in bytes.'),
  maxDocumentDepth: setting(whole(4, 128), 64, 'Deepest nesting in an XML or JSON document.'),
  maxDocumentElements: setting(whole(16, 10_000_000), 25_000, 'Most elements in a document.'),
  maxDocumentAttributes: setting(whole(4, 10_000), 100, 'Most attributes on one element.'),
  maxDocumentText: setting(whole(64, 256 * mebibyte), mebibyte, 'Longest text of one element, in characters.'),
  maxDocumentEntries: setting(
    whole(1, 1_000_000),
    1000,
    'Most entries of one list in a document, such as the members of a group. Some lists have room for fewer.',
  ),
  maxDocumentUnknown: setting(
    whole(0, 10_000_000),
    10_000,
    'Most elements in a document that this service does not know and passes over, those inside of them included.',
  ),
  maxPage: setting(
    whole(1, 100_000),
    1000,
    'Most entries in one page of a list; also what a list without "number" gives.',
  ),
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
  queryReaders: setting(
    whole(1, 64),
    4,
    'Threads that run searches and long lists of a file database, started when they are needed. One account uses half of them at most.',
  ),
  queryLateReaders: setting(
    whole(0, 64),
    4,
    'Threads that may still run what took too long, beside the others: a statement cannot be stopped.',
  ),
  queryQueue: setting(
    whole(0, 10_000),
    256,
    'Searches and lists that wait for such a thread; more are answered 503. Of one account half as many; more are answered 429.',
  ),
  querySeconds: setting(
    whole(1, 3600),
    10,
    'Seconds until a search or a list of a file database is given up and answered 503.',
  ),
  requestTimeout: setting(
    whole(1, 3600),
    60,
    'Seconds until a request that is still being received is given up. On Node and Bun.',
  ),
  stopTimeout: setting(whole(1, 3600), 20, 'Seconds that a stop waits for requests in flight.'),
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
  auditDays: setting(whole(0, 36_500), 90, 'Days until an entry of the audit log is deleted. 0: never.'),
  auditRows: setting(
    whole(0, 1_000_000_000),
    1_000_000,
    'Most entries of the audit log; beyond, the oldest go. At most half of them are of callers who were not let in. 0: no limit.',
  ),
  auditPaths: setting(
    whole(1, 1_000),
    50,
    'Different refused requests of one network with entries of their own, each minute; four times as many of one user. Further ones share an entry.',
  ),
  pluginFolders: setting(list, [], 'Folders with plugins beside those in the root, with commas between.'),
  watch: setting(flag, false, 'Read security.ini and the plugins again when they change. SIGHUP does it once.'),
  realmTimeout: setting(
    whole(10, 600_000),
    10_000,
    'Milliseconds that a realm or a listener has for one login; then it counts as failed.',
  ),
  commitGroup: setting(whole(1, 512), 256, 'Most transactions that share one disk sync or one round trip.'),
  commitQueue: setting(
    whole(1, 1_000_000),
    10_000,
    'Most transactions waiting to be committed; more are answered 503.',
  ),
  databaseTimeout: setting(whole(100, 600_000), 10_000, 'Milliseconds until a call to the database is given up.'),
  deliver: setting(
    flag,
    true,
    'Deliver notifications on this instance. Off where others do it: an instance for callers, another one for receivers.',
  ),
  deliveryConcurrency: setting(
    whole(1, 10_000),
    100,
    'Lanes of notifications that are delivered at the same time. Calls that take longer than two seconds do not count, up to ten times as many.',
  ),
  deliveryLease: setting(
    whole(3, 3600),
    20,
    'Seconds for which an instance has a lane before it says that it is still at it. After that, others take over.',
  ),
  deliveryPoll: setting(
    whole(50, 600_000),
    1_000,
    'Milliseconds after which an instance looks for what others have committed. What it commits itself is delivered at once.',
  ),
  deliveryTimeout: setting(
    whole(1, 3600),
    30,
    'Most seconds for one attempt to deliver, whatever its notification says.',
  ),
  deliveryAnswerBytes: setting(
    whole(0, mebibyte),
    1_024,
    "Most bytes of a receiver's answer that are read, and kept in the log of deliveries.",
  ),
  deliveryRetries: setting(whole(0, 1000), 3, 'Attempts after the first one, for notifications that do not say.'),
  deliveryRetryHours: setting(
    whole(0, 720),
    0,
    'Hours for which an event is tried again even when its attempts are used up. 0: its notification decides.',
  ),
  deliveryPauseFirst: setting(
    whole(1, 3_600_000),
    1_000,
    'Milliseconds between the first two attempts. Doubles with each one, give or take a fifth.',
  ),
  deliveryPauseMost: setting(whole(1, 86_400), 600, 'Most seconds between two attempts.'),
  deliveryBlockedMinutes: setting(
    whole(1, 43_200),
    240,
    'Minutes for which an event that cannot be delivered keeps others waiting; then it is parked.',
  ),
  pauseAfterFailures: setting(
    whole(1, 100_000),
    10,
    'Failures in a row after which a notification is left alone for a while. Then one attempt shows whether its receiver is back.',
  ),
  pauseFirst: setting(whole(1, 86_400), 60, 'Seconds of the first such pause. Doubles with each one in a row.'),
  pauseMost: setting(whole(1, 604_800), 1_800, 'Most seconds of such a pause.'),
  disableAfterHours: setting(
    whole(0, 8760),
    120,
    'Hours of nothing but failures after which a notification is disabled until somebody resumes it. 0: never.',
  ),
  synchronousSeconds: setting(
    whole(1, 300),
    10,
    'Most seconds for which a change waits for all of its synchronous notifications.',
  ),
  secretKey: setting(
    keyText,
    undefined,
    'Key under which passwords and signing secrets of notifications are stored. Unset: a file secret.key in the root, made at the first start; with a remote database there is none.',
  ),
  maxNotifications: setting(whole(0, 10_000_000), 100_000, 'Most notifications there can be.'),
  maxNotificationDepth: setting(
    whole(1, 1000),
    8,
    'How many deliveries may lead to each other: a receiver that calls the API fires the next. Events beyond are parked; changes that a synchronous notification would be asked about are refused.',
  ),
  maxParked: setting(
    whole(1, 1_000_000),
    10_000,
    'Most events that were given up and are kept for each notification; beyond, the oldest goes.',
  ),
  eventDays: setting(
    whole(1, 36_500),
    30,
    'Days for which events are kept: how long one can be delivered, sent again and read at /event.',
  ),
  deliveryDays: setting(whole(1, 36_500), 30, 'Days for which attempts to deliver stay in the log.'),
  maxEventStreams: setting(whole(0, 100_000), 100, 'Most connections that wait for events at /event.'),
  eventStreamSeconds: setting(
    whole(1, 86_400),
    300,
    'Seconds until such a connection is ended and has to come again, with rights as they are then.',
  ),
  idBlock: setting(whole(1, 100_000), 64, 'Ids that an instance takes from the database at once.'),
  migrate: setting(
    flag,
    true,
    'Run schema migrations at start. Without it, a database that needs them stops the start.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settingTable;
export type Settings = {
  readonly [N in SettingName]: (typeof settingTable)[N] extends Setting<infer T> ? T : never;
};

export const flagOf = (name: string): string => `--${dashed(name)}`;
export const variableOf = (name: string): string => `PORTICO_${dashed(name).replaceAll('-', '_').toUpperCase()}`;

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const names = Object.keys(settingTable) as SettingName[];

/** Settings that are true or false, by their flags. */
export const switches: ReadonlySet<string> = new Set(
  names.filter((name) => (settingTable[name] as Setting<unknown>).kind === flag).map(flagOf),
);

/** Flags win over the environment, which wins over the defaults. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: ReadonlyMap<string, string> = new Map(),
): Settings {
  refuseUnknown(flags.keys(), names.map(flagOf), 'flag');
  refuseMisspelt(environment);
  const settings = Object.fromEntries(
    names.map((name) => {
      const { kind, fallback } = settingTable[name] as Setting<unknown>;
      const flag = flags.get(flagOf(name));
      const given = flag ?? environment[variableOf(name)];
      if (given === undefined) return [name, fallback];
      const value = kind.read(given);
      if (value === undefined) {
        const source = flag === undefined ? variableOf(name) : flagOf(name);
        const found = secretKinds.has(kind) ? '[redacted]' : (kind.wrong?.(given) ?? given);
        throw new SettingError(`Expected ${kind.expected} in ${source}: "${found}"`);
      }
      return [name, value];
    }),
  ) as unknown as Settings;
  const { adminPassword, maxPasswordLength } = settings;
  // It would be stored, and then never be accepted.
  if (adminPassword && adminPassword.reveal().length > maxPasswordLength) {
    throw new SettingError(`Expected at most ${maxPasswordLength} characters in ${variableOf('adminPassword')}`);
  }
  return settings;
}

function refuseUnknown(given: Iterable<string>, known: readonly string[], what: string): void {
  for (const name of given) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    throw new SettingError(`Expected a known ${what}: "${name}"${near ? `. The nearest is ${near}` : ''}`);
  }
}

const misspelt = 2;

/** Container platforms add variables of their own (PORTICO_SERVICE_PORT), so only a near miss is a mistake. */
function refuseMisspelt(environment: Readonly<Record<string, string | undefined>>): void {
  const known = names.map(variableOf);
  const suspects = Object.keys(environment).filter(
    (name) => name.startsWith('PORTICO_') && nearest(name, known, misspelt) !== undefined,
  );
  refuseUnknown(suspects, known, 'variable');
}

/** The manual: every setting with its flag, its variable, its default and its sentence. */
export function settingManual(): string {
  return names
    .map((name) => {
      const { kind, fallback, says } = settingTable[name] as Setting<unknown>;
      const shown = Array.isArray(fallback) ? fallback.join(',') : (fallback ?? '');
      return `${flagOf(name)}, ${variableOf(name)}\n    ${says}\n    Expected ${kind.expected}. Default: ${shown === '' ? 'none' : shown}\n`;
    })
    .join('\n');
}
