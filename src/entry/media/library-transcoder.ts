import { createReadStream } from 'node:fs';
import { readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { containerNames, conversionPlan, type Encodes } from '../../composition/transcoding.ts';
import { isRecord } from '../../core/lib/checks.ts';
import type { Gate } from '../../core/lib/gate.ts';
import { sentenceOf } from '../../core/lib/messages.ts';
import { MediaFault } from '../../production/checking/public-reading.ts';
import type {
  CutOrder,
  MediaSource,
  Transcoded,
  TranscodeOptions,
  Transcoder,
  TranscoderAbilities,
} from '../../spi/index.ts';
import { hostConditions, packageEntry } from '../plugins/package-entry.ts';
import type { Converted, LibraryModules, StillMessage } from './child/library-calls.ts';
import { Loopback } from './child/loopback.ts';
import { MediaProcess, type MediaQuestion, mediaProgram } from './child/media-process.ts';
import { emptyFolder, removeFolder } from './transcode-run.ts';

interface InstalledLibrary {
  readonly place: LibraryModules;
  /** Folders that a process reads to load it. */
  readonly reads: readonly string[];
  readonly version: string;
}

const server = join('@mediabunny', 'server');

/** The library that an operator installed in `node_modules` of a folder, with its decoders and encoders. */
export async function findMediaLibrary(folder: string): Promise<InstalledLibrary | undefined> {
  const modules = join(folder, 'node_modules');
  try {
    // A package may lie elsewhere, behind a link: what it needs lies beside it there.
    const own = await realpath(join(modules, server));
    const beside = own.endsWith(sep + server) ? dirname(dirname(own)) : modules;
    const place = {
      server: await entryOf(own),
      library: await entryOf(join(beside, 'mediabunny')),
    };
    const reads = [...new Set([await realpath(modules), beside])];
    return { place, reads, version: await versionOf(own) };
  } catch {
    return undefined;
  }
}

async function entryOf(folder: string): Promise<string> {
  const entry = await packageEntry(folder, hostConditions);
  if (entry === undefined) throw new Error(`Expected a package in "${folder}"`);
  return entry;
}

async function versionOf(folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return isRecord(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : 'unknown';
}

export interface LibraryOptions {
  /** Folder whose `node_modules` contain the library. */
  readonly folder: string;
  /** Folder for unfinished files. */
  readonly scratch: string;
  readonly turns: Gate;
  /** Turns of stills. */
  readonly stillTurns?: Gate;
  /** Megabytes of memory for one run. */
  readonly megabytes: number;
  readonly now: () => number;
}

interface UsableLibrary extends InstalledLibrary {
  readonly encodes: Encodes;
}

type LibraryQuestion = Pick<MediaQuestion, 'call' | 'input' | 'within' | 'onProgress'>;

const install = 'install @mediabunny/server in the instance root, or name its folder in PORTICO_MEDIA_LIBRARY';
/** Milliseconds without progress. */
const silence = 60_000;
/** Milliseconds to load the library and to try its encoders. */
const quick = 30_000;
/** Milliseconds after which a library that cannot be loaded is tried again. */
const again = 60_000;
/** Seconds of CPU time for one run, in case it outlives the service. */
const maxRun = 7 * 24 * 3600;
/** Limit for one still, which is held in memory. */
const maxStillBytes = 16 * 1024 * 1024;
/** Share of the source's duration. Shorter results are reported. */
const shortest = 0.95;

const nothing: MediaSource = { size: 0, read: async () => new Uint8Array() };

/** Transcoder that runs an installed `@mediabunny/server` in a media process. */
export function libraryTranscoder({
  folder: root,
  scratch,
  turns,
  stillTurns = turns,
  megabytes,
  now,
}: LibraryOptions): Transcoder {
  const loopback = new Loopback();
  const running = new Set<MediaProcess>();
  let usable: Promise<UsableLibrary> | undefined;
  let failed: { readonly missing: string; readonly at: number } | undefined;

  /** A process for one question: native code leaks, and may be brought to do what it should not. */
  async function askChild<T>(
    { reads }: InstalledLibrary,
    folder: string,
    source: MediaSource,
    signal: AbortSignal,
    question: LibraryQuestion,
  ): Promise<T> {
    signal.throwIfAborted();
    const limits = { megabytes, setting: 'transcodeMegabytes', cpuSeconds: maxRun, folder };
    const child = new MediaProcess(limits, loopback, mediaProgram, {
      reads: [...reads, folder],
      writes: folder,
      isNative: true,
    });
    running.add(child);
    try {
      await child.ready();
      return (await child.ask({ source, signal, ...question })) as T;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      child.kill();
      running.delete(child);
    }
  }

  async function look(found: InstalledLibrary): Promise<UsableLibrary> {
    const folder = await emptyFolder(scratch);
    try {
      const { signal } = new AbortController();
      const question = { call: 'encoders', input: found.place, within: quick };
      return { ...found, encodes: await askChild<Encodes>(found, folder, nothing, signal, question) };
    } finally {
      await removeFolder(folder);
    }
  }

  /** Looks for the library. Without success later callers look again, so a later installation is noticed. */
  async function ready(): Promise<UsableLibrary | { readonly missing: string }> {
    if (usable) return usable;
    if (failed && now() - failed.at < again) return { missing: failed.missing };
    const installed = await findMediaLibrary(root);
    if (!installed) return { missing: install };
    const looking = look(installed);
    usable = looking;
    try {
      return await looking;
    } catch (error) {
      usable = undefined;
      const missing = `install @mediabunny/server again: ${sentenceOf(error).replaceAll(root, 'its folder')}`;
      failed = { missing, at: now() };
      return { missing };
    }
  }

  async function required(): Promise<UsableLibrary> {
    const usable = await ready();
    if ('missing' in usable) throw new MediaFault('unsupported', `Expected @mediabunny/server: ${usable.missing}`);
    return usable;
  }

  async function abilities(): Promise<TranscoderAbilities> {
    const usable = await ready();
    if ('missing' in usable) return usable;
    const { version, encodes } = usable;
    return {
      version,
      licence: 'MPL-2.0, with an FFmpeg that is GPL',
      containers: Object.keys(containerNames),
      ...encodes,
      stills: ['image/jpeg', 'image/png'],
    };
  }

  async function unable(order: Parameters<Transcoder['unable']>[0]): Promise<string | undefined> {
    const plan = conversionPlan(order, (await required()).encodes);
    return 'unable' in plan ? plan.unable : undefined;
  }

  async function run(
    source: MediaSource,
    order: Parameters<Transcoder['run']>[1],
    { signal, progress }: TranscodeOptions,
  ) {
    const usable = await required();
    const plan = conversionPlan(order, usable.encodes);
    if ('unable' in plan) throw new MediaFault('unsupported', `Expected an order without ${plan.unable}`);
    const converted = await madeBy(usable, source, { call: 'convert', input: { plan } }, { signal, progress });
    return { ...converted.file, warnings: [...converted.warnings, ...shortOf(order.seconds, converted.seconds)] };
  }

  /** The streams are copied: it needs no encoder. */
  async function cut(source: MediaSource, order: CutOrder, options: TranscodeOptions): Promise<Transcoded> {
    const cutting = await madeBy(await required(), source, { call: 'cut', input: { order } }, options);
    return { ...cutting.file, warnings: cutting.warnings };
  }

  /** Creates one new file in a folder of its own. */
  async function madeBy(
    there: UsableLibrary,
    source: MediaSource,
    { call, input }: { readonly call: string; readonly input: object },
    { signal, progress }: TranscodeOptions,
  ) {
    const task = async () => {
      const folder = await emptyFolder(scratch);
      let reached = 0;
      try {
        const converted = await askChild<Converted>(there, folder, source, signal, {
          call,
          input: { place: there.place, file: outName, ...input },
          within: silence,
          onProgress(done) {
            reached = Math.min(1, Math.max(reached, Number(done) || 0));
            progress(reached);
          },
        });
        progress(1);
        const path = join(folder, outName);
        const { size } = await stat(path);
        if (size === 0) throw new MediaFault('broken', 'Expected media with pictures or sound: the new file is empty');
        const body = () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
        return { ...converted, file: { size, body, close: () => removeFolder(folder) } };
      } catch (error) {
        await removeFolder(folder);
        throw error;
      }
    };
    return turns.run(task, { signal });
  }

  async function stills(
    source: MediaSource,
    order: Parameters<Transcoder['stills']>[1],
    each: Parameters<Transcoder['stills']>[2],
    { signal }: Pick<TranscodeOptions, 'signal'>,
  ): Promise<void> {
    const usable = await required();
    const task = async () => {
      const folder = await emptyFolder(scratch);
      const stop = new AbortController();
      let delivery = Promise.resolve();
      const give = async ({ seconds, file }: StillMessage) => {
        const path = join(folder, stillName(file));
        const { size } = await stat(path);
        if (size > maxStillBytes) throw new MediaFault('exhausted', 'Expected a smaller picture');
        await each({ seconds, bytes: new Uint8Array(await readFile(path)) });
        await rm(path);
      };
      try {
        await askChild(usable, folder, source, AbortSignal.any([signal, stop.signal]), {
          call: 'stills',
          input: { place: usable.place, order },
          within: silence,
          onProgress(told) {
            delivery = delivery.then(() => give(told as StillMessage));
            delivery.catch((error: unknown) => stop.abort(error));
          },
        });
        await delivery;
      } finally {
        await delivery.catch(() => undefined);
        await removeFolder(folder);
      }
    };
    await stillTurns.run(task, { signal });
  }

  return {
    name: 'mediabunny',
    abilities,
    unable,
    run,
    cut,
    stills,
    async close() {
      for (const child of running) child.kill();
      await loopback.close();
    },
  };
}

const outName = 'out';

/** The process may say what it likes. */
function stillName(file: unknown): string {
  if (typeof file === 'string' && /^still-\d{1,6}$/.test(file)) return file;
  throw new MediaFault('broken', 'Expected messages of the media process');
}

const shortOf = (expected: number | undefined, found: number | undefined): readonly string[] =>
  expected !== undefined && found !== undefined && found < expected * shortest
    ? [`Expected ${expected} seconds: found ${found}`]
    : [];
