import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Gate } from '../../../core/lib/gate.ts';
import { MediaFault } from '../../../production/checking/public-reading.ts';
import type {
  CutOrder,
  JoinOrder,
  MarkOrder,
  MediaSource,
  Still,
  StillOrder,
  Transcoded,
  TranscodeOptions,
  TranscodeOrder,
  Transcoder,
  TranscoderAbilities,
} from '../../../spi/index.ts';
import { findProgram, permissionFor, rememberFound } from '../child/find-program.ts';
import { Loopback } from '../child/loopback.ts';
import { printedPicture, runLimited, runStreaming } from '../child/run-program.ts';
import { limiterOf, ownLimits } from '../child/spawn-limited.ts';
import { emptyFolder, removeFolder } from '../transcode-run.ts';
import {
  codecsIn,
  cutArguments,
  endingOf,
  inputArguments,
  joinArguments,
  markArguments,
  markEncoder,
  maxDrawnLength,
  orderArguments,
  quietArguments,
  waveformArguments,
} from './arguments.ts';
import { colourRemarks, lookArguments, lookIn, type PictureLook } from './colour.ts';
import { audioEncoders, ffmpegContainers, inputWords, videoEncoders } from './formats.ts';
import { heicProgram, readable, readsHeic, untilAborted } from './heic.ts';
import { decodingOf, makeStills, silenceOfStill } from './stills.ts';
import { Unable } from './video.ts';

interface FfmpegOptions {
  /** A name on the path, or a path. */
  readonly program: string;
  /** The folder for files that are not finished. */
  readonly scratch: string;
  /** Limits the concurrent runs of all transcoders together. */
  readonly turns: Gate;
  /** Limits the concurrent runs that make stills. Default: `turns`. */
  readonly stillTurns?: Gate;
  /** Megabytes of memory for one run. */
  readonly megabytes: number;
}

interface InstalledFfmpeg {
  readonly program: string;
  readonly version: string;
  readonly encoders: ReadonlySet<string>;
  readonly decoders: ReadonlySet<string>;
  readonly filters: ReadonlySet<string>;
}

/** First picture of each source. */
type Looks = readonly (PictureLook | undefined)[];

/** Arguments that let the program say what it sees. */
const lookWords: readonly string[] = ['-nostdin', '-hide_banner', '-loglevel', 'info', '-nostats'];

const install = 'install ffmpeg, or name it in PORTICO_FFMPEG';
/** Milliseconds without progress. To move the index of a large file to its front takes minutes. */
const silence = 300_000;
/** Milliseconds for one segment. Who plays has given up by then. */
const maxOfSegment = 30_000;
/** Seconds of CPU time for one run, in case it outlives the service. */
const maxRun = 7 * 24 * 3600;
/** Milliseconds for questions about the program itself. */
const quick = 10_000;
/** Share of the source's duration. Shorter results are reported. */
const shortest = 0.95;
/** Seconds that the progress of an encoder with reordered frames lags behind its last frame. */
const reordering = 0.25;

