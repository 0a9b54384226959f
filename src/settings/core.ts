import {
  flag,
  keyText,
  level,
  list,
  matching,
  mebibyte,
  ranges,
  type SettingsOf,
  type SettingTable,
  secret,
  setting,
  targets,
  text,
  whole,
} from './kinds.ts';

/** Settings of the listener, the database, documents, searches and plugins, which belong to no room. */
export const coreSettings = {
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
  logLevel: setting(level, 'info', 'Least level of a log line. "info" has one line a request.'),
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
    'Most values in one page of a list. One of more than 200 bytes counts as several. Metadata of items, of collections and of their log counts by its stored bytes, for a sixteenth where only some fields are asked for. A larger page is refused: ask for fewer entries. A page of events is shorter instead.',
  ),
  maxMetadataBytes: setting(
    whole(1000, 256 * mebibyte),
    1_100_000,
    'Most bytes of the key-value metadata of one user, group or other entity, keys and values together: one answer has all of it.',
  ),
  maxSearchWork: setting(
    whole(1000, 100_000_000),
    200_000,
    'Most values that one search by patterns may compare: names in reach, times the fields that it asks for. A wider one is refused. A database in memory allows ten thousand at most.',
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
  queryQueue: setting(
    whole(0, 10_000),
    256,
    'Searches and lists that wait for such a thread. Beyond that, the newest of the account with the most is answered 503. Of one account half as many; more are answered 429.',
  ),
  querySeconds: setting(
    whole(1, 3600),
    10,
    'Seconds until a search or a list of a file database is interrupted and answered 503.',
  ),
  gzipFrom: setting(
    whole(0, 256 * mebibyte),
    16_384,
    'Shortest answer to GET or to a search by PUT, in characters, that is compressed for a caller who accepts gzip. 0: none is. Never one that holds a credential.',
  ),
  requestTimeout: setting(
    whole(1, 3600),
    60,
    'Seconds until a request that is still being received is given up; of an upload of bytes, seconds without a byte. On Node and Bun.',
  ),
  stopTimeout: setting(whole(1, 3600), 20, 'Seconds that a stop waits for requests in flight.'),
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
  secretKey: setting(
    keyText,
    undefined,
    'Key under which passwords and signing secrets of notifications are stored. Unset: a file secret.key in the root, made at the first start; with a remote database there is none.',
  ),
  idBlock: setting(
    whole(1, 100_000),
    64,
    'Ids that an instance takes from the database at once: up to 16 times as many while callers wait for them, but 20,000 at most.',
  ),
  migrate: setting(
    flag,
    true,
    'Run schema migrations at start. Without it, a database that needs them stops the start.',
  ),
  migrationCopy: setting(
    flag,
    true,
    'Copy the database file beside it before a migration changes it, as portico.db.before-VERSION. A later copy of the same version replaces it.',
  ),
} as const satisfies SettingTable;

export type CoreSettings = SettingsOf<typeof coreSettings>;
