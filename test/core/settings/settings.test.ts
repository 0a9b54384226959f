import { describe, expect, it } from 'vitest';
import { readSettings, type Settings, settingManual, settingTable } from '../../../src/composition/settings.ts';
import { Secret } from '../../../src/core/lib/secret.ts';
import { changeable } from '../../../src/core/settings/kinds.ts';
import { flagOf, variableOf } from '../../../src/core/settings/read.ts';

type Changeable = {
  [N in keyof Settings]: (typeof settingTable)[N] extends { kind: unknown } ? N : never;
}[keyof Settings];

/** Every setting: its flag, a value that is not the default, what becomes of it, and values that cannot be used. */
const samples: {
  readonly [N in Changeable]: readonly [flag: string, given: string, read: unknown, wrong: readonly string[]];
} = {
  host: ['--host', '0.0.0.0', '0.0.0.0', []],
  processes: ['--processes', 'auto', 'auto', ['0', '65', 'x', '']],
  port: ['--port', '0', 0, ['', 'x', '-1', '65536', '1.5', '0x10', '8080 ', '1e3', 'NaN', '9'.repeat(400)]],
  root: ['--root', '/data', '/data', []],
  database: ['--database', 'memory:', 'memory:', []],
  databaseToken: ['--database-token', 't', new Secret('t'), ['']],
  searchIndex: ['--search-index', 'engine', 'engine', ['', 'both']],
  searchLag: ['--search-lag', '5', 5, ['-1', '86401']],
  searchStale: ['--search-stale', '5', 5, ['-1', '31536001']],
  edgeCalls: ['--edge-calls', '30', 30, ['29']],
  site: ['--site', 'AB_1', 'AB_1', ['', '1A', 'A-B', 'ABCDEFGHIJK', 'Ä']],
  schemaNamespace: ['--schema-namespace', 'http://x/y', 'http://x/y', ['', 'a b', 'a"b', '<a>', 'a&b']],
  adminPassword: ['--admin-password', 'secret', new Secret('secret'), ['']],
  loginFreeFailures: ['--login-free-failures', '3', 3, ['0', '1001', 'x']],
  loginDelayMost: ['--login-delay-most', '0', 0, ['3601', '-1']],
  secondFactor: ['--second-factor', 'all', 'all', ['', 'on', 'ALL']],
  passkeyLogin: ['--passkey-login', 'true', true, ['yes']],
  passwordAlone: ['--password-alone', 'true', true, ['yes']],
  stepUpSeconds: ['--step-up-seconds', '600', 600, ['59', '86401']],
  auditDays: ['--audit-days', '7', 7, ['-1', 'x', '36501']],
  auditRows: ['--audit-rows', '0', 0, ['-1', '1000000001', '1e6']],
  auditReads: ['--audit-reads', '0', 0, ['-1', '100000001']],
  auditReadDays: ['--audit-read-days', '1', 1, ['0', '36501']],
  pluginFolders: ['--plugin-folders', 'a, b', ['a', 'b'], []],
  watch: ['--watch', 'true', true, ['', 'yes']],
  ui: ['--ui', 'false', false, ['no', '']],
  mediaHere: ['--media-here', 'false', false, ['no', '']],
  scimAdministrators: ['--scim-administrators', 'true', true, ['no', '']],
  uiMediaOrigins: [
    '--ui-media-origins',
    'https://a.example, http://127.0.0.1:9000',
    ['https://a.example', 'http://127.0.0.1:9000'],
    ['a.example', 'https://a.example/', "'unsafe-inline'", 'https://a; script-src *', 'https://*'],
  ],
  without: ['--without', 'captions, wadl', ['captions', 'wadl'], []],
  logLevel: ['--log-level', 'warn', 'warn', ['', 'WARN', 'trace']],
  corsOrigins: ['--cors-origins', 'https://a, https://b,', ['https://a', 'https://b'], []],
  trustedProxies: [
    '--trusted-proxies',
    '10.0.0.0/8, ::1',
    ['10.0.0.0/8', '::1'],
    ['10.0.0.0/33', '10.1', 'proxy.internal', '127.0.0.1:80'],
  ],
  sendfile: ['--sendfile', 'x-accel-redirect', 'x-accel-redirect', ['', 'true', 'X-Accel-Redirect', 'x-accel-redirct']],
  sendfileLocations: [
    '--sendfile-locations',
    '/srv/media=/portico-media/, D:/films=/films/a-b/',
    ['/srv/media=/portico-media/', 'D:/films=/films/a-b/'],
    [
      '/srv/media',
      '/srv/media=/media',
      '/srv/media=media/',
      '/srv/media/=/media/',
      'media=/m/',
      '/a=/../',
      '/a=//',
      '/=/a/',
    ],
  ],
  outboundAllow: [
    '--outbound-allow',
    '10.0.0.0/8, fd00::/8,127.0.0.1, hooks.internal,',
    ['10.0.0.0/8', 'fd00::/8', '127.0.0.1', 'hooks.internal'],
    ['10.0.0.0/33', '10.1.2.3/8', '10.1', 'http://hooks.internal', 'a:80', '*.internal', 'fd00::/129', 'a b'],
  ],
  metricsPort: ['--metrics-port', '9090', 9090, ['x', '65536']],
  gzipFrom: ['--gzip-from', '0', 0, ['-1', '16K']],
  maxBodyBytes: ['--max-body-bytes', '1024', 1024, ['1023', '1MB']],
  importRoots: ['--import-roots', '/in, /drop', ['/in', '/drop'], []],
  storageRoots: ['--storage-roots', '/media, /in', ['/media', '/in'], []],
  minFreeBytes: ['--min-free-bytes', '0', 0, ['-1', '1GB']],
  deleteGraceHours: ['--delete-grace-hours', '24', 24, ['8761', '-1']],
  ffmpeg: ['--ffmpeg', '/opt/ffmpeg', '/opt/ffmpeg', []],
  mediaLibrary: ['--media-library', '/opt/media', '/opt/media', []],
  maxMarkings: ['--max-markings', '4', 4, ['0', '65', 'x']],
  transcodings: ['--transcodings', '2', 2, ['0', '65', 'x']],
  transcodeMegabytes: ['--transcode-megabytes', '512', 512, ['255', '1GB']],
  maxCollectionMembers: ['--max-collection-members', '7', 7, ['0']],
  exportRoots: ['--export-roots', '/out, /web', ['/out', '/web'], []],
  libraryExpiry: ['--library-expiry', '0', 0, ['-1', 'x']],
  maxTransferBytes: ['--max-transfer-bytes', '1048576', 1_048_576, ['1048575']],
  maxWaitingJobs: ['--max-waiting-jobs', '5', 5, ['0', '1000001']],
  scheduledDays: ['--scheduled-days', '1', 1, ['0', '3651']],
  closeLimit: ['--close-limit', '0', 0, ['86401']],
  mediaChildren: ['--media-children', '4', 4, ['0', '65']],
  mediaChildMegabytes: ['--media-child-megabytes', '128', 128, ['127', '65537']],
  exiftool: ['--exiftool', '/opt/exiftool', '/opt/exiftool', []],
  ffprobe: ['--ffprobe', '/opt/ffprobe', '/opt/ffprobe', []],
  concurrentJobs: ['--concurrent-jobs', '5', 5, ['0', '1001']],
  concurrentJobsOfUser: ['--concurrent-jobs-of-user', '2', 2, ['-1', '1001']],
  maxLostPercent: ['--max-lost-percent', '100', 100, ['0', '101']],
  maxPage: ['--max-page', '1', 1, ['0', '100001']],
  maxPageValues: ['--max-page-values', '1000', 1000, ['999', '1e6']],
  maxSearchSteps: ['--max-search-steps', '100000', 100_000, ['99999', 'x']],
  queryReaders: ['--query-readers', '1', 1, ['0', '65']],
  querySeconds: ['--query-seconds', '1', 1, ['0', '3601']],
  requestTimeout: ['--request-timeout', '1', 1, ['0', '3601']],
  stopTimeout: ['--stop-timeout', '1', 1, ['0']],
  passwordConcurrency: ['--password-concurrency', '64', 64, ['0', '65']],
  passwordWait: ['--password-wait', '9', 9, ['0', '301']],
  realmLoginSeconds: ['--realm-login-seconds', '60', 60, ['0', '31536001']],
  familiarNetworkDays: ['--familiar-network-days', '7', 7, ['-1', '366']],
  minPasswordLength: ['--min-password-length', '12', 12, ['0', '1025']],
  rememberPasswordSeconds: ['--remember-password-seconds', '0', 0, ['3601']],
  realmTimeout: ['--realm-timeout', '500', 500, ['', '9', '600001', 'x']],
  databaseTimeout: ['--database-timeout', '100', 100, ['99']],
  deliver: ['--deliver', 'false', false, ['', 'no']],
  deliveryConcurrency: ['--delivery-concurrency', '1', 1, ['0', '10001']],
  deliveryLease: ['--delivery-lease', '3', 3, ['2', '3601']],
  deliveryPoll: ['--delivery-poll', '50', 50, ['49']],
  deliveryTimeout: ['--delivery-timeout', '1', 1, ['0', '3601']],
  smtpUrl: [
    '--smtp-url',
    'smtp://ann:p%40ss@mail.example.com:587',
    new Secret('smtp://ann:p%40ss@mail.example.com:587'),
    [
      '',
      'mail.example.com',
      'http://mail.example.com',
      'smtp://a b',
      'smtp://host:0',
      'smtp://ann:%zz@host',
      'smtp://h/x',
    ],
  ],
  smtpTls: ['--smtp-tls', 'optional', 'optional', ['', 'never']],
  mailFrom: [
    '--mail-from',
    'Portico <portico@example.com>',
    'Portico <portico@example.com>',
    ['portico', 'a@b', 'A <a@example.com', 'a@example.com\r\nBcc: b@example.com', 'a b@example.com', '<a@x.y> <b@x.y>'],
  ],
  publicUrl: [
    '--public-url',
    'https://media.example.com',
    'https://media.example.com',
    ['media.example.com', 'https://'],
  ],
  deliveryRetries: ['--delivery-retries', '0', 0, ['-1', '1001']],
  deliveryRetryHours: ['--delivery-retry-hours', '72', 72, ['721']],
  deliveryPauseFirst: ['--delivery-pause-first', '1', 1, ['0']],
  disableAfterHours: ['--disable-after-hours', '0', 0, ['8761']],
  synchronousSeconds: ['--synchronous-seconds', '1', 1, ['0', '301']],
  secretKey: [
    '--secret-key',
    `${'A'.repeat(43)}=`,
    new Secret(`${'A'.repeat(43)}=`),
    ['', 'A'.repeat(42), ' '.repeat(44)],
  ],
  eventDays: ['--event-days', '1', 1, ['0', '36501']],
  maxEventStreams: ['--max-event-streams', '0', 0, ['-1']],
  firstId: ['--first-id', '1000000', 1_000_000, ['0', '1000000000000']],
  migrationCopy: ['--migration-copy', 'false', false, ['maybe']],
  otelExporterOtlpEndpoint: [
    '--otel-exporter-otlp-endpoint',
    'https://collector.example/otlp',
    'https://collector.example/otlp',
    ['collector', 'ftp://collector.example', 'https://collector.example/?a=b'],
  ],
  otelExporterOtlpHeaders: ['--otel-exporter-otlp-headers', 'api-key=k', new Secret('api-key=k'), ['']],
  otelServiceName: ['--otel-service-name', 'assets', 'assets', []],
  otelTracesSamplerArg: ['--otel-traces-sampler-arg', '0.25', '0.25', ['', '1.5', '-1', 'all', '.5']],
  otelMetricExportInterval: ['--otel-metric-export-interval', '5000', 5000, ['999', '3600001']],
  migrate: ['--migrate', 'FALSE', false, ['', 'no', '0', 'constructor', '__proto__']],
};