/** The transcoder that runs ffmpeg. */
export function ffmpegTranscoder({
  program,
  scratch,
  turns,
  stillTurns = turns,
  megabytes,
}: FfmpegOptions): Transcoder {
  const loopback = new Loopback();
  const limitsIn = (folder: string) => ({ megabytes, cpuSeconds: maxRun, folder });
  const findFfmpeg = rememberFound(async (): Promise<InstalledFfmpeg | undefined> => {
    const place = await findProgram(program);
    if (place === undefined) return undefined;
    const version = /^ffmpeg version (\S+)/.exec(await printedBy(place, ['-version']))?.[1];
    if (version === undefined) return undefined;
    const codersIn = async (list: string) => {
      const listed = await printedBy(place, ['-hide_banner', list]);
      return new Set(Array.from(listed.matchAll(/^ [VA][A-Z.]{5} (\S+)/gm), ([, name]) => name!));
    };
    const [encoders, decoders] = [await codersIn('-encoders'), await codersIn('-decoders')];
    const listing = await printedBy(place, ['-hide_banner', '-filters']);
    const filters = new Set(Array.from(listing.matchAll(/^ [A-Z.]{2,3} (\w+) +\S+->/gm), ([, name]) => name!));
    return { program: place, version, encoders, decoders, filters };
  });

  async function printedBy(place: string, given: readonly string[]): Promise<string> {
    const pieces: Uint8Array[] = [];
    await runStreaming({
      program: place,
      words: given,
      limits: limitsIn(tmpdir()),
      silence: quick,
      signal: new AbortController().signal,
      printed: (piece) => pieces.push(piece) > 0,
    });
    return new TextDecoder().decode(Buffer.concat(pieces));
  }

  /** First picture of a source. Undefined: it has none, or none that can be read, which its use will say. */
  async function lookAt(
    { program: place }: InstalledFfmpeg,
    uri: string,
    folder: string,
    signal: AbortSignal,
    decoding: readonly string[] = [],
  ): Promise<PictureLook | undefined> {
    const limits = limitsIn(folder);
    const own = ownLimits('ffmpeg', limits, limiterOf());
    const words = [...own, ...lookWords, ...inputWords, ...decoding, '-i', uri, ...lookArguments];
    return lookIn((await runLimited(place, words, limits, { signal, within: silenceOfStill })).errors);
  }

  async function required(): Promise<InstalledFfmpeg> {
    const ffmpeg = await findFfmpeg();
    if (ffmpeg) return ffmpeg;
    throw new MediaFault('unsupported', `Expected ffmpeg: ${install}${permissionFor(program)}`);
  }

  /** Lends sources and a folder to some runs, and takes all back. */
  async function lending<T>(
    sources: readonly MediaSource[],
    signal: AbortSignal,
    work: (uris: readonly string[], folder: string, mustBeThere: () => void) => Promise<T>,
    keepsFolder = false,
  ): Promise<T> {
    const folder = await emptyFolder(scratch);
    const lent = await Promise.all(sources.map((source) => loopback.lend(source)));
    /** A program takes a source that fails for one that ends. */
    const mustBeThere = () => {
      signal.throwIfAborted();
      const fault = lent.map((each) => each.fault()).find((each) => each !== undefined);
      if (fault) throw fault.error;
    };
    let isDone = false;
    try {
      const urls = lent.map(({ url }) => url);
      const output = await work(urls, folder, mustBeThere);
      mustBeThere();
      isDone = true;
      return output;
    } catch (error) {
      mustBeThere();
      throw error;
    } finally {
      for (const each of lent) each.takeBack();
      if (!isDone || !keepsFolder) await removeFolder(folder);
    }
  }

  /** The same in the turn of a job. */
  const within =
    (gate: Gate): typeof lending =>
    (sources, signal, ...rest) =>
      gate.run(() => lending(sources, signal, ...rest), { signal });

  async function abilities(): Promise<TranscoderAbilities> {
    const ffmpeg = await findFfmpeg();
    if (!ffmpeg) return { missing: install + permissionFor(program) };
    const { version, encoders } = ffmpeg;
    return {
      version,
      licence: 'that of the installed program: GPL or LGPL',
      containers: Object.keys(ffmpegContainers),
      video: codecsIn(videoEncoders, encoders),
      audio: codecsIn(audioEncoders, encoders),
      stills: ['image/jpeg', 'image/png'],
      marks: encoders.has(markEncoder),
    };
  }

  async function lacks(): Promise<readonly string[]> {
    const ffmpeg = await findFfmpeg();
    return ffmpeg && !readsHeic(ffmpeg, true) ? [`HEIC needs ${heicProgram}`] : [];
  }

  async function unable(order: TranscodeOrder): Promise<string | undefined> {
    try {
      orderArguments(order, await required());
      return undefined;
    } catch (error) {
      if (error instanceof Unable) return error.message;
      throw error;
    }
  }

  /** Runs the program until it has made one file. `words`: its arguments, from the input to the name of the file. */
  async function made(
    sources: readonly MediaSource[],
    { format, seconds }: Pick<TranscodeOrder, 'format' | 'seconds'>,
    words: (there: InstalledFfmpeg, uris: readonly string[], looks: Looks) => readonly string[],
    options: TranscodeOptions,
    looksAt: (source: MediaSource) => boolean = () => false,
  ): Promise<Transcoded> {
    const ffmpeg = await required();
    const read = await Promise.all(sources.map((source) => readable(ffmpeg, source, options.signal)));
    return within(turns)(
      read.map(({ source }) => source),
      options.signal,
      async (uris, folder) => {
        const file = join(folder, `out${endingOf(format)}`);
        const looks: (PictureLook | undefined)[] = [];
        for (const [at, source] of sources.entries())
          looks.push(looksAt(source) ? await lookAt(ffmpeg, uris[at]!, folder, options.signal) : undefined);
        const progress = progressOf(seconds, options);
        await runStreaming({
          program: ffmpeg.program,
          words: [
            ...quietArguments,
            ...['-progress', 'pipe:1', '-nostats'],
            ...words(ffmpeg, uris, looks),
            ...['-y', file],
          ],
          limits: limitsIn(folder),
          silence,
          signal: options.signal,
          printed: progress.read,
        });
        options.progress(1);
        const { size } = await stat(file);
        if (size === 0)
          throw new MediaFault('broken', 'Expected media with pictures or sound: ffmpeg made an empty file');
        return {
          size,
          body: () => Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>,
          close: () => removeFolder(folder),
          warnings: [
            ...progress.warnings(),
            ...new Set([
              ...read.flatMap(({ remarks }) => remarks),
              ...looks.flatMap((look) => colourRemarks(look, ffmpeg.filters)),
            ]),
          ],
        };
      },
      true,
    );
  }

  const run = (source: MediaSource, order: TranscodeOrder, options: TranscodeOptions): Promise<Transcoded> => {
    const words = (there: InstalledFfmpeg, [uri]: readonly string[], [look]: Looks) => [
      ...[...inputWords, '-i', uri!],
      ...orderArguments(order, { ...there, look }),
    ];
    return made([source], order, words, options, () => order.video !== null);
  };

  const cut = (source: MediaSource, order: CutOrder, options: TranscodeOptions): Promise<Transcoded> => {
    const words = (_there: InstalledFfmpeg, [uri]: readonly string[]) => [...inputWords, ...cutArguments(order, uri!)];
    return made([source], { format: order.format }, words, options);
  };

  /** Each part is an input of its own; a source that several are of is lent once. */
  const joinParts = (order: JoinOrder, options: TranscodeOptions): Promise<Transcoded> => {
    const sources = [...new Set(order.parts.flatMap(({ source }) => source ?? []))];
    const words = (there: InstalledFfmpeg, uris: readonly string[], looks: Looks) => {
      const places = order.parts.map(({ source }) => source && uris[sources.indexOf(source)]);
      const seen = order.parts.map(({ source }) => ({ ...there, look: source && looks[sources.indexOf(source)] }));
      try {
        return joinArguments(order, places, seen);
      } catch (error) {
        if (!(error instanceof Unable)) throw error;
        throw new MediaFault('unsupported', `Expected an order that parts can be put together by: ${error.message}`);
      }
    };
    const seconds = order.parts.reduce((sum, part) => sum + part.seconds, 0);
    const isSeen = (source: MediaSource) =>
      order.parts.some((part) => part.source === source && part.pictures !== 'none');
    return made(sources, { ...order.order, seconds }, words, options, isSeen);
  };

  async function stills(
    source: MediaSource,
    order: StillOrder,
    each: (still: Still) => Promise<void>,
    { signal }: Pick<TranscodeOptions, 'signal'>,
  ): Promise<void> {
    const ffmpeg = await required();
    if (order.draws !== undefined && order.draws !== 'audio')
      throw new MediaFault('unsupported', 'Expected sound to draw a still of');
    const isDrawn = order.draws !== undefined;
    const { source: one, remarks } = isDrawn ? { source, remarks: [] } : await readable(ffmpeg, source, signal);
    const [warning] = remarks;
    const decoder = isDrawn ? undefined : await untilAborted(decodingOf(one, order), signal);
    const keep = (still: Still) => each({ ...still, ...(warning !== undefined && { warning }) });
    const work = async ([uri]: readonly string[], folder: string, mustBeThere: () => void) => {
      const { program, filters } = ffmpeg;
      const limits = limitsIn(folder);
      if (decoder) {
        const { decoding, look = await lookAt(ffmpeg, uri!, folder, signal, decoding) } = decoder;
        const lent = { uri: uri!, size: one.size, mustBeThere };
        return makeStills({ ...lent, program, decoding, look, filters, limits, signal }, order, keep);
      }
      const words = [...inputArguments, '-t', String(maxDrawnLength), '-i', uri!, ...waveformArguments(order)];
      // A drawing reads the whole sound before it says a byte.
      const drawing = () => printedPicture({ program, words, limits, silence, blamesMedia: true, signal });
      for (const seconds of order.seconds) {
        const bytes = await drawing();
        if (bytes.byteLength > 0) await keep({ seconds, bytes });
      }
    };
    await within(stillTurns)([one], signal, work);
  }

  /** Beside the turns of jobs: a viewer waits for a segment, and a job may take hours. The caller bounds how many run. */
  async function mark(
    segment: MediaSource,
    { overlay, ...order }: MarkOrder,
    { signal }: Pick<TranscodeOptions, 'signal'>,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const ffmpeg = await required();
    const drawn: MediaSource = { size: overlay.byteLength, read: async ({ from, end }) => overlay.subarray(from, end) };
    const work = ([one, other]: readonly string[], folder: string) =>
      printedPicture({
        program: ffmpeg.program,
        words: [...quietArguments, ...markArguments(order, [one!, other!])],
        limits: limitsIn(folder),
        silence: maxOfSegment,
        endsInTime: true,
        blamesMedia: true,
        signal,
      });
    return lending([segment, drawn], signal, work);
  }

  const name = 'ffmpeg';
  const draws = ['audio'];
  return {
    name,
    draws,
    abilities,
    lacks,
    unable,
    run,
    cut,
    join: joinParts,
    mark,
    stills,
    close: () => loopback.close(),
  };
}

function progressOf(seconds: number | undefined, { progress }: TranscodeOptions) {
  let text = '';
  let madeSeconds = 0;
  let drawn = 0;
  return {
    /** Lines without news are no sign of life: media can keep a program busy for ever. */
    read(piece: Uint8Array): boolean {
      text = (text + new TextDecoder().decode(piece)).slice(-2_000);
      const before = madeSeconds;
      const frames = Number(text.match(/frame=\s*(\d+)(?![\s\S]*frame=)/)?.[1] ?? 0);
      const isNew = frames > drawn;
      drawn = Math.max(drawn, frames);
      for (const [, value] of text.matchAll(/out_time_us=(\d+)/g))
        madeSeconds = Math.max(madeSeconds, Number(value) / 1_000_000);
      if (seconds !== undefined && seconds > 0) progress(Math.min(madeSeconds / seconds, 1));
      return isNew || madeSeconds > before || text.includes('progress=end');
    },
    warnings: (): readonly string[] =>
      seconds !== undefined && madeSeconds > 0 && madeSeconds + reordering < seconds * shortest
        ? [`Expected ${seconds} seconds: found ${madeSeconds}`]
        : [],
  };
}
