import { createHash, createHmac, hash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { eventsAfter } from '../../src/administration/notifications/feed/store.ts';
import { createService, type Platform, type Service } from '../../src/composition/service.ts';
import { readSettings, type Settings } from '../../src/composition/settings.ts';
import type { Random } from '../../src/core/lib/random.ts';
import { Secret } from '../../src/core/lib/secret.ts';
import type { StartThread } from '../../src/core/lib/thread-task.ts';
import type { Wire } from '../../src/core/outbound/wire.ts';
import type { Database } from '../../src/core/store/contract.ts';
import { hasher } from '../../src/entry/crypto.ts';
import { formOf } from '../../src/entry/page-forms.ts';
import { hostWire } from '../../src/entry/wire.ts';
import type { HashParameters, Scrypt } from '../../src/identity/passwords/hash.ts';
import { memoryStorage } from '../../src/kit/testing/storage/memory-storage.ts';
import type { PageFile, PageFiles } from '../../src/room/context.ts';
import type { SecurityInput } from '../../src/security/ini/security-parts.ts';
import type { MediaHost, Plugin, SearchEngine, StorageScheme, Transcoder } from '../../src/spi/index.ts';
import { startOfTime, type TestClock, testClock } from './clock.ts';
import { copiesOf, migratedDatabase } from './migrated.ts';
import { tellSeed, testRandom } from './random.ts';

/** A plugin that a host lends: storages whose methods are such as `memory:///in/`. */
export const memoryPlugin = (storage: StorageScheme): Plugin => ({
  name: 'memory',
  version: '1',
  contract: 1,
  storages: { 'test.MemoryStorage': { says: 'Files in memory.', create: () => storage } },
});

/** A stand-in for scrypt that takes no time and remembers what was asked of it. */
export interface FastScrypt {
  readonly compute: Scrypt;
  /** The parameters and the length of each computation so far. */
  readonly calls: (HashParameters & { readonly length: number })[];
  /** From here on computations wait until they are let go. */
  hold(): { release(): void };
}

export function fastScrypt(): FastScrypt {
  const calls: (HashParameters & { readonly length: number })[] = [];
  let held = Promise.resolve();
  return {
    calls,
    async compute(password, salt, parameters, length) {
      calls.push({ ...parameters, length });
      await held;
      const { cost, block, parallel } = parameters;
      const digest = createHash('sha512')
        .update(`${cost},${block},${parallel}:`)
        .update(salt)
        .update(password)
        .digest();
      return Uint8Array.from({ length }, (_, i) => digest[i % digest.length]!);
    },
    hold() {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return { release: () => release() };
    },
  };
}

/** User name and password. */
export type Credentials = readonly [user: string, password: string];

export const admin: Credentials = ['admin', 'password of admin'];

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Row of the table of events. */
export interface Happened {
  readonly sequence: number;
  readonly name: string;
  readonly entity: string;
  readonly payload: Record<string, unknown>;
  readonly user: string;
}

export interface TestService {
  readonly service: Service;
  readonly clock: TestClock;
  readonly scrypt: FastScrypt;
  readonly lines: readonly LogLine[];
  /** The same lines as they were printed. */
  readonly printed: readonly string[];
  /** Password that `start` made up, if it did. */
  readonly madeUpPassword: string | undefined;
  events(after?: number): Promise<Happened[]>;
  /** Sequence of the newest event. */
  sequence(): Promise<number>;
  /** Error lines of that event are part of the test; any other makes it fail. */
  expectErrors(event: string): void;
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly settings?: Partial<Settings>;
  readonly notices?: readonly string[];
  /** Files of the web page, in place of a few small ones, or what reads them. Null: there are none. */
  readonly page?: PageFiles | Platform['page'] | null;
  readonly unbrotli?: Platform['unbrotli'];
  readonly database?: Database;
  /** Clock that several services go by. */
  readonly clock?: TestClock;
  /** Random source of a second service on one database: with the same one it would have the ids of the first. */
  readonly random?: Random;
  /** Instead of the fast one. */
  readonly realScrypt?: Scrypt;
  /** Instead of the network. */
  readonly fetch?: typeof fetch;
  /** Null: there is none. */
  readonly secretKey?: Secret | null;
  /** Instead of the network, below the address policy. */
  readonly wire?: Wire;
  /** Components beside the shipped ones, as a host lends them. Without it: storages in memory. */
  readonly plugins?: readonly Plugin[];
  /** Without it nothing makes other forms of media. */
  readonly transcoders?: readonly Transcoder[];
  /** Without it nothing is drawn on a thread, as on an edge. */
  readonly thread?: StartThread | undefined;
  readonly searchEngines?: readonly SearchEngine[];
  /** Without it the service probes in its own process. */
  readonly media?: MediaHost;
  /** Instead of the built-in configuration. */
  readonly security?: SecurityInput;
  /** True: as if the lock of servers said that nobody else serves the database. */
  readonly isOnlyServer?: true;
  /** False: the test starts it. */
  readonly start?: boolean;
}

export const testSecretKey = new Secret(Buffer.alloc(32, 7).toString('base64'));

export const testSettings: Settings = {
  ...readSettings({}),
  database: 'memory:',
  adminPassword: new Secret(admin[1]),
  logLevel: 'debug',
};

const pageFile = (type: string, text: string): PageFile => ({
  type,
  etag: hash('sha256', text, 'hex').slice(0, 12),
  br: formOf(new Uint8Array(brotliCompressSync(text))),
  gzip: formOf(new Uint8Array(gzipSync(text))),
});

export const testPage = {
  'index.html': pageFile('text/html; charset=utf-8', '<!doctype html><title>The page</title>'),
  'main-AAAAAAAA.js': pageFile('text/javascript; charset=utf-8', 'export const a = "a program of the page";'),
} satisfies PageFiles;

const readerOf = (page: PageFiles | Platform['page'] = testPage): NonNullable<Platform['page']> =>
  typeof page === 'function' ? (page as NonNullable<Platform['page']>) : async () => page;

/** A migrated database with what the first start of a usual service writes into it, which costs as much as all others do. */
const startedDatabase = copiesOf(async (database) => {
  const world = await openService({ database });
  await world.close();
});

/** Settings that the first start writes something by. */
const written: readonly (keyof Settings)[] = ['adminPassword', 'firstId', 'idBlock', 'site'];

export const startsAsUsual = ({ start = true, clock, realScrypt, settings = {} }: ServiceOptions): boolean =>
  start &&
  (!clock || clock.now() === startOfTime) &&
  !realScrypt &&
  !written.some((name) => Object.hasOwn(settings, name));

/** A whole service in memory whose time, randomness and password hash belong to the test. */
export async function openService(options: ServiceOptions = {}): Promise<TestService> {
  const clock = options.clock ?? testClock();
  const scrypt = fastScrypt();
  const lines: LogLine[] = [];
  const printed: string[] = [];
  const expectedErrors = new Set<string>();
  const service = createService(
    { ...testSettings, ...options.settings },
    {
      clock,
      random: options.random ?? testRandom(),
      database: options.database ?? (await (startsAsUsual(options) ? startedDatabase() : migratedDatabase())),
      scrypt: options.realScrypt ?? scrypt.compute,
      digest: (text) => createHmac('sha256', 'key of a test').update(text).digest('base64'),
      fingerprint: (text) => hash('sha256', text, 'base64url'),
      hasher,
      print: (line) => {
        printed.push(line);
        lines.push(JSON.parse(line) as LogLine);
      },
      notices: options.notices ?? [],
      sample: {
        make: async () => ({ password: 'of the sample', user: [], share: '/ui/s#a', upload: '/ui/s#b', item: 0 }),
        remove: async () => ({ removed: 0, kept: [] }),
      },
      ...(options.page !== null && { page: readerOf(options.page) }),
      ...(options.unbrotli && { unbrotli: options.unbrotli }),
      ...(options.secretKey === null ? {} : { secretKey: options.secretKey ?? testSecretKey }),
      sharesWork: true,
      ...(options.isOnlyServer && { isOnlyServer: () => true }),
      transcoders: options.transcoders ?? [],
      ...(options.thread && { thread: options.thread }),
      searchEngines: options.searchEngines ?? [],
      ...(options.media && { media: options.media }),
      plugins: options.plugins ?? [memoryPlugin(memoryStorage(() => clock.now()))],
      fetch: options.fetch ?? ((...given) => fetch(...given)),
      wire: options.wire ?? hostWire(),
    },
    options.security,
  );
  const started = options.start === false ? undefined : await service.start();
  return {
    service,
    clock,
    scrypt,
    lines,
    printed,
    madeUpPassword: started?.madeUpPassword,
    events: (after = 0) => eventsOf(service, after),
    async sequence() {
      const [row] = await service.store.read('SELECT max(sequence) FROM event');
      return Number(row![0]);
    },
    expectErrors: (event) => {
      expectedErrors.add(event);
    },
    async close() {
      await service.close();
      const unexpected = lines.filter(({ level, event }) => level === 'error' && !expectedErrors.has(event));
      expect(unexpected, 'Error lines in the log').toEqual([]);
    },
  };
}

/** The same for one test: closed, and its log looked through, when the test ends. */
export async function withService(options: ServiceOptions = {}): Promise<TestService> {
  tellSeed();
  const world = await openService(options);
  onTestFinished(() => world.close());
  return world;
}

async function eventsOf(service: Service, after: number): Promise<Happened[]> {
  const rows = await eventsAfter(service.store, { since: after, limit: -1, bytes: Number.MAX_SAFE_INTEGER });
  return rows.map(({ sequence, name, entityId, payload, user }) => ({
    sequence,
    name,
    entity: entityId,
    payload: JSON.parse(payload) as Record<string, unknown>,
    user,
  }));
}
