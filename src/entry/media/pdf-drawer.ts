import { basename, join } from 'node:path';
import type { Gate } from '../../core/lib/gate.ts';
import { programVersion } from '../../core/lib/version.ts';
import { MediaFault } from '../../production/checking/public-reading.ts';
import type {
  Component,
  MediaSource,
  Plugin,
  Still,
  StillOrder,
  TranscodeOptions,
  Transcoder,
  TranscoderAbilities,
} from '../../spi/index.ts';
import { findProgram, permissionFor, rememberFound } from './child/find-program.ts';
import { printedPicture, runLimited } from './child/run-program.ts';
import { drawingBox } from './ffmpeg/arguments.ts';
import { copyMedia, emptyFolder, removeFolder } from './transcode-run.ts';

interface PdfOptions {
  /** A name on the path, or a path. Undefined: the first of those that are known. */
  readonly program: string | undefined;
  /** Folder for the copy that the program reads. */
  readonly scratch: string;
  readonly turns: Gate;
  /** Megabytes of memory for one run. */
  readonly megabytes: number;
  /** Milliseconds for one page. */
  readonly deadline?: number;
}

type Words = (order: Omit<StillOrder, 'seconds'>, file: string) => readonly string[];

/** Arguments that write the first page to the standard output, by program. */
const programs: Readonly<Record<string, Words>> = {
  pdftoppm(order, file) {
    const { width, height } = drawingBox(order);
    return [
      ...['-f', '1', '-l', '1', '-singlefile', order.type === 'image/png' ? '-png' : '-jpeg'],
      ...['-scale-to-x', '-1', '-scale-to-y', `${height}`],
      // A page that is wider than the box is cut: it takes no more memory than others.
      ...['-x', '0', '-y', '0', '-W', `${width}`, '-H', `${height}`, file],
    ];
  },
  mutool(order, file) {
    const { width, height } = drawingBox(order);
    return ['draw', '-q', '-F', 'png', '-o', '-', '-w', `${width}`, '-h', `${height}`, file, '1'];
  },
};

const install = 'install pdftoppm (poppler-utils) or mutool (mupdf-tools) for pictures of PDF';
/** Most bytes of a document: all of it is copied for the program. */
const mostBytes = 256 * 1024 * 1024;
/** Milliseconds for a page, and for a question about the program itself. */
const [defaultDeadline, quick] = [30_000, 10_000];
const cpuSeconds = 60;
/** Bytes in which a document says that it is a PDF. */
const headBytes = 1024;

interface InstalledProgram {
  readonly path: string;
  readonly name: string;
  readonly version: string;
}

const pictureBegins = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
];

/** Draws the first page of PDF documents by an external program, with limits of time and memory. */
export function pdfDrawer({ program, scratch, turns, megabytes, deadline = defaultDeadline }: PdfOptions): Transcoder {
  const limitsIn = (folder: string) => ({ megabytes, cpuSeconds, folder });

  const findInstalled = rememberFound(async (): Promise<InstalledProgram | undefined> => {
    for (const each of program === undefined ? Object.keys(programs) : [program]) {
      const path = await findProgram(each);
      if (path === undefined) continue;
      const folder = await emptyFolder(scratch);
      const question = { signal: new AbortController().signal, within: quick };
      try {
        const { output, errors } = await runLimited(path, ['-v'], limitsIn(folder), question);
        const version = /version (\S+)/.exec(`${errors}\n${output}`)?.[1] ?? 'unknown';
        return { path, version, name: basename(each).includes('mutool') ? 'mutool' : 'pdftoppm' };
      } finally {
        await removeFolder(folder);
      }
    }
    return undefined;
  });

  async function abilities(): Promise<TranscoderAbilities> {
    const installed = await findInstalled();
    if (!installed) return { missing: install + permissionFor(program ?? 'pdftoppm') };
    const { name, version } = installed;
    const licence = 'that of the installed program: GPL or AGPL';
    return { version: `${name} ${version}`, licence, containers: [], video: [], audio: [], stills: [] };
  }

  async function draw(
    { path, name }: InstalledProgram,
    folder: string,
    file: string,
    order: StillOrder,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await printedPicture({
      program: path,
      name,
      words: programs[name]!(order, file),
      limits: limitsIn(folder),
      silence: deadline,
      blamesMedia: true,
      // A program that prints is no less bound to end.
      endsInTime: true,
      signal,
    });
    if (pictureBegins.some((first) => first.every((byte, at) => bytes[at] === byte))) return bytes;
    throw new MediaFault('broken', `Expected a picture of the first page from ${name}`);
  }

  async function stills(
    source: MediaSource,
    order: StillOrder,
    each: (still: Still) => Promise<void>,
    { signal }: Pick<TranscodeOptions, 'signal'>,
  ): Promise<void> {
    const installed = await findInstalled();
    if (!installed) throw new MediaFault('unsupported', `Expected a program for PDF: ${install}`);
    if (source.size > mostBytes)
      throw new MediaFault('exhausted', `Expected a PDF of at most ${mostBytes} bytes: found ${source.size}`);
    const task = async () => {
      const folder = await emptyFolder(scratch);
      try {
        const file = join(folder, 'in.pdf');
        await mustBePdf(source);
        await copyMedia(source, file, signal);
        const bytes = await draw(installed, folder, file, order, signal);
        for (const seconds of order.seconds) await each({ seconds, bytes });
      } finally {
        await removeFolder(folder);
      }
    };
    await turns.run(task, { signal });
  }

  return {
    name: 'pdf',
    draws: ['application/pdf'],
    abilities,
    unable: async ({ format }) => `format=${format}`,
    run: () => Promise.reject(new MediaFault('unsupported', 'Expected a transcoder that makes other forms of media')),
    stills,
  };
}

/** Looks at the head of a document: no other file reaches the program. */
async function mustBePdf(source: MediaSource): Promise<void> {
  const head = await source.read({ from: 0, end: Math.min(headBytes, source.size) });
  if (!new TextDecoder('latin1').decode(head).includes('%PDF-'))
    throw new MediaFault('broken', 'Expected "%PDF-" at the begin of a PDF');
}

type DrawingOptions = Pick<PdfOptions, 'scratch' | 'megabytes' | 'turns'>;

const drawer = (options: DrawingOptions): Component<Transcoder> => ({
  says: 'Draws the first page of PDF documents as their thumbnail and poster, by pdftoppm or mutool.',
  properties: {
    program: {
      type: 'string',
      says: 'The program, pdftoppm or mutool: a name on the path, or a path. Default: the first of both that is there.',
    },
  },
  create: ({ program }: { readonly program?: string }) => pdfDrawer({ program, ...options }),
});

/** Plugin with what draws media without pictures. It needs processes. */
export const drawingPlugin = (options: DrawingOptions): Plugin => ({
  name: 'portico-drawing',
  version: programVersion,
  contract: 1,
  transcoders: { 'portico.PdfDrawer': drawer(options) },
});
