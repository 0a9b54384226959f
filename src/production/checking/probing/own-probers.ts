import { hook, leftOut } from '../../../room/hook.ts';
import type { MediaTool, ProbeResult, Prober, SoundReader } from '../../../spi/index.ts';
import { octets, soundsLikeMedia, typeOfMediaName } from './mime-types.ts';

/** Probers and a reader of sound that need no external programs. */
interface OwnProbers {
  /** In the order of use. */
  readonly probers: readonly Prober[];
  readonly sound: SoundReader;
}

export const ownProbersHook = hook<OwnProbers>('probers');

const missing = leftOut(ownProbersHook.extension).detail.explanation!;

export const missingProbers: MediaTool = { name: ownProbersHook.extension, missing };

/** A result without the extension. A file that nothing else opened is told by its name, with a warning. */
export function withoutOwnProbers(found: ProbeResult, name: string | undefined): ProbeResult {
  const mimeType = found.mimeType === octets ? typeOfMediaName(name) : found.mimeType;
  if (found.by !== '' || !(mimeType === octets || mimeType.startsWith('image/') || soundsLikeMedia(mimeType)))
    return found;
  return { ...found, mimeType, isPartial: true, warnings: [...found.warnings, missing] };
}
