import { mimeTypeByName, octets, soundsLikeMedia, typeOfMediaName } from '../../../core/lib/mime-types.ts';
import { hook, leftOut } from '../../../room/hook.ts';
import type { MediaSource, MediaTool, ProbeOptions, ProbeResult, Prober, SoundReader } from '../../../spi/index.ts';
import { countedSource, headBytes } from './counted-source.ts';
import { mediaKindOf } from './faults.ts';

/** Probers and a reader of sound that need no external programs. */
interface OwnProbers {
  /** In the order of use. */
  readonly probers: readonly Prober[];
  readonly sound: SoundReader;
}

export const ownProbersHook = hook<OwnProbers>('probers');

const missing = leftOut(ownProbersHook.room).detail.explanation!;

export const missingProbers: MediaTool = { name: ownProbersHook.room, missing };

/** A result without the extension. A file that nothing else opened is told by its name, with a warning. */
export function withoutOwnProbers(probe: ProbeResult, name: string | undefined): ProbeResult {
  const mimeType = probe.mimeType === octets ? typeOfMediaName(name) : probe.mimeType;
  if (probe.by !== '' || !(mimeType === octets || mimeType.startsWith('image/') || soundsLikeMedia(mimeType)))
    return probe;
  return { ...probe, mimeType, isPartial: true, warnings: [...probe.warnings, missing] };
}

/** Whether another prober may find more: a part is missing, or a track has an unknown codec. */
export const isIncomplete = ({ isPartial, format, tracks }: ProbeResult): boolean =>
  format === '' || isPartial || tracks.some(({ kind, codec }) => kind !== 'data' && codec === null);

/**
 * Asks probers one after the other until one knows all. Those that know the first bytes come first. A file that none
 * knows is told by its name alone.
 */
export async function probeWith(
  probers: readonly Prober[],
  source: MediaSource,
  options: ProbeOptions,
): Promise<ProbeResult> {
  const counted = countedSource(source, options.maxBytes, options.signal);
  const head = await counted.read({ from: 0, end: Math.min(headBytes, source.size) });
  const answers = probers.map((prober) => ({ prober, answer: prober.accepts(head, source.name) }));
  const order = (['yes', 'maybe'] as const).flatMap((word) => answers.filter(({ answer }) => answer === word));
  let best: ProbeResult | undefined;
  let broken: unknown;
  for (const { prober } of order) {
    try {
      const probe = { ...(await prober.probe(counted, options)), bytesRead: counted.bytesRead };
      if (!isIncomplete(probe)) return probe;
      best ??= probe;
    } catch (error) {
      if (counted.fault) throw counted.fault.error;
      const kind = mediaKindOf(error);
      if (options.signal.aborted || kind === 'aborted') throw error;
      if (kind !== 'unsupported') broken ??= error;
    }
  }
  if (best) return best;
  if (broken !== undefined) throw broken;
  return unknownMedia(source.name, counted.bytesRead);
}

/** Result for a file that no prober recognises. */
const unknownMedia = (name: string | undefined, bytesRead: number): ProbeResult => ({
  by: '',
  format: '',
  mimeType: mimeTypeByName(name),
  tracks: [],
  isPartial: false,
  bytesRead,
  warnings: [],
});
