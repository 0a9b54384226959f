import type { MetadataDocumentValue } from '../../../assets/metadata/public-reading.ts';
import type { DocumentLimits } from '../../../core/documents/index.ts';
import { hook } from '../../../room/hook.ts';
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
