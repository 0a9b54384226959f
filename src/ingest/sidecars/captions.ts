import type { DocumentLimits } from '../../documents/index.ts';
import type { MetadataDocumentValue } from '../../metadata/public-reading.ts';
import { hook } from '../../room/hook.ts';
import type { Sidecar } from './sidecar.ts';

/** File extensions of subtitles. Files with them belong to the media beside them. */
export const captionEndings = ['srt', 'vtt', 'scc', 'ttml', 'dfxp'] as const;

/** Reads a file of subtitles. Undefined: it has none of the known formats. Throws JobFails for an unusable file. */
type ReadCaptions = (
  sidecar: Sidecar,
  limits: DocumentLimits,
  language: string | undefined,
) => Promise<MetadataDocumentValue | undefined>;

export const captionsHook = hook<ReadCaptions>('captions');
