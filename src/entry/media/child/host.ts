import { shippedTools, withoutEmbedded } from '../../../composition/shipped-probers.ts';
import { type CheckingSettings, checkedSound } from '../../../production/checking/public.ts';
import {
  checkedResult,
  headBytes,
  isIncomplete,
  mediaKindOf,
  missingProbers,
  octets,
  ownProbersHook,
  soundsLikeMedia,
  withoutOwnProbers,
} from '../../../production/checking/public-reading.ts';
import type { ConfiguredProber, MediaHost, MediaSource, ProbeOptions, ProbeResult } from '../../../spi/index.ts';
import { Ffprobe } from './ffprobe.ts';
import { proberDescription } from './plugin-probers.ts';
import { ChildPool } from './pool.ts';
import { type ProgramLimits, xmpWriter } from './xmp-writer.ts';

type MediaHostSettings = Pick<
  CheckingSettings,
  'mediaChildren' | 'mediaChildMegabytes' | 'probeSeconds' | 'ffprobe'
> & {
  readonly exiftool?: string;
  readonly root?: string;
  /** Extensions that the service leaves out. */
  readonly without?: readonly string[];
};

/** Milliseconds without progress after which a measure of sound is ended. */
const silence = 60_000;

/**
 * Opens foreign media in processes beside this one. None is started before the first file. `limits`: those of programs
 * that write files. Without them the host writes none.
 */
export function createMediaHost(settings: MediaHostSettings, limits?: ProgramLimits): MediaHost {
  const {
    mediaChildren: max,
    mediaChildMegabytes: megabytes,
    probeSeconds: seconds,
    ffprobe: program,
    exiftool = '',
    root,
    without = [],
  } = settings;
  const leavesOut = without.includes(ownProbersHook.room);
  // Many times what all its questions may take.
  const pool = new ChildPool({
    max,
    megabytes,
    cpuSeconds: Math.max(3600, seconds * 60),
    ...(root !== undefined && { root }),
  });
  const ffprobe = new Ffprobe({ program, megabytes, seconds }, pool);
  const writer = limits && xmpWriter(exiftool, limits);

  async function probeWith(
    source: MediaSource,
    { maxBytes, signal, embedded = [] }: ProbeOptions,
    configured: readonly ConfiguredProber[],
  ): Promise<ProbeResult> {
    const probers = configured.map(proberDescription);
    const reads = probers.map(({ folder }) => folder);
    const input = { maxBytes, probers, leavesOut, embedded };
    // Each probe begins with these bytes, unless its budget ends before them.
    const sends = Math.min(headBytes, source.size) > maxBytes ? 0 : headBytes;
    let probed: ProbeResult | undefined;
    const onProgress = (sent: unknown) => {
      probed = checkedResult(sent);
    };
    const question = { call: 'probe', source, input, signal, reads, sends, within: seconds * 1000, onProgress };
    try {
      return checkedResult(await pool.ask(question));
    } catch (error) {
      const kind = mediaKindOf(error);
      if (!probed || kind === undefined || kind === 'aborted') throw error;
      return { ...probed, warnings: [...probed.warnings, withoutEmbedded((error as Error).message)] };
    }
  }

  return {
    async probe(source, options, probers = []) {
      let result: ProbeResult | undefined;
      let broken: unknown;
      try {
        result = await probeWith(source, options, probers);
      } catch (error) {
        if (mediaKindOf(error) !== 'broken') throw error;
        broken = error;
      }
      if (result && !mayKnowMore(result)) return result;
      try {
        const more = await ffprobe.probe(source, options);
        if (more && more.tracks.length > 0) {
          // A program takes a film that is cut for a whole one.
          const { missingBytes, embedded } = result ?? {};
          return checkedResult({ ...more, missingBytes, embedded });
        }
      } catch (error) {
        const kind = mediaKindOf(error);
        if (kind === undefined || kind === 'aborted') throw error;
      }
      if (result) return leavesOut ? withoutOwnProbers(result, source.name) : result;
      throw broken;
    },
    async sound(source, { signal }) {
      const within = silence;
      const sound = await pool.ask({ call: 'sound', source, input: {}, signal, within });
      return checkedSound(sound, (text) => new Uint8Array(Buffer.from(text, 'base64')));
    },
    ...(writer && { embed: writer.embed }),
    tools: async () => [
      ...(leavesOut ? [missingProbers] : shippedTools),
      await ffprobe.tool(),
      ...(writer ? [await writer.tool()] : []),
    ],
    close: () => pool.close(),
  };
}

/** Whether another prober is worth a try. Documents are no media. */
const mayKnowMore = (found: ProbeResult): boolean =>
  isIncomplete(found) && (found.format !== '' || found.mimeType === octets || soundsLikeMedia(found.mimeType));
