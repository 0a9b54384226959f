import { type FileHandle, open, writeFile } from 'node:fs/promises';
import {
  type Conversion,
  type ConversionPlan,
  convert,
  cutMedia,
  type Encodes,
  encodesOf,
  type MediaLibrary,
  mediaSeconds,
  stillsWith,
} from '../../../composition/transcoding.ts';
import type { CutOrder, MediaSource, StillOrder } from '../../../spi/index.ts';
import { importModule } from '../../plugins/import-module.ts';

/** Location of the installed library's modules. */
export interface LibraryModules {
  readonly library: string;
  /** Brings the decoders and encoders. */
  readonly server: string;
}

interface ConvertInput {
  readonly place: LibraryModules;
  readonly plan: ConversionPlan;
  /** A name in the folder of the process. */
  readonly file: string;
}

interface CutInput {
  readonly place: LibraryModules;
  readonly order: CutOrder;
  readonly file: string;
}

export interface Converted {
  readonly warnings: readonly string[];
  /** Duration of the new file in seconds. */
  readonly seconds: number | undefined;
}

interface StillsInput {
  readonly place: LibraryModules;
  readonly order: StillOrder;
}

/** Message for each still: its time, and its file in the folder of the process. */
export interface StillMessage {
  readonly seconds: number;
  readonly file: string;
}

/** Milliseconds from one word about progress to the next. */
const pause = 500;

interface ServerModule {
  registerMediabunnyServer(options: { readonly hardwareContext: null }): void;
}

/** Once in the life of the process, which works for one question. */
async function load({ library, server }: LibraryModules): Promise<MediaLibrary> {
  const loaded = (await importModule(library, false)) as MediaLibrary;
  const { registerMediabunnyServer } = (await importModule(server, false)) as ServerModule;
  // Drivers of graphics cards are foreign code, too, and looking for them takes time.
  registerMediabunnyServer({ hardwareContext: null });
  return loaded;
}

export const encodersCall = async (_source: MediaSource, place: LibraryModules): Promise<Encodes> =>
  encodesOf(await load(place));

type Making = (library: MediaLibrary, conversion: Conversion) => Promise<readonly string[]>;

/** Writes a new file, and looks how long it lasts. */
async function madeIn(
  place: LibraryModules,
  file: string,
  tell: (done: number) => void,
  make: Making,
): Promise<Converted> {
  const library = await load(place);
  const handle = await open(file, 'wx+');
  let [reached, reportedAt] = [0, performance.now()];
  try {
    const warnings = await make(library, {
      write: (bytes, at) => writeAll(handle, bytes, at),
      progress(done, seconds) {
        const now = performance.now();
        // Media that comes to no later time is no sign of life.
        if (seconds <= reached || now - reportedAt < pause) return;
        [reached, reportedAt] = [seconds, now];
        tell(done);
      },
    });
    const { size } = await handle.stat();
    return { warnings, seconds: await mediaSeconds(library, sourceOf(handle, size)).catch(() => undefined) };
  } finally {
    await handle.close();
  }
}

export const convertCall = (
  source: MediaSource,
  { place, plan, file }: ConvertInput,
  tell: (done: number) => void,
): Promise<Converted> => madeIn(place, file, tell, (library, conversion) => convert(library, source, plan, conversion));

export const cutCall = (
  source: MediaSource,
  { place, order, file }: CutInput,
  tell: (done: number) => void,
): Promise<Converted> =>
  madeIn(place, file, tell, (library, conversion) => cutMedia(library, source, order, conversion));

async function writeAll(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    done += (await handle.write(bytes, done, bytes.byteLength - done, at + done)).bytesWritten;
  }
}

const sourceOf = (handle: FileHandle, size: number): MediaSource => ({
  size,
  async read({ from, end }) {
    const bytes = new Uint8Array(end - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, from);
    return bytes.subarray(0, bytesRead);
  },
});

export async function stillsCall(
  source: MediaSource,
  { place, order }: StillsInput,
  tell: (still: StillMessage) => void,
): Promise<number> {
  let count = 0;
  await stillsWith(await load(place), source, order, async ({ seconds, bytes }) => {
    const file = `still-${count++}`;
    await writeFile(file, bytes, { flag: 'wx' });
    tell({ seconds, file });
  });
  return count;
}
