import {
  constant,
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
  wholeOrAuto,
} from './kinds.ts';

/** Settings of the listener, the database, documents, searches and plugins, which belong to no room. */
export const coreSettings = {
  host: setting(text, '127.0.0.1', 'Address to listen on. "0.0.0.0" serves other machines.'),
  port: setting(whole(0, 65535), 8080, 'Port to listen on. 0 takes a free one.'),
  root: setting(text, './portico-data', 'Instance root: folder of the database, security.ini and plugins.'),
  database: setting(
    text,
    '',
    'Database: "file:PATH", "http(s)://…" or "libsql://…" for a libSQL server, "memory:" for tests. Empty: portico.db in the root.',
  ),
  databaseToken: setting(secret, undefined, 'Token for a remote database.'),
  edgeCalls: setting(
    whole(30, 10_000),
    40,
    'On an edge: calls to the database and other machines in one invocation. Beyond it, background work sends none and goes on in the next one. Keep it 10 below the limit of your plan.',
  ),
  site: setting(
    matching(/^[_A-Za-z][_A-Za-z0-9]{0,9}$/, 'a letter or underscore, then up to 9 letters, digits or underscores'),
    'VX',
    'First part of every id: VX-1, VX-2.',
  ),
  firstId: setting(
    whole(1, 999_999_999_999),
    1,
    'Lowest number of new ids: 1000000 gives VX-1000000. Lower numbers stay free for ids of a system that came before.',
  ),
  schemaNamespace: setting(
    matching(/^[^\s<>"&]+$/, 'a namespace address'),
    'urn:portico:schema',
    'XML namespace of answers. Requests may have any namespace.',
  ),
  without: setting(
    list,
    [],
    'Extensions that the service leaves out. Their routes answer 501, and their tables stay as they are. Empty: none.',
  ),
  logLevel: setting(level, 'info', 'Minimum level of a log line. "info" has one line per request.'),
  trustedProxies: setting(
    ranges,
    [],
    'Proxies in front of this service, by address or range. X-Forwarded-For and X-Forwarded-Proto are accepted only from them. Empty: none.',
  ),
  outboundAllow: setting(
    targets,
    [],
    'Private ranges, addresses and host names that API callers may make this service call. Cloud metadata services are never allowed. Empty: public addresses only.',
  ),
  metricsPort: setting(
    whole(0, 65535),
    0,
    'Port of a separate listener on the same host, which serves GET /metrics and GET /healthcheck without credentials. 0: none.',
  ),
  processes: setting(
    wholeOrAuto(1, 64),
    1,
    'Processes that answer requests. More than one: another process does the background work. "auto": one for each core. On Node, and on Deno on Linux.',
  ),
  maxTargetLength: constant(8192, 'Longest request target, in characters.'),
  maxHeaderBytes: constant(
    16_384,
    'Maximum size in bytes of the request target and all headers; more are answered 431. On Node and Bun.',
  ),
  maxBodyBytes: setting(whole(1024, 256 * mebibyte), mebibyte, 'Largest body of a document or a text, in bytes.'),
  maxDocumentDepth: constant(64, 'Deepest nesting in an XML or JSON document.'),
  maxDocumentElements: constant(25_000, 'Maximum number of elements in a document.'),
  maxDocumentAttributes: constant(100, 'Maximum number of attributes on one element.'),
  maxDocumentText: constant(mebibyte, 'Longest text of one element, in characters.'),
  maxDocumentEntries: constant(
    1000,
    'Maximum number of entries of one list in a document, such as the members of a group. Some lists have room for fewer.',
  ),
  maxDocumentUnknown: constant(
    10_000,
    'Maximum number of unknown elements in a document, with the elements inside of them.',
  ),
  maxPage: setting(
    whole(1, 100_000),
    1000,
    'Maximum number of entries in one page of a list; also what a list without "number" gives.',
  ),
  maxPageValues: setting(
    whole(1000, 10_000_000),
    25_000,
    'Maximum number of values in one page of a list. One of more than 200 bytes counts as several. Metadata of items, of collections and of their log counts by its stored bytes, for a sixteenth where only some fields are asked for. Lists of items and collections leave out the content of their heaviest entries, and name those in `portico-left-out`. Another larger page is refused: ask for fewer entries. A page of events is shorter instead.',
  ),
  maxMetadataBytes: constant(
    1_100_000,
    'Maximum number of bytes of the key-value metadata of one user, group or other entity, keys and values together: one answer has all of it.',
  ),
  maxSearchWork: constant(
    200_000,
    'Maximum number of values that one search by patterns may compare: names in reach, times the fields that it asks for. A wider one is refused. A database in memory allows ten thousand at most.',
  ),
  maxSearchSteps: setting(
    whole(100_000, 10_000_000_000),
    200_000_000,
    'Maximum number of steps of one search: bytes of the values in reach, times the length of what is searched in them. A hundred million take up to half a second. A costlier one is refused. A database in memory allows three million at most.',
  ),
  maxSearchText: constant(
    1000,
    'Number of characters of a value that searches compare and sort by, from its beginning.',
  ),
  maxSearchPattern: constant(255, 'Longest value that a search may ask for, in characters.'),
  queryReaders: setting(
    whole(1, 64),
    4,
    'Threads that run searches and long lists of a file database, started when they are needed. One account uses half of them at most.',
  ),
  queryQueue: constant(
    256,
    'Maximum number of searches and lists that wait for such a thread. Beyond that, the account with the most gets 503. One account may have half of them; more are answered 429.',
  ),
  querySeconds: setting(
    whole(1, 3600),
    10,
    'Seconds until a search or a list of a file database is interrupted and answered 503.',
  ),
  gzipFrom: setting(
    whole(0, 256 * mebibyte),
    16_384,
    'Minimum length in characters of answers that are compressed with gzip, for GET and searches by PUT. 0: no compression. Answers with credentials are never compressed.',
  ),
  requestTimeout: setting(
    whole(1, 3600),
    60,
    'Timeout in seconds for receiving a request. For an upload of bytes: seconds without a byte. On Node and Bun.',
  ),
  stopTimeout: setting(whole(1, 3600), 20, 'Seconds that a shutdown waits for requests in progress.'),
  pluginFolders: setting(list, [], 'Folders with plugins beside those in the root, with commas between.'),
  watch: setting(flag, false, 'Read security.ini and the plugins again when they change. SIGHUP does it once.'),
  realmTimeout: setting(
    whole(10, 600_000),
    10_000,
    'Timeout in milliseconds of a realm, listener or provider for one login, and of a filter for one request. After that it has failed.',
  ),
  commitGroup: constant(256, 'Maximum number of transactions that share one disk sync or one round trip.'),
  commitQueue: constant(10_000, 'Maximum number of transactions waiting to be committed; more are answered 503.'),
  databaseTimeout: setting(
    whole(100, 600_000),
    5_000,
    'Milliseconds that a request waits for an answer of a remote database, however many of its calls ask; then it is answered 503. Also how long the writer of a file waits for the lock of another process.',
  ),
  deliver: setting(
    flag,
    true,
    'Deliver notifications on this instance. Switch it off if other instances deliver them.',
  ),
  secretKey: setting(
    keyText,
    undefined,
    'Key that encrypts stored passwords and signing secrets of notifications. Unset: the file secret.key in the root, created at the first start. A remote database needs the setting.',
  ),
  idBlock: constant(
    64,
    'Ids that an instance reserves in the database at once. Up to 16 times as many under load, but 20,000 at most.',
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
  otelExporterOtlpEndpoint: setting(
    matching(/^$|^https?:\/\/[^\s?#]+$/, 'an http address'),
    '',
    'Address of a collector that gets spans and metrics by OTLP over HTTP with JSON, such as http://127.0.0.1:4318. Empty: none.',
  ),
  otelExporterOtlpHeaders: setting(
    secret,
    undefined,
    'Headers for the collector: name=value, with commas between, values in percent-encoding.',
  ),
  otelServiceName: setting(text, 'portico', 'Name of the service in spans and metrics.'),
  otelTracesSamplerArg: setting(
    matching(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, 'a number from 0 to 1'),
    '1',
    'Share of traces that are recorded. The decision of a caller that sends traceparent is kept.',
  ),
  otelMetricExportInterval: setting(whole(1000, 3_600_000), 60_000, 'Milliseconds between two exports of metrics.'),
} as const satisfies SettingTable;

export type CoreSettings = SettingsOf<typeof coreSettings>;
