import { readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Platform } from '../composition/service.ts';
import { type Settings, settingTable } from '../composition/settings.ts';
import { systemClock } from '../core/lib/clock.ts';
import { Gate } from '../core/lib/gate.ts';
import { createLog } from '../core/lib/log.ts';
import { systemRandom } from '../core/lib/random.ts';
import { runScriptsIn } from '../core/scripts/run-script.ts';
import { endingSettings } from '../core/settings/read.ts';
import type { Database } from '../core/store/contract.ts';
import { soundPasswordLength } from '../identity/public.ts';
import type { Plugin } from '../spi/index.ts';
import { folderAndLocation } from '../storage/public.ts';
import { fingerprint, hasher, keyedDigest, scrypt } from './crypto.ts';
import {
  createMediaHost,
  drawingPlugin,
  ffmpegTranscoder,
  libraryTranscoder,
  mediaNotices,
  pdfDrawer,
} from './media/public.ts';
import { copyBeforeMigration } from './native/backup.ts';
import { isBelow, rootsOf } from './native/file-storage/roots.ts';
import { hostPlugins } from './native/file-storage/scheme.ts';
import { databaseFile, openDatabase } from './native/open-database.ts';
import { ServerLock } from './native/server-lock.ts';
import { scriptThread, sharedThread } from './native/task-thread.ts';
import { hasPage, noPage, pageFiles } from './page.ts';
import { checkout } from './program-path.ts';
import { secretKeyOf } from './secret-key.ts';
import { hostWire } from './wire.ts';

const forgetAfter = 20;
const maxKept = 64;
const maxKeptLength = 512;

const soon = (forget: () => void): void => void setTimeout(forget, forgetAfter).unref();

/**
 * Keeps digests that were just made. A client sends the same credentials with all its requests, and a hash costs Deno
 * an eighth of a request. The texts are forgotten in the time of a few requests, as their own buffers are.
 */
export function onceMade(digest: (text: string) => string, later = soon): (text: string) => string {
  const digests = new Map<string, string>();
  const forget = () => digests.clear();
  return (text) => {
    const cached = digests.get(text);
    if (cached !== undefined) return cached;
    const digested = digest(text);
    if (digests.size >= maxKept || text.length > maxKeptLength) return digested;
    if (digests.size === 0) later(forget);
    digests.set(text, digested);
    return digested;
  };
}

/** Services of one process share it. It begins with its first task. */
const scriptsOfProcess = scriptThread();

/** Services of Node, Deno and Bun for a service. */
export async function hostPlatform(settings: Settings, print: (line: string) => void): Promise<Platform> {
  runScriptsIn(scriptsOfProcess);
  // Before the database is opened, because a failure here leaves nothing to close.
  const secretKey = await secretKeyOf(settings);
  const { databaseToken, commitGroup, commitQueue, databaseTimeout } = settings;
  const { queryReaders, queryQueue, querySeconds } = settings;
  const url = databaseUrl(settings);
  const database = await openDatabase(url, {
    ...(databaseToken ? { token: databaseToken } : {}),
    groupLimit: commitGroup,
    queueLimit: commitQueue,
    busyTimeout: databaseTimeout,
    deadline: databaseTimeout,
    queries: {
      readers: queryReaders,
      queue: queryQueue,
      milliseconds: querySeconds * 1000,
    },
  });
  const limits = limitsOf(settings);
  return {
    clock: systemClock,
    random: systemRandom,
    database,
    scrypt,
    fetch: (...given) => fetch(...given),
    wire: hostWire(),
    digest: onceMade(keyedDigest()),
    fingerprint: onceMade(fingerprint),
    hasher,
    ...(secretKey ? { secretKey } : {}),
    print,
    notices: [
      ...descriptorNotices(),
      ...mediaNotices(),
      ...passwordNotices(settings),
      ...(await sendfileNotices(settings)),
      ...endingSettings(settings),
      ...(hasPage() || !settings.ui ? [] : [noPage]),
    ],
    ...(url.startsWith('file:') ? { isOnlyServer: lockOf(url, database) } : {}),
    ...(url.startsWith('file:') && settings.migrationCopy ? { beforeMigration: copyOf(url, print) } : {}),
    thread: sharedThread,
    plugins: pluginsFor(settings, limits),
    transcoders: [
      ...transcodersFor(settings, limits),
      pdfDrawer({ ...limits, turns: limits.stillTurns, program: undefined, megabytes: megabytesOfPage(limits) }),
    ],
    media: createMediaHost(settings, limits),
    ...(hasPage() && { page: pageFiles }),
    mediaFolder: mediaFolderOf(settings),
    typed: typedProgram(settings),
    sample: {
      make: async (host) => (await import('./sample/sample.ts')).makeSample(settings, host),
      remove: async (host) => (await import('./sample/sample.ts')).removeSample(settings, host),
    },
    sharesWork: true,
  };
}

/** Megabytes that one page of a document may take. */
const maxOfPage = 1024;
const megabytesOfPage = ({ megabytes }: { readonly megabytes: number }): number => Math.min(megabytes, maxOfPage);

