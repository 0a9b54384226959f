import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../core/lib/clock.ts';
import type { Database } from '../../core/store/contract.ts';
import { StoreStartError } from '../../core/store/faults.ts';
import { LocalDatabase, memoryDatabase } from '../../core/store/local/local-database.ts';
import { type PoolSettings, ReaderPool } from '../../core/store/local/reader-pool.ts';
import { openRemoteDatabase, type RemoteSettings } from '../../core/store/remote/remote-database.ts';
import { connect } from './connection.ts';
import { ReaderThread } from './reader-thread.ts';
import { WriterThread } from './writer-thread.ts';

export interface OpenSettings extends RemoteSettings {
  /** Milliseconds that the writer waits for a lock of another process. */
  readonly busyTimeout?: number;
  /** Threads for queries of a file. */
  readonly queries?: Partial<Omit<PoolSettings, 'open' | 'clock'>>;
}

const defaultQueries = { readers: 4, queue: 256, milliseconds: 10_000 };

/** A read that meets a lock is tried again without blocking, so the engine itself hardly waits. */
const readerBusyTimeout = 10;
const writerBusyTimeout = 5_000;

type Opener = (url: string, settings: OpenSettings) => Promise<Database>;

const openers: Readonly<Record<string, Opener>> = {
  file: (url, settings) => openFile(databaseFile(url), settings),
  memory: async (_, settings) => memoryDatabase(connect(':memory:', { busyTimeout: 0 }), settings),
  http: openRemote,
  https: openRemote,
  libsql: openRemote,
  ws: refuseSocket,
  wss: refuseSocket,
};

const examples = 'file:PATH, memory:, libsql://HOST, https://HOST, http://HOST';

/** Opens the database that the URL names. It is not migrated yet. */
export async function openDatabase(url: string, settings: OpenSettings = {}): Promise<Database> {
  const scheme = /^([a-z]+):/.exec(url)?.[1] ?? '';
  const opener = Object.hasOwn(openers, scheme) ? openers[scheme] : undefined;
  if (opener !== undefined) return opener(url, settings);
  // Only the scheme is quoted: the rest may carry a credential.
  throw new StoreStartError(`Cannot open a database of the scheme "${scheme}:", expected ${examples}`);
}

export function databaseFile(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  const path = url.slice('file:'.length);
  if (path === '') throw new StoreStartError('Cannot open "file:": the path of the database is missing');
  return resolve(path);
}

/** Creates the file readable only by its owner, since it holds password hashes. The log gets the same mode. */
async function createPrivately(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await (await open(path, 'a', 0o600)).close();
}

async function openFile(path: string, settings: OpenSettings): Promise<Database> {
  try {
    await createPrivately(path);
    const { clock = systemClock, queries } = settings;
    const wanted = { ...defaultQueries, ...queries };
    // Read by the binding with the first database of the process: each reader may run a statement on one of its threads.
    process.env['TOKIO_WORKER_THREADS'] ??= String(wanted.readers + 1);
    const data = { path, busyTimeout: settings.busyTimeout ?? writerBusyTimeout };
    const writer = new WriterThread(data);
    await writer.ready;
    const reader = connect(path, { busyTimeout: readerBusyTimeout, readOnly: true });
    const pool = new ReaderPool({ ...wanted, clock, open: () => new ReaderThread(data) });
    const logBytes = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    return new LocalDatabase('file', reader, writer, {
      groupsAhead: 2,
      soon: setImmediate,
      ...settings,
      pool,
      logBytes,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreStartError(`Cannot open the database "${path}": ${reason}`, { cause: error });
  }
}

async function openRemote(url: string, settings: OpenSettings): Promise<Database> {
  return openRemoteDatabase(url, { soon: setImmediate, calls: new AsyncLocalStorage(), ...settings });
}

async function refuseSocket(url: string): Promise<Database> {
  const scheme = url.slice(0, url.indexOf(':'));
  const instead = scheme === 'ws' ? 'http' : 'libsql';
  throw new StoreStartError(`Cannot open a database by WebSocket ("${scheme}:"), expected "${instead}://…" instead`);
}
