import { MediaFault } from '../../../production/checking/public-reading.ts';
import { heicIn } from '../../../production/transcoding/public-reading.ts';
import type { MediaSource } from '../../../spi/index.ts';

/** Facts of an installed program. */
interface Installed {
  readonly version: string;
  readonly decoders: ReadonlySet<string>;
}

export const heicProgram = 'ffmpeg 8.1 or later';

/** Whether a program reads HEIC. Before 8.1 it takes the first of several tiles for the picture. */
export function readsHeic({ version, decoders }: Installed, isTiled: boolean): boolean {
  if (!decoders.has('hevc')) return false;
  const [, major, minor = '0'] = /^n?(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  // A build between releases has no number.
  if (major === undefined) return true;
  return Number(major) > 8 || (isTiled ? Number(major) === 8 && Number(minor) >= 1 : Number(major) >= 7);
}

/** A source may never answer. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}

interface Readable {
  readonly source: MediaSource;
  /** Sentences about what takes the place of the source. */
  readonly remarks: readonly string[];
}

/** The source, or the preview inside a HEIC that the program does not read. */
export async function readable(installed: Installed, source: MediaSource, signal: AbortSignal): Promise<Readable> {
  const heic = await untilAborted(heicIn(source), signal);
  if (!heic || readsHeic(installed, heic.isTiled)) return { source, remarks: [] };
  const lack = `Expected ${heicProgram} to read HEIC: found ${installed.version}`;
  const bytes = await untilAborted(heic.preview(), signal);
  if (!bytes) throw new MediaFault('unsupported', lack);
  const preview: MediaSource = { size: bytes.byteLength, read: async ({ from, end }) => bytes.subarray(from, end) };
  return { source: preview, remarks: [`${lack}. The preview inside the file takes the place of the picture`] };
}