/** Cores that one transcoding keeps busy. Measured: the thread that scales has a seventh of the work of a film in full HD. */
const coresOfRun = 4;

export const transcodingsAtOnce = (
  { transcodings }: Pick<Settings, 'transcodings'>,
  cores = availableParallelism(),
): number => (transcodings === 'auto' ? Math.min(64, Math.max(1, Math.floor(cores / coresOfRun))) : transcodings);

/** Folder and bounds of programs that read media. All that share them run as many together as the operator allows. */
function limitsOf(settings: Settings) {
  const width = transcodingsAtOnce(settings);
  return {
    scratch: resolve(settings.root, 'tmp'),
    turns: new Gate({ width }),
    // People look for the pictures of a film: they wait for no other film.
    stillTurns: new Gate({ width }),
    megabytes: settings.transcodeMegabytes,
  };
}

/** Plugins with components that need this platform. */
export function pluginsFor(settings: Settings, limits = limitsOf(settings)): readonly Plugin[] {
  return [
    ...hostPlugins(settings),
    drawingPlugin({ ...limits, turns: limits.stillTurns, megabytes: megabytesOfPage(limits) }),
  ];
}

/** The preferred one first. */
export function transcodersFor(settings: Settings, limits = limitsOf(settings)) {
  const { ffmpeg, mediaLibrary, root } = settings;
  const folder = resolve(mediaLibrary === '' ? root : mediaLibrary);
  return [
    ffmpegTranscoder({ program: ffmpeg, ...limits }),
    libraryTranscoder({ folder, now: systemClock.now, ...limits }),
  ];
}

/** Folder that a command of this program takes without `--root`. `npm run` begins in the checkout. */
const defaultRoot = (): string => resolve(checkout ? fileURLToPath(checkout) : '.', settingTable.root.fallback);

const inShell = (text: string): string =>
  /^[\w./:\\-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Words around a command, as a person types them, so that it finds the instance of these settings. */
export function typedProgram(settings: Settings): NonNullable<Platform['typed']> {
  const root = resolve(settings.root);
  return {
    program: checkout ? 'npm run -s portico --' : 'portico',
    ...(root !== defaultRoot() && { options: `--root ${inShell(root)}` }),
  };
}

/** The first one, as an address. */
export const mediaFolderOf = (settings: Settings): string => `${pathToFileURL(rootsOf(settings).folders[0]!).href}/`;

/** The lock of servers goes with the database: a service that has closed no longer holds it. */
function lockOf(url: string, database: Database): () => boolean {
  const lock = new ServerLock(databaseFile(url));
  const close = database.close.bind(database);
  database.close = () => close().finally(() => lock.release());
  return () => lock.take();
}

/** Logged, because the copy may be large. */
function copyOf(url: string, print: (line: string) => void) {
  const log = createLog(print, systemClock, 'info');
  return async (version: number) => {
    log.write('info', 'database-copied', { file: await copyBeforeMigration(databaseFile(url), version), version });
  };
}

export function databaseUrl(settings: Settings): string {
  return settings.database || pathToFileURL(join(settings.root, 'portico.db')).href;
}

/** Linux starts processes with 1024 open files; a busy server needs one per connection. */
const leastDescriptors = 50_000;

export function descriptorNotices(limits = readLimits()): string[] {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  if (soft === undefined || Number(soft) >= leastDescriptors) return [];
  return [`The limit of open files is ${soft}. Raise it to at least ${leastDescriptors} (ulimit -n, LimitNOFILE)`];
}

const ofThisMachine = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Warns of short passwords where other machines can reach the service. */
export function passwordNotices({ host, minPasswordLength }: Pick<Settings, 'host' | 'minPasswordLength'>): string[] {
  if (ofThisMachine.test(host) || minPasswordLength >= soundPasswordLength) return [];
  const least = `PORTICO_MIN_PASSWORD_LENGTH is ${minPasswordLength}`;
  return [`Other machines reach "${host}", and ${least}. Expected ${soundPasswordLength} or more`];
}

/** Folders of PORTICO_SENDFILE_LOCATIONS from which nginx gets no file, each with the reason. */
export async function sendfileNotices(settings: Settings): Promise<string[]> {
  if (settings.sendfile !== 'x-accel-redirect') return [];
  const { folders } = rootsOf(settings);
  const notices = settings.sendfileLocations.map(async (entry) => {
    const { folder } = folderAndLocation(entry);
    const real = await realpath(folder).catch(() => undefined);
    const about = `PORTICO_SENDFILE_LOCATIONS has "${folder}"`;
    if (real === undefined) return [`${about}. Expected a folder that this process can read`];
    if (real.replaceAll(sep, '/') !== folder) return [`${about}. Expected its real path, without links: "${real}"`];
    const reals = await Promise.all(folders.map((root) => realpath(root).catch(() => resolve(root))));
    if (reals.some((root) => isBelow(root, real) || isBelow(real, root))) return [];
    return [`${about}. Expected a folder with file storages: see PORTICO_STORAGE_ROOTS`];
  });
  return (await Promise.all(notices)).flat();
}

/** Empty where there is no such file: anywhere but on Linux, or without the permission to read it. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
