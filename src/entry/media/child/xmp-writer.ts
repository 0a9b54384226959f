import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Gate } from '../../../core/lib/gate.ts';
import { MediaFault } from '../../../production/checking/public-reading.ts';
import type { EmbeddedCopy, EmbedOrder, MediaHost, MediaSource, MediaTool } from '../../../spi/index.ts';
import { copyMedia, emptyFolder, removeFolder } from '../transcode-run.ts';
import { findProgram, permissionFor, rememberFound } from './find-program.ts';
import { runLimited } from './run-program.ts';

export interface ProgramLimits {
  /** Folder for copies. */
  readonly scratch: string;
  /** Limits the concurrent runs of all programs together. */
  readonly turns: Gate;
  /** Megabytes of memory for one run. */
  readonly megabytes: number;
}

/** Media types that the program writes XMP into: an extension, and how such a file begins. No other file reaches it. */
const kinds: ReadonlyMap<string, readonly [extension: string, begins: RegExp]> = new Map([
  ['image/jpeg', ['jpg', /^\u00ff\u00d8\u00ff/]],
  ['image/png', ['png', /^\u0089PNG/]],
  ['image/tiff', ['tif', /^(?:II\*|MM)/]],
  ['image/webp', ['webp', /^RIFF.{4}WEBP/s]],
  ['image/gif', ['gif', /^GIF8/]],
  ['image/jp2', ['jp2', /^.{4}jP/s]],
  ['image/jxl', ['jxl', /^(?:\u00ff|.{4}JXL )/s]],
  ['image/vnd.adobe.photoshop', ['psd', /^8BPS/]],
  ['application/pdf', ['pdf', /^%PDF-/]],
  ...(['image/heic', 'image/heif', 'image/avif', 'video/mp4', 'video/quicktime', 'audio/mp4'] as const).map(
    (type) =>
      [type, [type === 'video/quicktime' ? 'mov' : type.slice(6), /^.{4}(?:ftyp|moov|mdat|wide|free|skip)/s]] as const,
  ),
] as const);
const headBytes = 16;

/** Bytes of a file: the folder for copies holds it twice. */
const maxBytes = 2 * 1024 * 1024 * 1024;
/** Milliseconds for one file, and for a question about the program itself. */
const [deadline, quick] = [600_000, 10_000];
const cpuSeconds = 600;

type XmpWriter = Required<Pick<MediaHost, 'embed'>> & { tool(): Promise<MediaTool> };

/** Writes XMP into copies of files by exiftool. No text of a caller reaches its arguments. */
export function xmpWriter(program: string, { scratch, turns, megabytes }: ProgramLimits): XmpWriter {
  async function inFolder<T>(work: (folder: string) => Promise<T>, keeps = false): Promise<T> {
    const folder = await emptyFolder(scratch);
    let isDone = false;
    try {
      const result = await work(folder);
      isDone = true;
      return result;
    } finally {
      if (!isDone || !keeps) await removeFolder(folder);
    }
  }

  const run = (path: string, words: readonly string[], folder: string, signal: AbortSignal, within: number) =>
    // A configuration of the program may run code.
    runLimited(path, ['-config', '', ...words], { megabytes, cpuSeconds, folder }, { signal, within });

  const find = rememberFound(async () => {
    const path = await findProgram(program);
    if (path === undefined) return undefined;
    const { output } = await inFolder((folder) => run(path, ['-ver'], folder, new AbortController().signal, quick));
    const version = /^\d+\.\d+/.exec(output)?.[0];
    return version === undefined ? undefined : { path, version };
  });
  const missing = () =>
    program === ''
      ? 'Switched off (exiftool)'
      : `Expected the program "${program}": install exiftool for XMP inside of exported files${permissionFor(program)}`;

  return {
    async tool() {
      const installed = await find();
      return { name: 'exiftool', ...(installed ? { version: installed.version } : { missing: missing() }) };
    },

    async embed(source: MediaSource, { mimeType, xmp }: EmbedOrder, { signal }): Promise<EmbeddedCopy> {
      const installed = await find();
      if (!installed) throw new MediaFault('unsupported', missing());
      const [extension, begins] = kinds.get(mimeType) ?? [];
      const head = await source.read({ from: 0, end: Math.min(headBytes, source.size) });
      if (extension === undefined || !begins?.test(String.fromCharCode(...head)))
        throw new MediaFault('unsupported', `Expected media that takes XMP: ${mimeType}`);
      if (source.size > maxBytes)
        throw new MediaFault('exhausted', `Expected a file of at most ${maxBytes} bytes: found ${source.size}`);
      return turns.run(
        () =>
          inFolder(async (folder) => {
            const [before, after] = [`in.${extension}`, `out.${extension}`];
            await copyMedia(source, join(folder, before), signal);
            await writeFile(join(folder, 'meta.xmp'), xmp, { mode: 0o600 });
            const words = ['-q', '-q', '-m', '-tagsfromfile', 'meta.xmp', '-xmp:all', '-o', after, before];
            const { code, errors } = await run(installed.path, words, folder, signal, deadline);
            const file = join(folder, after);
            const size =
              code === 0
                ? await stat(file).then(
                    (stats) => stats.size,
                    () => 0,
                  )
                : 0;
            if (size === 0) throw new MediaFault('broken', `Expected a file that exiftool reads: ${sentence(errors)}`);
            const body = () => Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
            return { size, body, close: () => removeFolder(folder) };
          }, true),
        { signal },
      );
    },
  };
}

/** Last line of what the program says. */
const sentence = (errors: string): string =>
  (errors.trim().split('\n').at(-1) ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 200);