const names = Object.keys(changeable(settingTable)) as Changeable[];
const defaults = readSettings({});

const settingIn = (settings: Settings, name: keyof Settings): unknown => {
  const value = settings[name];
  return value instanceof Secret ? value.reveal() : value;
};
const plain = (value: unknown): unknown => (value instanceof Secret ? value.reveal() : value);

/** Settings without which another one stops the start. */
const needed: Partial<Record<keyof Settings, Readonly<Record<string, string>>>> = {
  sendfile: { PORTICO_TRUSTED_PROXIES: '127.0.0.1', PORTICO_SENDFILE_LOCATIONS: '/srv/media=/portico-media/' },
  smtpUrl: { PORTICO_MAIL_FROM: 'portico@example.com', PORTICO_PUBLIC_URL: 'https://media.example.com' },
};

describe('every setting', () => {
  it('has a sample here', () => {
    expect(Object.keys(samples).sort()).toEqual([...names].sort());
  });

  it.each(names)('%s is read from its flag and from its variable, and the flag wins', (name) => {
    const [flag, given, read] = samples[name];
    expect(flagOf(name)).toBe(flag);
    const variable = `${flag.startsWith('--otel') ? '' : 'PORTICO_'}${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
    expect(variableOf(name)).toBe(variable);
    const besides = needed[name] ?? {};
    expect(settingIn(readSettings({ ...besides, [variable]: given }), name)).toEqual(plain(read));
    expect(settingIn(readSettings(besides, new Map([[flag, given]])), name)).toEqual(plain(read));
    expect(plain(read)).not.toEqual(settingIn(defaults, name));
    const [wrong] = samples[name][3];
    if (wrong !== undefined) {
      const settings = readSettings({ ...besides, [variable]: wrong }, new Map([[flag, given]]));
      expect(settingIn(settings, name)).toEqual(plain(read));
    }
  });

  it.each(names)('%s keeps its default when another is given', (name) => {
    const other = names.find((each) => each !== name)!;
    const settings = readSettings({ [variableOf(other)]: samples[other][1] });
    expect(settingIn(settings, name)).toEqual(plain(settingTable[name].fallback));
  });

  it.each(names.filter((name) => samples[name][3].length > 0))(
    '%s says where a value cannot be used and what was expected',
    (name) => {
      for (const wrong of samples[name][3]) {
        const { expected } = settingTable[name].kind;
        expect(() => readSettings({ [variableOf(name)]: wrong })).toThrow(
          `Expected ${expected} in ${variableOf(name)}`,
        );
        expect(() => readSettings({}, new Map([[flagOf(name), wrong]]))).toThrow(
          `Expected ${expected} in ${flagOf(name)}`,
        );
      }
    },
  );

  it.each(names)('%s is in the manual with flag, variable, sentence and default', (name) => {
    const entry = settingManual()
      .split('\n\n')
      .find((part) => part.startsWith(`${flagOf(name)}, ${variableOf(name)}\n`));
    expect(entry).toContain(settingTable[name].says);
    expect(entry).toMatch(/Expected .+\. Default: .+/);
  });
});

describe('a name that is nearly right', () => {
  it.each([
    ['PORTICO_DATABSE', 'PORTICO_DATABASE'],
    ['PORTICO_PORTS', 'PORTICO_PORT'],
    ['PORTICO_ADMIN_PASWORD', 'PORTICO_ADMIN_PASSWORD'],
    ['PORTICO_LOGLEVEL', 'PORTICO_LOG_LEVEL'],
    ['PORTICO_port', 'PORTICO_PORT'],
  ])('%s stops the start and names %s', (given, meant) => {
    expect(() => readSettings({ [given]: '1' })).toThrow(
      `Expected a known variable: "${given}". The nearest is ${meant}`,
    );
  });

  it.each([
    ['--prot', '--port'],
    ['--adminpassword', '--admin-password'],
    ['--Port', '--port'],
  ])('%s stops the start and names %s', (given, meant) => {
    expect(() => readSettings({}, new Map([[given, '1']]))).toThrow(`"${given}". The nearest is ${meant}`);
  });

  it('of a flag that is near to none is refused all the same', () => {
    expect(() => readSettings({}, new Map([['--frobnicate-everything', '1']]))).toThrow('Expected a known flag');
  });

  it.each([
    'PORTICO_SERVICE_HOST',
    'PORTICO_SERVICE_PORT',
    'PORTICO_SERVICE_PORT_HTTP',
    'PORTICO_PORT_8080_TCP',
    'PORTICO_PORT_8080_TCP_PORT',
    'PORTICO_PORT_8080_TCP_ADDR',
    'PORTICO_FUZZ_SECONDS',
    'PORTICO_VERSION',
    'PORT',
    'HOST',
  ])('is not %s, which others set', (name) => {
    expect(readSettings({ [name]: 'x' })).toEqual(defaults);
  });
});

describe('a limit that is no setting', () => {
  const constants = Object.entries(settingTable).filter(([, row]) => !('kind' in row));

  it.each(constants)('%s has its value, and stops the start where an instance still sets it', (name, { fallback }) => {
    expect(defaults[name as keyof Settings]).toBe(fallback);
    const variable = variableOf(name);
    expect(() => readSettings({ [variable]: '1' })).toThrow(
      `${variable} is no setting any more. Its value is ${fallback}. Remedy: remove ${variable}`,
    );
    expect(() => readSettings({}, new Map([[flagOf(name), '1']]))).toThrow(`${flagOf(name)} is no setting any more.`);
    expect(settingManual()).not.toContain(`${variable}\n`);
  });
});

it('a password that could never be given again stops the start', () => {
  const environment = { PORTICO_ADMIN_PASSWORD: 'x'.repeat(1025) };
  expect(() => readSettings(environment)).toThrow('Expected at most 1024 characters in PORTICO_ADMIN_PASSWORD');
});

it.each(Object.entries(needed).flatMap(([name, besides]) => Object.keys(besides).map((each) => [name, each] as const)))(
  '%s stops the start without %s',
  (name, missing) => {
    const { [missing]: _missing, ...others } = needed[name as keyof Settings]!;
    const given = { ...others, [variableOf(name)]: samples[name as Changeable][1] };
    expect(() => readSettings(given)).toThrow(`Expected ${missing} with ${variableOf(name)}`);
  },
);
